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

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

function upload(bytes: Buffer, over: Partial<Upload['media']> = {}): Upload {
  return {
    media: {
      id: newId('media', Date.now),
      type: 'image/png',
      bytes: bytes.length,
      alt_text: 'one grey dot',
      width: 1,
      height: 1,
      duration_ms: null,
      ...over,
    },
    state: null,
    save: async () => undefined,
    open: async () => new Blob([new Uint8Array(bytes)]).stream(),
  };
}

async function uploaded(
  platform: ReturnType<typeof connector>,
  session: Session,
  one: Upload,
): Promise<Outgoing['media'][number]> {
  const result = await platform.uploadMedia(session, one, signal());
  if (result.kind !== 'uploaded') throw new Error(JSON.stringify(result));
  return { ...one.media, ref: result.ref };
}

testReal('images stand with their alt texts and shapes, a video as a video', async () => {
  const platform = connector();
  const { session, person } = await signedIn(platform);
  const images = [
    await uploaded(platform, session, upload(png)),
    await uploaded(platform, session, upload(png, { alt_text: null, width: 300, height: 200 })),
  ];
  expect((await platform.send(session, post({ media: images }), signal())).kind).toBe('published');
  const movie = Buffer.concat([
    Buffer.from('\0\0\0\x18ftypmp42\0\0\0\0mp42isom', 'latin1'),
    Buffer.alloc(3_000_000),
  ]);
  const video = await uploaded(platform, session, upload(movie, { type: 'video/mp4' }));
  const sent = await platform.send(session, post({ text: '', media: [video] }), signal());
  expect(sent.kind).toBe('published');
  const [first, second] = await person.records('app.bsky.feed.post');
  expect(first?.value.embed).toMatchObject({
    $type: 'app.bsky.embed.images',
    images: [
      { alt: 'one grey dot', aspectRatio: { width: 1, height: 1 }, image: { size: png.length } },
      { alt: '', aspectRatio: { width: 300, height: 200 } },
    ],
  });
  expect(second?.value.embed).toMatchObject({
    $type: 'app.bsky.embed.video',
    alt: 'one grey dot',
    video: { mimeType: 'video/mp4', size: movie.length },
  });
});

testReal(
  'a file that the server has forgotten is uploaded again, and nothing is posted without it',
  async () => {
    const platform = connector();
    const { session, person } = await signedIn(platform);
    const other = await signedIn(platform);
    const foreign = await uploaded(
      platform,
      other.session,
      upload(Buffer.concat([png, Buffer.from('x')])),
    );
    const sent = await platform.send(session, post({ media: [foreign] }), signal());
    expect(sent).toMatchObject({ kind: 'retry', mediaGone: true });
    expect(await person.records('app.bsky.feed.post')).toEqual([]);
  },
);

testReal(
  'links, tags and mentions work, whatever stands before them; unknown handles stay text',
  async () => {
    const platform = connector();
    const { session, person } = await signedIn(platform);
    const friend = await bluesky.person();
    const text = `👨‍👩‍👧‍👦 ünïcode @${friend.handle} @nobody-here.test example.com/päth #täg`;
    const sent = await platform.send(session, post({ text }), signal());
    expect(sent.kind).toBe('published');
    const [record] = await person.records('app.bsky.feed.post');
    const facets = (record?.value.facets ?? []) as unknown as {
      index: { byteStart: number; byteEnd: number };
      features: Record<string, unknown>[];
    }[];
    const bytes = Buffer.from(text);
    expect(
      facets.map(({ index, features }) => [
        bytes.subarray(index.byteStart, index.byteEnd).toString(),
        features[0]?.['did'] ?? features[0]?.['uri'] ?? features[0]?.['tag'],
      ]),
    ).toEqual([
      [`@${friend.handle}`, friend.did],
      ['example.com/päth', 'https://example.com/päth'],
      ['#täg', 'täg'],
    ]);
  },
);

testReal('the server and our rules agree on what is too long', async () => {
  const platform = connector();
  const { session } = await signedIn(platform);
  const family = '👨‍👩‍👧‍👦';
  for (const text of [
    'é'.repeat(300),
    'é'.repeat(301),
    family.repeat(120),
    family.repeat(121),
    'e\u0301'.repeat(300),
  ]) {
    const allowed = platform.review([{ text, media: [] }], null).errors.length === 0;
    const sent = await platform.send(session, post({ text }), signal());
    expect([text.length, sent.kind]).toEqual([text.length, allowed ? 'published' : 'rejected']);
  }
});

testReal('what the server says of its limits is kept', async () => {
  const platform = connector();
  const { session, limits } = await signedIn(platform);
  await platform.send(session, post(), signal());
  expect(limits.at(-1)).toMatchObject({ of: 'account' });
  expect(limits.at(-1)?.remaining).toBeGreaterThan(1_000);
  expect(limits.at(-1)?.resetMs).toBeGreaterThan(Date.now());
});

testReal(
  'a post that was taken before the connection broke is unknown, one that never left is retried',
  async () => {
    const reach = publicFetch({ ...internet, loopback: true });
    const breaking: typeof fetch = async (input, init) => {
      const answer = await reach(input, init);
      if (String(input).includes('createRecord')) throw new TypeError('fetch failed');
      return answer;
    };
    const { session, person } = await signedIn(connector(breaking));
    const outgoing = post();
    expect(await connector(breaking).send(session, outgoing, signal())).toMatchObject({
      kind: 'unknown',
    });
    const sent = { startedMs: Date.now(), others: new Set<string>() };
    const lookup = await connector().lookUp(session, { ...outgoing, mediaCount: 0 }, sent);
    expect(lookup).toMatchObject({ kind: 'found' });
    expect(await person.records('app.bsky.feed.post')).toHaveLength(1);
    const gone: typeof fetch = async () => {
      throw new TypeError('fetch failed', {
        cause: Object.assign(new Error(), { code: 'ECONNREFUSED', syscall: 'connect' }),
      });
    };
    expect(await connector(gone).send(session, post(), signal())).toMatchObject({ kind: 'retry' });
  },
);

testReal(
  'a repost is made once, and a post that is taken down or deleted no longer stands',
  async () => {
    const platform = connector();
    const { session, person } = await signedIn(platform);
    const sent = await platform.send(session, post(), signal());
    if (sent.kind !== 'published') throw new Error(JSON.stringify(sent));
    const { platform_id: original } = sent;
    const key = `${newId('post', Date.now)}/repost`;
    const repost = post({ kind: 'repost', text: '', inReplyTo: original, key });
    expect(await platform.send(session, repost, signal())).toMatchObject({ kind: 'published' });
    // The server makes a second repost of one post take the place of the first.
    expect(await platform.send(session, repost, signal())).toMatchObject({ kind: 'published' });
    const sentAt = { startedMs: Date.now(), others: new Set<string>() };
    expect(await platform.lookUp(session, { ...repost, mediaCount: 0 }, sentAt)).toMatchObject({
      kind: 'found',
    });
    const reposts = await person.records('app.bsky.feed.repost');
    expect(reposts.map(({ value }) => value.subject?.uri)).toEqual([original]);
    expect(await platform.stands(session, original)).toBe(true);
    await platform.delete(session, original);
    await platform.delete(session, original);
    expect(await platform.stands(session, original)).toBe(false);
  },
);

testReal(
  'whoever answers is found, once, oldest first; automated accounts are told apart',
  async () => {
    const platform = connector();
    const { session, person } = await signedIn(platform);
    const sent = await platform.send(session, post(), signal());
    if (sent.kind !== 'published') throw new Error(JSON.stringify(sent));
    const ours = { uri: sent.platform_id, root: sent.platform_id };
    const [fan, bot] = [await bluesky.person(), await bluesky.person()];
    await bot.callItselfBot();
    const first = await fan.reply(ours, 'Nice!');
    const second = await bot.reply(ours, 'beep');
    const to = { platformIds: [sent.platform_id], cursor: null as string | null };
    await expect
      .poll(async () => (await platform.replies(session, to)).replies.map((one) => one.platform_id))
      .toEqual([first, second]);
    const found = await platform.replies(session, to);
    expect(found.replies).toMatchObject([
      { author_id: fan.did, author: fan.handle, own: false, bot: false },
      { author_id: bot.did, own: false, bot: true },
    ]);
    const third = await fan.reply(ours, 'Again');
    await fan.reply({ uri: first, root: sent.platform_id }, 'to myself');
    to.cursor = found.cursor;
    await expect
      .poll(async () => (await platform.replies(session, to)).replies.map((one) => one.platform_id))
      .toEqual([third]);
    expect(person.did).toBe(session.remoteId);
  },
);

testReal(
  'tokens are renewed when the server no longer takes them; a grant that is gone is told apart',
  async () => {
    const platform = connector();
    const { session, person } = await signedIn(platform);
    const fresh = await session.renew();
    expect(fresh).not.toBe(session.credentials);
    expect((await platform.send({ ...session, credentials: fresh }, post(), signal())).kind).toBe(
      'published',
    );
    const stale = {
      ...session,
      credentials: JSON.stringify({ ...JSON.parse(fresh), accessJwt: 'a.b.c' }),
    };
    expect(
      (await platform.send({ ...stale, renew: async () => fresh }, post(), signal())).kind,
    ).toBe('published');
    await platform.connection?.revoke(fresh);
    expect(await platform.connection?.refresh(fresh)).toMatchObject({ kind: 'revoked' });
    const away = connector(async () => new Response('busy', { status: 503 }));
    expect(await away.connection?.refresh(fresh)).toMatchObject({ kind: 'later' });
    expect(await person.records('app.bsky.feed.post')).toHaveLength(2);
  },
);

testReal("a wrong password and an account's main password are refused in words", async () => {
  const { connection } = connector();
  const { handle, password } = await bluesky.person();
  const attempt = (over: object) =>
    connection?.signIn?.({ server: null, handle, password, ...over });
  await expect(attempt({})).rejects.toThrow('main password');
  await expect(attempt({ password: 'aaaa-bbbb-cccc-dddd' })).rejects.toThrow(
    'Invalid identifier or password',
  );
  await expect(attempt({ handle: 'nobody-here.test' })).rejects.toThrow('no server is known');
});
