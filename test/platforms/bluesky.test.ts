import { readConfig } from '@perch/local/config';
import { newId } from '@perch/proto/ids';
import { createLogger } from '@perch/proto/process';
import { internet, publicFetch } from '@perch/proto/public-network';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createBluesky } from '../../services/accounts/src/platforms/bluesky/bluesky.ts';
import type { Outgoing, Session, Upload } from '../../services/accounts/src/platforms/platform.ts';
import { blueskyEngine } from './bluesky/engine.ts';
import type { BlueskyPerson } from './bluesky/person.ts';
import { type Bluesky, startBluesky } from './bluesky/start-bluesky.ts';

const ci = Boolean(process.env['CI']);
const engine = await blueskyEngine(readConfig(process.env).cacheDir, console.log).catch(
  (error: Error) => {
    if (ci) throw error;
    console.warn(`${error.message}\nThe tests against Bluesky's servers are skipped.`);
    return null;
  },
);
const signal = () => AbortSignal.timeout(20_000);

let bluesky: Bluesky;

beforeAll(async () => {
  if (engine) bluesky = await startBluesky(engine, inject('postgresUrl'));
}, 120_000);
afterAll(() => bluesky?.stop());

const testReal = test.skipIf(!engine);

/** The connector as the accounts service makes it, with whatever stands between it and the server. */
function connector(fetch: typeof globalThis.fetch = publicFetch({ ...internet, loopback: true })) {
  const settings = {
    service: bluesky.url,
    plcUrl: bluesky.plcUrl,
    privateKey: null,
    publicUrl: 'http://127.0.0.1:3000',
    callbackUrl: 'http://127.0.0.1:3000/connect/bluesky/callback',
    sendTimeoutMs: 5_000,
    loopback: true,
  };
  const vault = { get: async () => null, set: async () => undefined };
  return createBluesky(settings, {
    fetch,
    clock: Date.now,
    log: createLogger('test', 'silent'),
    vault,
  });
}

type Limit = Parameters<Session['rateLimits']['note']>[1];

async function signedIn(
  platform: ReturnType<typeof connector>,
  person?: BlueskyPerson,
): Promise<{ session: Session; person: BlueskyPerson; limits: Limit[] }> {
  const someone = person ?? (await bluesky.person());
  const identity = await platform.connection?.signIn?.({
    server: null,
    handle: someone.handle,
    password: await someone.appPassword(),
  });
  if (!identity) throw new Error('no identity');
  const limits: Limit[] = [];
  const session: Session = {
    ...identity,
    accountId: newId('account', Date.now),
    renew: async () => {
      const fresh = await platform.connection?.refresh(identity.credentials);
      if (fresh?.kind !== 'fresh') throw new Error(fresh?.detail);
      return fresh.credentials;
    },
    rateLimits: {
      blockedUntilMs: async () => null,
      note: async (_, limit) => void limits.push(limit),
    },
  };
  return { session, person: someone, limits };
}

const post = (over: Partial<Outgoing> = {}): Outgoing => ({
  kind: 'post',
  text: 'hello',
  media: [],
  inReplyTo: null,
  root: null,
  key: `${newId('post', Date.now)}/tweet:0`,
  attempt: 1,
  ...over,
});

testReal('a thread stands in order, each tweet answering the one before', async () => {
  const platform = connector();
  const { session, person } = await signedIn(platform);
  const id = newId('post', Date.now);
  const ids: string[] = [];
  for (const index of [0, 1, 2]) {
    const sent = await platform.send(
      session,
      post({
        text: `tweet ${index}`,
        key: `${id}/tweet:${index}`,
        inReplyTo: ids.at(-1) ?? null,
        root: ids[0] ?? null,
      }),
      signal(),
    );
    if (sent.kind !== 'published') throw new Error(JSON.stringify(sent));
    expect(sent.url).toBe(
      `https://bsky.app/profile/${person.did}/post/${sent.platform_id.split('/').at(-1)}`,
    );
    ids.push(sent.platform_id);
  }
  const records = await person.records('app.bsky.feed.post');
  expect(records.map(({ uri, value }) => [uri, value.text])).toEqual(
    ids.map((uri, index) => [uri, `tweet ${index}`]),
  );
  expect(records.map(({ value }) => value.reply?.parent.uri ?? null)).toEqual([
    null,
    ids[0],
    ids[1],
  ]);
  expect(records[2]?.value.reply?.root.uri).toBe(ids[0]);
});

testReal('a send that is repeated stands once, and reading back finds it', async () => {
  const platform = connector();
  const { session, person } = await signedIn(platform);
  const outgoing = post();
  const sought = { ...outgoing, mediaCount: 0 };
  const sent = { startedMs: Date.now(), others: new Set<string>() };
  expect(await platform.lookUp(session, sought, sent)).toEqual({ kind: 'absent' });
  const first = await platform.send(session, outgoing, signal());
  const second = await platform.send(session, { ...outgoing, attempt: 2 }, signal());
  expect(second).toMatchObject({ kind: 'unknown' });
  expect(await platform.lookUp(session, sought, sent)).toEqual({ ...first, kind: 'found' });
  expect(await person.records('app.bsky.feed.post')).toHaveLength(1);
});

testReal('two workers that send the same tweet at once leave one', async () => {
  const platform = connector();
  const { session, person } = await signedIn(platform);
  const outgoing = post();
  const results = await Promise.all(
    Array.from({ length: 5 }, () => platform.send(session, outgoing, signal())),
  );
  expect(results.filter(({ kind }) => kind === 'published')).toHaveLength(1);
  expect(results.filter(({ kind }) => kind === 'unknown')).toHaveLength(4);
  expect(await person.records('app.bsky.feed.post')).toHaveLength(1);
});
