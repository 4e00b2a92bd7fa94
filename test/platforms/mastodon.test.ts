import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { readConfig } from '@perch/local/config';
import type { MediaType } from '@perch/proto/media';
import { createLogger } from '@perch/proto/process';
import { internet, publicFetch } from '@perch/proto/public-network';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createMastodon } from '../../services/accounts/src/platforms/mastodon/mastodon.ts';
import type {
  Outgoing,
  Platform,
  Sent,
  Session,
  Upload,
} from '../../services/accounts/src/platforms/platform.ts';
import { Later, Revoked } from '../../services/accounts/src/platforms/platform.ts';
import { pythonWith } from '../python.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { addPerson, answerPost } from './mastodon/instance.ts';
import { allow } from './mastodon/person.ts';
import { type StandIn, startMastodon } from './mastodon/start.ts';
import { type MastodonMock, mastodonMock, startMock } from './mastodon/start-mock.ts';

// Two mocks, ours and one by others: no Mastodon can be had here.
const ci = Boolean(process.env['CI']);
const python = await pythonWith(mastodonMock, readConfig(process.env).cacheDir, console.log).catch(
  (error: Error) => {
    if (ci) throw error;
    console.warn(`${error.message}\nThe tests against mastodon-mock are skipped.`);
    return null;
  },
);
const redirectUri = 'http://127.0.0.1:3000/connect/mastodon/callback';
const fixtures = join(import.meta.dirname, '../../services/media/src/fixtures');
const signal = () => AbortSignal.timeout(10_000);

let standIn: StandIn;
let mock: MastodonMock;

beforeAll(async () => {
  standIn = await startMastodon();
  if (python) mock = await startMock(python);
}, 120_000);
afterAll(async () => {
  await standIn?.stop();
  await mock?.stop();
});

/** The connector as the accounts service makes it. */
function connector(): Platform {
  const kept = new Map<string, string>();
  return createMastodon(
    { publicUrl: 'http://127.0.0.1:3000', sendTimeoutMs: 3_000, loopback: true },
    {
      fetch: publicFetch({ ...internet, loopback: true }),
      clock: Date.now,
      log: createLogger('test', 'silent'),
      vault: {
        get: async (name) => kept.get(name) ?? null,
        set: async (name, value) => void kept.set(name, value),
      },
    },
  );
}

function consentOf({ connection }: Platform) {
  if (!connection?.consent) throw new Error('no consent page');
  return connection.consent;
}

/** Connects someone's account through the server's page. */
async function connect(platform: Platform, url: string, username: string): Promise<Session> {
  const consent = consentOf(platform);
  const begun = await consent.begin({ server: new URL(url).host, redirectUri });
  const params = await allow(begun.authorizeUrl, username);
  expect(params['state']).toBe(begun.state);
  const identity = await consent.finish({ secret: begun.secret, redirectUri, params });
  const limits = new Map<string, { remaining: number; resetMs: number }>();
  const { remoteId, handle, credentials, facts } = identity;
  return {
    accountId: 'acc_test',
    ...{ remoteId, handle, credentials, facts },
    renew: async () => {
      const refreshed = await platform.connection?.refresh(credentials);
      if (refreshed?.kind === 'fresh') return refreshed.credentials;
      throw refreshed?.kind === 'revoked' ? new Revoked(refreshed.detail) : new Later('later');
    },
    rateLimits: {
      blockedUntilMs: async (bucket) => {
        const limit = limits.get(bucket);
        return limit && limit.remaining <= 0 && limit.resetMs > Date.now() ? limit.resetMs : null;
      },
      // As the accounts service keeps them: of one window the lowest number, until its end.
      note: async (bucket, { remaining, resetMs }) => {
        const known = limits.get(bucket) ?? { remaining, resetMs: 0 };
        limits.set(bucket, {
          remaining: resetMs > known.resetMs ? remaining : Math.min(remaining, known.remaining),
          resetMs: Math.max(resetMs, known.resetMs),
        });
      },
    },
  };
}

let sends = 0;
function aPost(change: Partial<Outgoing> = {}): Outgoing {
  sends += 1;
  const text = `Post ${sends} <b>&amp; "so"</b> https://example.com/${sends} 🦣`;
  const key = `post_${sends}/tweet:0`;
  return { kind: 'post', text, media: [], inReplyTo: null, root: null, key, attempt: 1, ...change };
}

const soughtOf = ({ media, ...outgoing }: Outgoing) => ({ ...outgoing, mediaCount: media.length });
const sentNow = (change: Partial<Sent> = {}): Sent => ({
  startedMs: Date.now() - 1_000,
  others: new Set<string>(),
  ...change,
});

async function uploadOf(name: string, type: MediaType, alt_text: string | null = null) {
  const bytes = await readFile(join(fixtures, name));
  const kept: unknown[] = [];
  const upload: Upload = {
    media: {
      id: `med_${name}`,
      ...{ type, alt_text, bytes: bytes.length, width: 40, height: 24, duration_ms: null },
    },
    state: null,
    save: async (state) => void kept.push(state),
    open: async (from) =>
      Readable.toWeb(Readable.from([bytes.subarray(from)])) as ReadableStream<Uint8Array>,
  };
  return { upload, kept, bytes };
}

async function broughtOf(platform: Platform, session: Session, upload: Upload) {
  const result = await platform.uploadMedia(session, upload, signal());
  if (result.kind !== 'uploaded') throw new Error(JSON.stringify(result));
  return [{ ...upload.media, ref: result.ref }];
}

async function published(platform: Platform, session: Session, outgoing: Outgoing) {
  const result = await platform.send(session, outgoing, signal());
  if (result.kind !== 'published') throw new Error(JSON.stringify(result));
  return result;
}

const servers = ['our stand-in', 'mastodon-mock'] as const;
describe.each(servers)('against %s', (which) => {
  const server = () => (which === 'our stand-in' ? standIn : mock);
  const testHere = test.skipIf(which === 'mastodon-mock' && !python);

  testHere('a thread with media stands once, as it was written, and is read back', async () => {
    const platform = connector();
    const session = await connect(platform, server().url, await server().person());
    const { upload } = await uploadOf('picture.png', 'image/png', 'A red wall.\nNothing else.');
    const first = aPost({ media: await broughtOf(platform, session, upload) });
    const one = await published(platform, session, first);
    const second = aPost({ inReplyTo: one.platform_id, root: one.platform_id });
    const two = await published(platform, session, second);
    expect(await server().posts(session.remoteId)).toEqual([
      { id: one.platform_id, text: first.text, inReplyTo: null, media: 1 },
      { id: two.platform_id, text: second.text, inReplyTo: one.platform_id, media: 0 },
    ]);
    for (const [outgoing, { platform_id }] of [
      [first, one],
      [second, two],
    ] as const) {
      const found = await platform.lookUp(session, soughtOf(outgoing), sentNow());
      expect(found).toMatchObject({ kind: 'found', platform_id });
    }
    expect(await platform.stands(session, one.platform_id)).toBe(true);
  });

  testHere('an attempt that is made again is answered with the post that stands', async () => {
    const platform = connector();
    const session = await connect(platform, server().url, await server().person());
    const outgoing = aPost();
    const first = await published(platform, session, outgoing);
    const again = await published(platform, session, { ...outgoing, attempt: 2 });
    expect(again).toEqual(first);
    expect(await server().posts(session.remoteId)).toHaveLength(1);
  });

  testHere('reading back finds only what is surely ours', async () => {
    const platform = connector();
    const session = await connect(platform, server().url, await server().person());
    const outgoing = aPost();
    const { platform_id } = await published(platform, session, outgoing);
    const sought = soughtOf(outgoing);
    const absent = { kind: 'absent' };
    const others = new Set([platform_id]);
    expect(await platform.lookUp(session, sought, sentNow({ others }))).toEqual(absent);
    const later = sentNow({ startedMs: Date.now() + 60_000 });
    expect(await platform.lookUp(session, sought, later)).toEqual(absent);
    for (const change of [{ text: 'other' }, { mediaCount: 1 }, { inReplyTo: platform_id }]) {
      expect(await platform.lookUp(session, { ...sought, ...change }, sentNow())).toEqual(absent);
    }
  });

  testHere('a post is boosted once, and what was taken down is gone', async () => {
    const platform = connector();
    const session = await connect(platform, server().url, await server().person());
    const { platform_id } = await published(platform, session, aPost());
    const repost = aPost({ kind: 'repost', text: '', inReplyTo: platform_id });
    expect(await platform.lookUp(session, soughtOf(repost), sentNow())).toEqual({ kind: 'absent' });
    await published(platform, session, repost);
    const found = await platform.lookUp(session, soughtOf(repost), sentNow());
    expect(found.kind).toBe('found');
    await platform.delete(session, platform_id);
    await platform.delete(session, platform_id);
    expect(await platform.stands(session, platform_id)).toBe(false);
  });

  testHere('a token that the person took back is told from a passing trouble', async () => {
    const platform = connector();
    const session = await connect(platform, server().url, await server().person());
    await platform.connection?.revoke(session.credentials);
    expect(await platform.connection?.refresh(session.credentials)).toMatchObject({
      kind: 'revoked',
    });
    expect(await platform.send(session, aPost(), signal())).toMatchObject({
      kind: 'rejected',
      code: 'account_disconnected',
    });
    const asked = platform.replies(session, { platformIds: ['1'], cursor: '1' });
    await expect(asked).rejects.toBeInstanceOf(Revoked);
  });
});

describe('connecting', () => {
  test('asks for no more than it needs, by a proof key where the server knows that', async () => {
    for (const modern of [true, false]) {
      Object.assign(standIn.instance, { modern });
      const { host } = new URL(standIn.url);
      const begun = await consentOf(connector()).begin({ server: host, redirectUri });
      const { searchParams } = new URL(begun.authorizeUrl);
      expect(searchParams.get('scope')).toBe(
        `${modern ? 'profile' : 'read:accounts'} write:statuses write:media read:statuses read:notifications`,
      );
      expect(searchParams.get('code_challenge_method')).toBe(modern ? 'S256' : null);
      const session = await connect(connector(), standIn.url, await standIn.person());
      expect(session.remoteId).toMatch(new RegExp(`^\\d+@${host}$`));
      expect(session.handle).toMatch(new RegExp(`^user\\d+@${host}$`));
    }
    Object.assign(standIn.instance, { modern: true });
  });

  test('a registration that the instance forgot is made again', async () => {
    const platform = connector();
    await connect(platform, standIn.url, await standIn.person());
    const known = standIn.instance.apps.size;
    await connect(platform, standIn.url, await standIn.person());
    expect(standIn.instance.apps.size).toBe(known);
    standIn.instance.apps.clear();
    await connect(platform, standIn.url, await standIn.person());
    expect(standIn.instance.apps.size).toBe(1);
  });

  test('a permission that was not given is named, and the token given back', async () => {
    standIn.instance.refusedScopes = ['write:media'];
    standIn.instance.tokens.clear();
    const failed = connect(connector(), standIn.url, await standIn.person());
    await expect(failed).rejects.toMatchObject({
      code: 'connection_failed',
      message: expect.stringContaining('write:media'),
    });
    standIn.instance.refusedScopes = [];
    expect([...standIn.instance.tokens.values()].filter((one) => one.person)).toEqual([]);
  });

  test('what is no instance is told before anybody is sent there', async () => {
    const consent = consentOf(connector());
    for (const server of [null, 'mastodon', 'a/b.example', '10.0.0.1', 'me@localhost:1']) {
      const begun = consent.begin({ server, redirectUri });
      await expect(begun, String(server)).rejects.toMatchObject({ code: 'connection_failed' });
    }
  });

  test('another person’s answer, or another code, connects nothing', async () => {
    const consent = consentOf(connector());
    const { host } = new URL(standIn.url);
    const begun = await consent.begin({ server: host, redirectUri });
    const params = await allow(begun.authorizeUrl, await standIn.person());
    for (const changed of [{ state: 'other' }, { code: 'other' }]) {
      const finished = { secret: begun.secret, redirectUri, params: { ...params, ...changed } };
      await expect(consent.finish(finished)).rejects.toMatchObject({ code: 'connection_failed' });
    }
  });
});

describe('sending', () => {
  let proxy: FaultProxy;
  beforeAll(async () => {
    proxy = await startFaultProxy(standIn.url);
  });
  afterAll(() => proxy?.stop());

  const isPost = ({ method, path }: { method: string; path: string }) =>
    method === 'POST' && path === '/api/v1/statuses';

  test.each([
    ['reset before the platform took it', 'unknown', 'absent'],
    ['cut off while the platform reads it', 'unknown', 'absent'],
    ['reset after the platform took it', 'unknown', 'found'],
    ['no answer after the platform took it', 'unknown', 'found'],
    ['500 instead of the request', 'unknown', 'absent'],
    ['500 after the platform took it', 'unknown', 'found'],
    ['503 instead of the request', 'unknown', 'absent'],
    ['429 instead of the request', 'retry', 'absent'],
    ['slow', 'published', 'found'],
  ] as const)('%s: %s, then read back as %s, and never twice', async (kind, outcome, readBack) => {
    const platform = connector();
    const session = await connect(platform, proxy.url, await standIn.person());
    const outgoing = aPost();
    const planned = proxy.plan({ kind, matches: isPost, times: 1 });
    const result = await platform.send(session, outgoing, AbortSignal.timeout(2_000));
    expect([result.kind, planned.met()]).toEqual([outcome, 1]);
    const found = await platform.lookUp(session, soughtOf(outgoing), sentNow());
    expect(found.kind).toBe(readBack);
    const again = await platform.send(
      { ...session, rateLimits: { ...session.rateLimits, blockedUntilMs: async () => null } },
      { ...outgoing, attempt: 2 },
      signal(),
    );
    expect(again.kind).toBe('published');
    expect(await standIn.posts(session.remoteId)).toHaveLength(1);
  });

  test('a reading that breaks off, or does not reach back far enough, decides nothing', async () => {
    const platform = connector();
    const session = await connect(platform, proxy.url, await standIn.person());
    const undecided = { kind: 'undecided' };
    const outgoing = aPost();
    const sought = soughtOf(outgoing);
    const isRead = ({ path }: { path: string }) => /statuses\?|source/.test(path);
    for (const kind of [
      '500 instead of the request',
      'reset after the platform took it',
    ] as const) {
      proxy.plan({ kind, matches: isRead, times: 1 });
      expect(await platform.lookUp(session, sought, sentNow())).toEqual(undecided);
    }
    const { platform_id } = await published(platform, session, outgoing);
    proxy.plan({
      kind: '503 instead of the request',
      matches: ({ path }) => path.includes('source'),
      times: 1,
    });
    expect(await platform.lookUp(session, sought, sentNow())).toEqual(undecided);
    const post = standIn.instance.posts.find((one) => one.id === platform_id);
    if (!post) throw new Error('no post');
    Object.assign(post, { text: 'changed at once', editedMs: Date.now() });
    expect(await platform.lookUp(session, sought, sentNow())).toEqual(undecided);
    for (let more = 0; more < 400; more += 1)
      standIn.instance.posts.push({ ...post, id: `${BigInt(post.id) + BigInt(more + 1)}` });
    expect(await platform.lookUp(session, { ...sought, mediaCount: 1 }, sentNow())).toEqual(
      undecided,
    );
  });

  test('nothing is sent where nobody listens, so it may be tried again', async () => {
    const platform = connector();
    const session = await connect(platform, standIn.url, await standIn.person());
    const gone = await startMastodon();
    await gone.stop();
    const credentials = session.credentials.replace(standIn.url, gone.url);
    const away = { ...session, credentials };
    expect(await platform.send(away, aPost(), signal())).toMatchObject({ kind: 'retry' });
    const lookup = await platform.lookUp(away, soughtOf(aPost()), sentNow());
    expect(lookup).toEqual({ kind: 'undecided' });
  });

  test('a limit that is used up is not asked again before it ends', async () => {
    const platform = connector();
    const session = await connect(platform, standIn.url, await standIn.person());
    const resetMs = Math.ceil(Date.now() / 1_000) * 1_000 + 60_000;
    const before = standIn.instance.limit;
    standIn.instance.limit = { remaining: 1, resetMs };
    await published(platform, session, aPost());
    standIn.instance.limit = before;
    expect(await platform.send(session, aPost(), signal())).toMatchObject({
      kind: 'retry',
      at_ms: resetMs,
    });
  });

  test('a short limit is not taken for the long one of the same calls', async () => {
    const platform = connector();
    const session = await connect(platform, proxy.url, await standIn.person());
    await published(platform, session, aPost());
    proxy.plan({ kind: '429 instead of the request', matches: isPost, times: 1 });
    const result = await platform.send(session, aPost(), signal());
    const soonMs = Date.now() + 5_000;
    expect(result.kind === 'retry' && result.at_ms).toBeLessThan(soonMs);
    const blockedMs = await session.rateLimits.blockedUntilMs('statuses');
    expect(blockedMs ?? 0).toBeLessThan(soonMs);
  });

  test('an instance’s refusal is told in its own words', async () => {
    const platform = connector();
    const session = await connect(platform, standIn.url, await standIn.person());
    expect(await platform.send(session, aPost({ text: 'x'.repeat(501) }), signal())).toEqual({
      kind: 'rejected',
      code: 'platform_rejected',
      detail: 'Validation failed: Text character limit of 500 exceeded',
    });
    expect(await platform.send(session, aPost({ inReplyTo: '1' }), signal())).toMatchObject({
      kind: 'rejected',
      detail: 'The post you are trying to reply to does not appear to exist.',
    });
  });

  test('after an hour the instance forgets the key, and reading back still finds the post', async () => {
    const platform = connector();
    const session = await connect(platform, standIn.url, await standIn.person());
    const outgoing = aPost();
    const { platform_id } = await published(platform, session, outgoing);
    standIn.instance.keys.clear();
    const lookup = await platform.lookUp(session, soughtOf(outgoing), sentNow());
    expect(lookup).toMatchObject({ kind: 'found', platform_id });
  });
});

describe('media', () => {
  test('arrive byte for byte with their alt text, and are waited for', async () => {
    const platform = connector();
    const session = await connect(platform, standIn.url, await standIn.person());
    standIn.instance.asks = 2;
    const { upload, kept, bytes } = await uploadOf('moov-last.mp4', 'video/mp4', 'Colours “move”.');
    const [brought] = await broughtOf(platform, session, upload);
    standIn.instance.asks = 0;
    expect(standIn.instance.media.get(brought?.ref ?? '')).toMatchObject({
      type: 'video/mp4',
      bytes: bytes.length,
      description: 'Colours “move”.',
    });
    expect(kept).toEqual([{ mediaId: brought?.ref }]);
  });

  test('an upload that is still processed is not brought again by the next attempt', async () => {
    const platform = connector();
    const session = await connect(platform, standIn.url, await standIn.person());
    standIn.instance.asks = 3;
    const { upload, kept } = await uploadOf('moov-last.mp4', 'video/mp4');
    const hurried = await platform.uploadMedia(session, upload, AbortSignal.timeout(300));
    expect(hurried.kind).toBe('retry');
    const uploads = standIn.instance.media.size;
    const again = { ...upload, state: kept.at(-1) };
    expect(await platform.uploadMedia(session, again, signal())).toMatchObject({
      kind: 'uploaded',
    });
    standIn.instance.asks = 0;
    expect(standIn.instance.media.size).toBe(uploads);
  });

  test('media that the instance lost are brought again, unless a post of ours may have them', async () => {
    const platform = connector();
    const session = await connect(platform, standIn.url, await standIn.person());
    const { upload } = await uploadOf('picture.png', 'image/png');
    const media = await broughtOf(platform, session, upload);
    standIn.instance.media.clear();
    expect(await platform.send(session, aPost({ media }), signal())).toMatchObject({
      kind: 'retry',
      mediaGone: true,
    });
    const second = await platform.send(session, aPost({ media, attempt: 2 }), signal());
    expect(second).toMatchObject({ kind: 'unknown', stands: true });
  });

  test('what is still processed when it is to be posted only makes the post wait', async () => {
    const platform = connector();
    const session = await connect(platform, standIn.url, await standIn.person());
    const { upload } = await uploadOf('picture.png', 'image/png');
    const media = await broughtOf(platform, session, upload);
    for (const one of standIn.instance.media.values()) one.asksLeft = 5;
    const result = await platform.send(session, aPost({ media }), signal());
    expect(result).toMatchObject({ kind: 'retry' });
    expect(result).not.toHaveProperty('mediaGone');
  });
});

describe('replies', () => {
  test('are those in our conversation, each once, oldest first, from the cursor on', async () => {
    const platform = connector();
    const username = await standIn.person();
    const session = await connect(platform, standIn.url, username);
    const { platform_id } = await published(platform, session, aPost());
    const other = await published(platform, session, aPost());
    const { instance } = standIn;
    const ours = instance.posts.find((post) => post.id === platform_id);
    const elsewhere = instance.posts.find((post) => post.id === other.platform_id);
    if (!ours || !elsewhere) throw new Error('no post');
    const [fan, bot] = [addPerson(instance), addPerson(instance, true)];
    const first = answerPost(instance, fan, ours, 'Nice');
    answerPost(instance, fan, elsewhere, 'Not here');
    answerPost(instance, fan, ours, 'Between us', 'direct');
    const second = answerPost(instance, bot, ours, 'Beep');
    const to = { platformIds: [platform_id], cursor: null };
    const round = await platform.replies(session, to);
    expect(round.replies).toEqual([
      {
        platform_id: first.id,
        author_id: fan.id,
        author: fan.username,
        author_name: fan.display_name,
        own: false,
        bot: false,
      },
      expect.objectContaining({ platform_id: second.id, bot: true }),
    ]);
    const many = Array.from({ length: 90 }, () => answerPost(instance, fan, ours, 'More'));
    const next = await platform.replies(session, { ...to, cursor: round.cursor });
    expect(next.replies.map((one) => one.platform_id)).toEqual(many.map((post) => post.id));
    const whole = await platform.replies(session, to);
    expect(whole.replies).toHaveLength(92);
    expect(whole.cursor).toBe(next.cursor);
    const none = await platform.replies(session, { ...to, cursor: next.cursor });
    expect(none).toEqual({ replies: [], cursor: next.cursor });
  });
});

test.skipIf(!python)('what mastodon-mock breaks is never taken for a success', async () => {
  const platform = connector();
  const session = await connect(platform, mock.url, await mock.person());
  const match = { methods: ['POST'], path: '/api/v1/statuses' };
  for (const [effect, kind] of [
    [{ type: 'status', status: 503 }, 'unknown'],
    [{ type: 'malformed' }, 'unknown'],
    [{ type: 'ratelimit' }, 'retry'],
  ] as const) {
    await mock.fault({ match, effect, count: 1 });
    expect(await platform.send(session, aPost(), signal())).toMatchObject({ kind });
  }
  expect(await mock.posts(session.remoteId)).toEqual([]);
});
