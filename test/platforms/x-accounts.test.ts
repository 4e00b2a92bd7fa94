import { newId } from '@perch/proto/ids';
import { afterAll, beforeAll, beforeEach, describe, expect, inject, test } from 'vitest';
import { Later, Revoked } from '../../services/accounts/src/platforms/platform.ts';
import { openSession } from '../../services/accounts/src/platforms/session.ts';
import { startWorkers, type Workers } from './x/accounts.ts';
import { startX, type XServer } from './x/start.ts';

// Against a stand-in of ours: no server of X can be had.
let server: XServer;
let perch: Workers;
let aheadMs = 0;
let account: Awaited<ReturnType<Workers['connect']>>;

beforeAll(async () => {
  server = await startX({ clock: () => Date.now() + aheadMs, readBackLagMs: 300 });
  perch = await startWorkers(server, inject('postgresUrl'), (byMs) => {
    aheadMs += byMs;
  });
});
afterAll(async () => {
  await perch?.stop();
  await server?.stop();
});
beforeEach(async () => {
  account = await perch.connect();
  server.answered.length = 0;
  perch.told.clear();
});

const thread = (name: string, media = true) =>
  [1, 2, 3].map((at) => ({
    text: `${name} ${at}: see https://perch.example.com/${at}`,
    media_ids: media ? [newId('media', Date.now)] : [],
  }));
const publish = (tweets: ReturnType<typeof thread>, landing?: () => Promise<void>) =>
  perch.publish({
    account: account.id,
    userId: account.userId,
    tweets,
    ...(landing && { landing }),
  });
const texts = async () => (await server.posts(account.remoteId)).map((post) => post.text);

describe('a thread with media stands once, tweet for tweet', () => {
  const kinds = [
    'reset-before',
    'reset-during',
    'reset-after',
    'slow-after',
    '503-before',
    '503-after',
    'garbled',
    '429',
    '401',
  ] as const;
  const cases = kinds.flatMap((kind) => [0, 1, 2].map((after) => [kind, after] as const));

  test.each(cases)('%s at tweet %i', async (kind, after) => {
    const tweets = thread(`${kind} at ${after}`);
    server.fault({ on: 'POST /2/tweets', kind, after, delayMs: 600 });
    expect(await publish(tweets)).toBe('posted');
    const posts = await server.posts(account.remoteId);
    expect(posts.map(({ text, media }) => ({ text, media }))).toEqual(
      tweets.map(({ text }) => ({ text, media: 1 })),
    );
    expect(posts.map((post) => post.inReplyTo)).toEqual([null, posts[0]?.id, posts[1]?.id]);
  });

  test('a tweet that lands after its time-out', async () => {
    const tweets = thread('late');
    server.fault({ on: 'POST /2/tweets', kind: 'slow-before', after: 1, delayMs: 700 });
    const landing = () => expect.poll(texts).toContain(tweets[1]?.text);
    expect(await publish(tweets, landing)).toBe('posted');
    expect(await texts()).toEqual(tweets.map(({ text }) => text));
  });

  test('two faults in a row at the same tweet, and stale lists meanwhile', async () => {
    const tweets = thread('twice');
    server.fault({ on: 'POST /2/tweets', kind: 'reset-before', after: 1 });
    server.fault({ on: 'POST /2/tweets', kind: 'reset-after' });
    server.fault({ on: 'GET /2/users/:id/tweets', kind: 'stale', times: 3 });
    expect(await publish(tweets)).toBe('posted');
    expect(await texts()).toEqual(tweets.map(({ text }) => text));
  });

  test('a timeline that lags longer than was believed: X’s word that it has the text already is heeded', async () => {
    const tweets = thread('lagging', false);
    server.fault({ on: 'POST /2/tweets', kind: 'reset-after', after: 1 });
    server.fault({ on: 'GET /2/users/:id/tweets', kind: 'stale', times: 8 });
    expect(await publish(tweets)).toBe('posted');
    expect(await texts()).toEqual(tweets.map(({ text }) => text));
    expect(server.answered).toContain('POST /2/tweets 403');
  });

  test.each([
    ['POST /2/media/upload/initialize', 'reset-after'],
    ['POST /2/media/upload/:id/append', 'reset-during'],
    ['POST /2/media/upload/:id/finalize', '503-after'],
    ['POST /2/media/metadata', 'garbled'],
    ['POST /2/media/metadata', '401'],
  ] as const)('%s %s', async (on, kind) => {
    const tweets = thread(`${on} ${kind}`);
    server.fault({ on, kind, after: 1 });
    expect(await publish(tweets)).toBe('posted');
    expect(await texts()).toEqual(tweets.map(({ text }) => text));
  });

  test('a text without media that was sent before is refused, and nothing else goes out', async () => {
    const tweets = thread('same', false);
    expect(await publish(tweets.slice(0, 1))).toBe('posted');
    expect(await publish(tweets.slice(0, 1))).toBe('duplicate_content');
    expect(await texts()).toHaveLength(1);
  });
});

describe('single-use refresh tokens', () => {
  const refreshes = () =>
    server.answered.filter((one) => one === 'POST /2/oauth2/token 200').length;

  test('of many workers that find the token stale one refreshes it, and all go on with the new one', async () => {
    const stale = await perch.stored(account.id);
    aheadMs += 7_200_000;
    const opened = await Promise.all(
      Array.from({ length: 12 }, (_, at) => {
        const worker = perch.workers[at % perch.workers.length];
        if (!worker) throw new Error('no worker');
        return openSession(worker, stale);
      }),
    );
    expect(refreshes()).toBe(1);
    expect(new Set(opened.map((session) => session?.credentials)).size).toBe(1);
    expect(await publish(thread('after the race'))).toBe('posted');
    expect((await perch.stored(account.id)).status).toBe('connected');
    expect(perch.told.size).toBe(0);
  });

  test('of many that are refused at once one refreshes too', async () => {
    const stored = await perch.stored(account.id);
    const sessions = await Promise.all(perch.workers.map((worker) => openSession(worker, stored)));
    const renewed = await Promise.all(
      sessions.flatMap((session) => [session?.renew(), session?.renew(), session?.renew()]),
    );
    expect(refreshes()).toBe(1);
    expect(new Set(renewed).size).toBe(1);
  });

  test('X being away for a while disconnects nobody', async () => {
    aheadMs += 7_200_000;
    server.fault({ on: 'POST /2/oauth2/token', kind: '503-before', times: 2 });
    const [worker] = perch.workers;
    const stored = await perch.stored(account.id);
    await expect(worker && openSession(worker, stored)).rejects.toThrow(Later);
    expect(await publish(thread('patience'))).toBe('posted');
    expect((await perch.stored(account.id)).status).toBe('connected');
    expect(perch.told.size).toBe(0);
  });

  test('a grant that was taken back disconnects the account, and its owner is told', async () => {
    const { grant } = [...server.world.refresh.values()].at(-1) ?? {};
    if (grant) grant.revoked = true;
    expect(await publish(thread('no longer'))).toBe('account_disconnected');
    expect((await perch.stored(account.id)).status).toBe('disconnected');
    expect(perch.told.size).toBe(1);
    aheadMs += 7_200_000;
    const other = await perch.connect();
    const { grant: second } = [...server.world.refresh.values()].at(-1) ?? {};
    if (second) second.revoked = true;
    aheadMs += 7_200_000;
    const [worker] = perch.workers;
    const stored = await perch.stored(other.id);
    await expect(worker && openSession(worker, stored)).rejects.toThrow(Revoked);
  });
});
