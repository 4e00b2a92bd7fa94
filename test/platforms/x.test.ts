import { createServer } from 'node:http';
import { faultOf } from '@perch/proto/faults';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Platform, Session } from '../../services/accounts/src/platforms/platform.ts';
import {
  connectorFor,
  consentTo,
  fileOf,
  outgoing,
  redirectUri,
  sessionOf,
  sought,
  upload,
} from './x/connector.ts';
import { startX, type XServer } from './x/start.ts';
import { sha256, type XAccount, type XOptions } from './x/world.ts';

// Against a stand-in of ours: no server of X can be had. Its README says what it judges.
let server: XServer;
let x: Platform;
let aheadMs = 0;
let account: XAccount;
let session: ReturnType<typeof sessionOf>;
let before: XOptions;

beforeAll(async () => {
  server = await startX({ clock: () => Date.now() + aheadMs });
  before = { ...server.world.options };
  x = connectorFor(server);
});
afterAll(() => server?.stop());
beforeEach(async () => {
  Object.assign(server.world.options, before);
  account = server.account();
  session = sessionOf(x, await consentTo(server, x, account));
  server.answered.length = 0;
});

const now = () => server.world.options.clock();
const within = (timeoutMs = 1_000) => AbortSignal.timeout(timeoutMs);
const texts = async () => (await server.posts(account.id)).map((post) => post.text);
const send = (text: string, more = {}) => x.send(session, outgoing(text, more), within());
const since = (startedMs: number, others: string[] = []) => ({
  startedMs,
  others: new Set(others),
});
async function sent(text: string, more = {}): Promise<string> {
  const result = await send(text, more);
  if (result.kind !== 'published') throw new Error(JSON.stringify(result));
  return result.platform_id;
}
async function failure(work: Promise<unknown>): Promise<string> {
  const fault = await work.then(() => null, faultOf);
  return `${fault?.code}: ${fault?.message}`;
}

describe('connecting', () => {
  test('whoever consents is connected under an id that stays', async () => {
    expect(session).toMatchObject({ remoteId: account.id, handle: account.username });
    server.world.options.clickToConsent = true;
    const again = await consentTo(server, x, account);
    expect(again.remoteId).toBe(account.id);
  });

  test('a public client connects and renews without a secret', async () => {
    server.world.options.client = { id: 'public-app', secret: null };
    const open = connectorFor(server);
    const { credentials } = await consentTo(server, open, account);
    expect(await open.connection?.refresh(credentials)).toMatchObject({ kind: 'fresh' });
  });

  test('what the person did not allow is named, and nothing of the grant is left', async () => {
    server.world.options.allowedScopes = ['tweet.read', 'users.read', 'offline.access'];
    expect(await failure(consentTo(server, x, account))).toMatch(
      /^connection_failed: X did not grant tweet.write, media.write/,
    );
    expect([...server.world.refresh.values()].at(-1)?.grant.revoked).toBe(true);
  });

  test('a code that comes too late, or with another verifier or address, connects nobody', async () => {
    const consent = x.connection?.consent;
    const begun = await consent?.begin({ server: null, redirectUri });
    const code = async () =>
      (await server.consent(begun?.authorizeUrl ?? '', account)).searchParams.get('code') ?? '';
    const finish = async (more = {}) => {
      const input = { secret: begun?.secret ?? '', redirectUri, params: { code: await code() } };
      return consent?.finish({ ...input, ...more });
    };
    const invalid = /^connection_failed: X gave no access: Value passed for the authorization code/;
    expect(await failure(finish({ secret: 'x'.repeat(64) }))).toMatch(invalid);
    expect(await failure(finish({ redirectUri: 'https://evil.example/' }))).toMatch(invalid);
    const late = { code: await code() };
    aheadMs += 31_000;
    expect(await failure(finish({ params: late }))).toMatch(invalid);
    expect(await finish()).toMatchObject({ remoteId: account.id });
  });

  test('a refresh token works once; only X’s word that it is over ends the connection', async () => {
    const { connection } = x;
    const first = session.credentials;
    const on = 'POST /2/oauth2/token';
    for (const kind of ['503-before', 'reset-before', 'garbled'] as const) {
      const { credentials } = await consentTo(server, x, account);
      server.fault({ on, kind });
      expect(await connection?.refresh(credentials)).toMatchObject({ kind: 'later' });
    }
    expect(await connection?.refresh(first)).toMatchObject({ kind: 'fresh' });
    expect(await connection?.refresh(first)).toMatchObject({ kind: 'revoked' });
    server.world.options.client = { id: 'perch-test', secret: 'another one by now' };
    const { credentials } = session;
    expect(await connection?.refresh(credentials)).toMatchObject({ kind: 'later' });
  });

  test('letting go ends the grant at X', async () => {
    await x.connection?.revoke(session.credentials);
    expect(await x.connection?.refresh(session.credentials)).toMatchObject({ kind: 'revoked' });
  });
});

describe('sending', () => {
  test('a thread stands, each tweet in answer to the one before', async () => {
    const first = await sent('one & <two>');
    const second = await sent('three', { inReplyTo: first, root: first });
    expect(await server.posts(account.id)).toEqual([
      { id: first, text: 'one & <two>', inReplyTo: null, media: 0 },
      { id: second, text: 'three', inReplyTo: first, media: 0 },
    ]);
  });

  test.each([
    ['reset-before', 0],
    ['reset-during', 0],
    ['reset-after', 1],
    ['503-before', 0],
    ['503-after', 1],
    ['garbled', 1],
  ] as const)('%s: nobody can know, so it is unknown', async (kind, stands) => {
    server.fault({ on: 'POST /2/tweets', kind });
    expect(await send(`once ${kind}`)).toMatchObject({ kind: 'unknown' });
    expect(await texts()).toHaveLength(stands);
  });

  test('an answer that does not come in time is unknown, whether it was done or will be', async () => {
    server.fault({ on: 'POST /2/tweets', kind: 'slow-after', delayMs: 400 });
    const done = outgoing('done in time');
    expect(await x.send(session, done, within(150))).toMatchObject({ kind: 'unknown' });
    server.fault({ on: 'POST /2/tweets', kind: 'slow-before', delayMs: 400 });
    const late = outgoing('done late');
    expect(await x.send(session, late, within(150))).toMatchObject({ kind: 'unknown' });
    await expect.poll(texts).toEqual(['done in time', 'done late']);
  });

  test('what surely never got there is tried again', async () => {
    const closed = createServer().listen(0, '127.0.0.1');
    const address = await new Promise<string>((resolve) =>
      closed.once('listening', () => {
        const at = closed.address();
        resolve(`http://127.0.0.1:${typeof at === 'object' ? at?.port : 0}`);
      }),
    );
    await new Promise((resolve) => closed.close(resolve));
    const nowhere = connectorFor(server, { apiUrl: address });
    const unnamed = connectorFor(server, { apiUrl: 'https://nothing.invalid' });
    const guarded = connectorFor(server, { apiUrl: 'https://10.0.0.1' });
    for (const connector of [nowhere, unnamed, guarded])
      expect(await connector.send(session, outgoing('x'), within(5_000))).toMatchObject({
        kind: 'retry',
      });
    const over = AbortSignal.abort();
    expect(await x.send(session, outgoing('x'), over)).toMatchObject({ kind: 'retry' });
    expect(await texts()).toEqual([]);
  });

  test('the same text again is a mistake at first, and a sign that it stands after an unknown outcome', async () => {
    await sent('the same');
    expect(await send('the same')).toMatchObject({ kind: 'rejected', code: 'duplicate_content' });
    expect(await send('the same', { attempt: 2 })).toMatchObject({ kind: 'unknown', stands: true });
  });

  test('a limit is waited for, and not asked about again while it lasts', async () => {
    server.world.options.limits = { tweet: 2 };
    await sent('1');
    await sent('2');
    const atMs = (server.world.counts.get(`${account.id} tweet`)?.resetMs ?? 0) + 1_000;
    const waiting = await send('3');
    expect(waiting).toMatchObject({ kind: 'retry' });
    if (waiting.kind === 'retry') expect(waiting.at_ms).toBeLessThanOrEqual(atMs);
    expect(server.answered).toEqual(['POST /2/tweets 201', 'POST /2/tweets 201']);
    session.blocked.clear();
    expect(await send('3')).toMatchObject({ kind: 'retry' });
    expect(session.blocked.get('tweet')).toBeGreaterThan(now());
  });

  test('when the app’s credits are out, it waits an hour and says who must act', async () => {
    server.world.options.creditsOut = true;
    const result = await send('x');
    expect(result).toMatchObject({ kind: 'retry', detail: expect.stringContaining('credits') });
    if (result.kind === 'retry') expect(result.at_ms - now()).toBeGreaterThan(3_500_000);
  });

  test('a token refused before its time is renewed once, and the tweet goes out once', async () => {
    server.fault({ on: 'POST /2/tweets', kind: '401' });
    await sent('after all');
    expect(session.renewals).toBe(1);
    server.fault({ on: 'POST /2/tweets', kind: '401', times: 2 });
    expect(await send('never')).toMatchObject({ kind: 'rejected', code: 'account_disconnected' });
    expect(await texts()).toEqual(['after all']);
  });

  test('X’s own words come back with what it refuses', async () => {
    expect(await send('x'.repeat(281))).toMatchObject({
      kind: 'rejected',
      code: 'platform_rejected',
      detail: expect.stringContaining('the text is not allowed'),
    });
    account.suspended = true;
    expect(await send('x')).toMatchObject({
      kind: 'rejected',
      detail: expect.stringContaining('suspended'),
    });
  });

  test('a stranger who did not mention the account gets no reply', async () => {
    const stranger = server.tweetAs(server.account(), 'hello world');
    expect(await send('hi', { kind: 'reply', inReplyTo: stranger })).toMatchObject({
      kind: 'rejected',
      code: 'not_summoned',
    });
    const mine = await sent('ask me');
    const asking = server.tweetAs(server.account(), 'how?', mine);
    await sent('so!', { kind: 'reply', inReplyTo: asking });
  });

  test('reposting twice leaves one repost; a post that was deleted does not stand', async () => {
    const id = await sent('worth repeating');
    const repost = { kind: 'repost' as const, inReplyTo: id };
    const first = await send('', repost);
    expect(first).toMatchObject({ kind: 'published' });
    expect(await send('', { ...repost, attempt: 2 })).toEqual({
      ...first,
      published_at_ms: expect.any(Number),
    });
    expect(server.world.tweets.filter((tweet) => tweet.retweetOf)).toHaveLength(1);
    expect(await x.lookUp(session, sought('', repost), since(now()))).toMatchObject({
      kind: 'found',
    });
    expect(await x.stands(session, id)).toBe(true);
    await x.delete(session, id);
    await x.delete(session, id);
    expect(await x.stands(session, id)).toBe(false);
  });
});

describe('reading back', () => {
  test.each([
    'plain words',
    'see https://perch.example.com/a?b=1&c=2 and example.com',
    'a < b & c > d “quoted” 日本 👩‍👩‍👧',
    'a line\n\nanother, cafe\u0301',
  ])('finds %j', async (text) => {
    const startedMs = now();
    const id = await sent(text);
    const found = await x.lookUp(session, sought(text), since(startedMs));
    expect(found).toMatchObject({ kind: 'found', platform_id: id });
    if (found.kind === 'found')
      expect(Math.abs(found.published_at_ms - startedMs)).toBeLessThan(5_000);
  });

  test('only what is surely ours: its parent, its media, its time, and no other send', async () => {
    const startedMs = now();
    const first = await sent('first');
    const id = await sent('again', { inReplyTo: first });
    const look = (more = {}, others: string[] = [], from = startedMs) =>
      x.lookUp(session, sought('again', { inReplyTo: first, ...more }), since(from, others));
    expect(await look()).toMatchObject({ kind: 'found', platform_id: id });
    expect(await look({ inReplyTo: null })).toEqual({ kind: 'absent' });
    expect(await look({ mediaCount: 1 })).toEqual({ kind: 'absent' });
    expect(await look({}, [id])).toEqual({ kind: 'absent' });
    expect(await look({}, [], now() + 60_000)).toEqual({ kind: 'absent' });
  });

  test('goes on to later pages', async () => {
    const startedMs = now();
    const author = server.world.accounts.get(account.id) ?? account;
    const id = await sent('the first of many');
    for (let index = 0; index < 120; index += 1) server.tweetAs(author, `noise ${index}`);
    expect(await x.lookUp(session, sought('the first of many'), since(startedMs))).toMatchObject({
      kind: 'found',
      platform_id: id,
    });
    expect(server.answered.filter((one) => one.includes('/tweets 200'))).toHaveLength(2);
  });

  test.each(['503-before', 'reset-before', 'garbled', '429'] as const)(
    'a read that fails (%s) decides nothing',
    async (kind) => {
      server.fault({ on: 'GET /2/users/:id/tweets', kind });
      expect(await x.lookUp(session, sought('anything'), since(now()))).toEqual({
        kind: 'undecided',
      });
    },
  );
});

describe('media', () => {
  const bring = (one: ReturnType<typeof upload>, to: Session = session) =>
    x.uploadMedia(to, one, within(15_000));

  test.each([
    ['image/png', 1_000],
    ['image/jpeg', 4_999_999],
    ['image/webp', 4_194_304],
    ['image/gif', 5_000],
    ['video/mp4', 9_000_001],
  ] as const)('%s of %i bytes is there to the byte, and can be attached', async (type, bytes) => {
    const file = fileOf(type, bytes);
    const result = await bring(upload(type, file));
    if (result.kind !== 'uploaded') throw new Error(JSON.stringify(result));
    expect(server.world.media.get(result.ref)?.sha256).toBe(sha256(file, 'hex'));
    expect(result.expiresAtMs - now()).toBeGreaterThan(80_000_000);
    const startedMs = now();
    const media = [{ ...upload(type, file).media, ref: result.ref }];
    const id = await sent('', { media });
    expect(await x.lookUp(session, sought('', { mediaCount: 1 }), since(startedMs))).toMatchObject({
      kind: 'found',
      platform_id: id,
    });
  });

  test('the alt text is there too', async () => {
    const result = await bring(upload('image/png', fileOf('image/png', 100), 'A red barn'));
    if (result.kind !== 'uploaded') throw new Error(JSON.stringify(result));
    expect(server.world.media.get(result.ref)?.altText).toBe('A red barn');
  });

  test.each(['reset-before', 'reset-during', 'reset-after', '503-after', 'garbled'] as const)(
    'goes on where it broke off (%s)',
    async (kind) => {
      const file = fileOf('video/mp4', 9_000_000);
      const first = upload('video/mp4', file);
      // The second piece breaks.
      const save = first.save;
      first.save = async (state, expiresAtMs) => {
        await save(state, expiresAtMs);
        if (first.saved.length === 2) server.fault({ on: 'POST /2/media/upload/:id/append', kind });
      };
      expect(await bring(first)).toMatchObject({ kind: 'retry' });
      const second = { ...upload('video/mp4', file), state: first.saved.at(-1) };
      const result = await bring(second);
      if (result.kind !== 'uploaded') throw new Error(JSON.stringify(result));
      expect(second.opened).toEqual([4_194_304]);
      expect(server.world.media.get(result.ref)?.sha256).toBe(sha256(file, 'hex'));
    },
  );

  test('an end that was lost, or an upload that X forgot, is begun again', async () => {
    const file = fileOf('image/png', 1_000);
    const first = upload('image/png', file);
    server.fault({ on: 'POST /2/media/upload/:id/finalize', kind: 'reset-after' });
    expect(await bring(first)).toMatchObject({ kind: 'retry' });
    const again = { ...upload('image/png', file), state: first.saved.at(-1) };
    expect(await bring(again)).toMatchObject({ kind: 'uploaded' });
    const forgotten = { ...upload('image/png', file), state: again.saved.at(-1) };
    server.world.media.clear();
    expect(await bring(forgotten)).toMatchObject({ kind: 'uploaded' });
  });

  test('a file that X can not use is refused with its words; one cut short is tried again', async () => {
    const wrong = fileOf('image/png', 1_000);
    expect(await bring(upload('image/jpeg', wrong))).toMatchObject({
      kind: 'rejected',
      code: 'media_rejected',
      detail: expect.stringContaining('no image of that type'),
    });
    expect(await bring(upload('video/mp4', wrong))).toMatchObject({
      kind: 'rejected',
      detail: expect.stringContaining('Unsupported media'),
    });
    const short = upload('image/png', wrong);
    short.media.bytes += 1;
    expect(await bring(short)).toMatchObject({ kind: 'retry' });
  });

  test('media that X no longer has are brought again, and a file that stays invalid is refused', async () => {
    const media = [{ ...upload('image/png', fileOf('image/png', 9)).media, ref: '123' }];
    expect(await send('x', { media })).toMatchObject({ kind: 'retry', mediaGone: true });
    expect(await send('x', { media, attempt: 3 })).toMatchObject({
      kind: 'rejected',
      code: 'media_rejected',
    });
  });
});

describe('replies', () => {
  test('are those to our posts, oldest first, each once', async () => {
    const root = await sent('what do you think?');
    const second = await sent('and of this?', { inReplyTo: root });
    const [ann, bob] = [server.account(), server.account()];
    const other = server.tweetAs(ann, `@${account.username} unrelated`);
    const fromAnn = server.tweetAs(ann, 'good', root);
    const fromBob = server.tweetAs(bob, 'better', second);
    server.tweetAs(bob, 'to ann', fromAnn);
    const to = { platformIds: [root, second], cursor: null };
    const first = await x.replies(session, to);
    expect(first.replies).toEqual([
      {
        platform_id: fromAnn,
        author_id: ann.id,
        author: ann.username,
        author_name: ann.name,
        own: false,
        bot: false,
      },
      expect.objectContaining({ platform_id: fromBob, author: bob.username }),
    ]);
    expect(BigInt(first.cursor ?? 0)).toBeGreaterThan(BigInt(other));
    const later = server.tweetAs(ann, 'one more', root);
    const next = await x.replies(session, { ...to, cursor: first.cursor });
    expect(next.replies.map((reply) => reply.platform_id)).toEqual([later]);
    expect(await x.replies(session, { ...to, cursor: next.cursor })).toEqual({
      replies: [],
      cursor: next.cursor,
    });
  });

  test('more than a page of them come whole', async () => {
    const root = await sent('ask me anything');
    const many = Array.from({ length: 150 }, (_, at) =>
      server.tweetAs(server.account(), `question ${at}`, root),
    );
    const { replies } = await x.replies(session, { platformIds: [root], cursor: null });
    expect(replies.map((reply) => reply.platform_id)).toEqual(many);
  });

  test('a list that can not be read leaves the cursor where it was', async () => {
    const root = await sent('anyone?');
    server.fault({ on: 'GET /2/users/:id/mentions', kind: '503-before' });
    const read = x.replies(session, { platformIds: [root], cursor: null });
    await expect(read).rejects.toThrow('X answered 503');
  });
});
