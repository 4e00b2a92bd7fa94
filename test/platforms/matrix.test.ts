import { crc32 } from 'node:zlib';
import { readConfig } from '@perch/local/config';
import type { PlatformName } from '@perch/proto/accounts';
import type { LedgerEntry } from '@perch/proto/credits';
import { afterAll, beforeAll, describe, expect, inject, test, vi } from 'vitest';
import { type Perch, startPerch, type TestUser } from '../perch.ts';
import { blueskyEngine } from './bluesky/engine.ts';
import { startBluesky } from './bluesky/start-bluesky.ts';
import { type FaultKind, type FaultProxy, faultKinds, startFaultProxy } from './fault-proxy.ts';
import { startMastodon } from './mastodon/start.ts';
import type { PlatformServer } from './platform-server.ts';
import { startX } from './x/start.ts';

// A thread of three tweets with an image, on every platform, under every fault at every step: each tweet stands
// once, and the post is charged once. Bluesky's server is the real one; X's is a stand-in, Mastodon's a mock.

type Name = Exclude<PlatformName, 'sandbox'>;
const starters: Record<Name, () => Promise<PlatformServer>> = {
  x: () => startX(),
  bluesky: async () => {
    const { cacheDir } = readConfig(process.env);
    return startBluesky(await blueskyEngine(cacheDir, console.log), inject('postgresUrl'));
  },
  mastodon: () => startMastodon(),
};
const names: Name[] = ['x', 'bluesky', 'mastodon'];

/** The requests that bring media, publish, and read back, as each platform has them. */
const requests: Record<Name, { upload: RegExp; send: RegExp; readBack(id: string): RegExp }> = {
  x: {
    upload: /^POST \/2\/media\/upload/,
    send: /^POST \/2\/tweets/,
    readBack: (id) => new RegExp(`^GET /2/users/${id}/tweets`),
  },
  bluesky: {
    upload: /^POST .*uploadBlob/,
    send: /^POST .*createRecord/,
    readBack: (id) => new RegExp(`^GET .*getRecord.*${encodeURIComponent(id)}`),
  },
  mastodon: {
    upload: /^POST \/api\/v2\/media/,
    send: /^POST \/api\/v1\/statuses/,
    readBack: (id) => new RegExp(`^GET /api/v1/accounts/${id.split('@')[0]}/statuses`),
  },
};
const steps = ['the upload', 'tweet 1', 'tweet 2', 'tweet 3', 'reading back'] as const;
const cases = steps
  .flatMap((step) => faultKinds.map((kind) => ({ step, kind })))
  .map((each, index) => ({ ...each, index }));
/** A day of an account has seven tweets. */
const postsPerAccount = 2;

/** Someone with an account on the platform. */
interface Place {
  user: TestUser;
  accountId: string;
  remoteId: string;
}

let perch: Perch;
const servers = new Map<Name, { server: PlatformServer; proxy: FaultProxy; places: Place[] }>();

beforeAll(async () => {
  const env: Record<string, string> = {
    PERCH_PLATFORM_LOOPBACK: 'true',
    PERCH_SEND_TIMEOUT_SECONDS: '4',
    PERCH_X_READ_BACK_LAG_SECONDS: '1',
  };
  for (const name of names) {
    const server = await starters[name]();
    const proxy = await startFaultProxy(server.url);
    servers.set(name, { server, proxy, places: [] });
    Object.assign(env, server.env(proxy.url));
  }
  perch = await startPerch(env);
  // One after the other: making accounts is the platforms' hardest work.
  for (const { server, places } of servers.values()) {
    while (places.length * postsPerAccount < cases.length) {
      const user = await perch.user(10);
      places.push({ user, ...(await server.connect(perch, user.id)) });
    }
  }
}, 600_000);

afterAll(async () => {
  await perch?.stop();
  for (const { server, proxy } of servers.values()) {
    await proxy.stop();
    await server.stop();
  }
}, 60_000);

describe.for(names)('%s', (name) => {
  test.concurrent.for(cases)(
    'at $step, $kind: each tweet stands once, and is charged once',
    { timeout: 180_000 },
    async ({ step, kind, index }) => {
      const { server, proxy, places } = servers.get(name) ?? {};
      if (!server || !proxy || !places) throw new Error('not started');
      const { user, accountId, remoteId } =
        places[Math.floor(index / postsPerAccount)] ?? missing();
      const word = `w${crypto.randomUUID().slice(0, 8)}`;
      const texts = ['one', 'two', 'three'].map((part) => `${word} ${part} of three`);
      const fault = plan(proxy, name, { step, kind, word, remoteId });
      const id = await publish(user, accountId, texts, await uploadImage(user, word));
      const post = await ended(user, id);
      expect(post.status, JSON.stringify(post.failure)).toBe('posted');
      expect(fault.met(), 'the fault was met').toBeGreaterThan(0);
      const standing = (await server.posts(remoteId)).filter(({ text }) => text.includes(word));
      expect(standing.map(({ text }) => text.replace(/ https:\/\/t\.co\/\S+$/, ''))).toEqual(texts);
      expect(standing.map(({ media }) => media)).toEqual([1, 0, 0]);
      const [one, two] = standing.map((each) => each.id);
      expect(standing.map(({ inReplyTo }) => inReplyTo)).toEqual([null, one, two]);
      const { body: ledger } = await user.api('GET', '/credits/entries');
      const charges = ledger.data.filter((entry: LedgerEntry) => entry.post_id === id);
      expect(charges.map((entry: LedgerEntry) => entry.credits)).toEqual([-1]);
    },
  );
});

function missing(): never {
  throw new Error('no account was connected for this case');
}

/** Plans the fault for the requests of this case alone. */
function plan(
  proxy: FaultProxy,
  name: Name,
  at: { step: (typeof steps)[number]; kind: FaultKind; word: string; remoteId: string },
): { met(): number } {
  const { upload, send, readBack } = requests[name];
  const part = { 'tweet 1': 'one', 'tweet 2': 'two', 'tweet 3': 'three' };
  const about = (pattern: RegExp, text: string) => ({
    matches: (request: { method: string; path: string; body: string }) =>
      pattern.test(`${request.method} ${request.path}`) && request.body.includes(text),
  });
  const { step, kind, word } = at;
  if (step === 'the upload') return proxy.plan({ kind, times: 1, ...about(upload, word) });
  if (step !== 'reading back')
    return proxy.plan({ kind, times: 1, ...about(send, `${word} ${part[step]}`) });
  const lost = { kind: 'reset after the platform took it' as const, times: 1 };
  proxy.plan({ ...lost, ...about(send, `${word} two`) });
  return proxy.plan({ kind, times: 2, ...about(readBack(at.remoteId), '') });
}

async function publish(user: TestUser, account_id: string, texts: string[], mediaId: string) {
  const tweets = texts.map((text, index) =>
    index === 0 ? { text, media_ids: [mediaId] } : { text },
  );
  const { status, body } = await user.api('POST', '/posts', {
    account_id,
    publish_now: true,
    tweets,
  });
  expect(status, JSON.stringify(body)).toBe(201);
  return String(body.id);
}

function ended(user: TestUser, id: string) {
  return vi.waitFor(
    async () => {
      const { body } = await user.api('GET', `/posts/${id}`);
      expect(['posted', 'failed']).toContain(body.status);
      return body;
    },
    { timeout: 150_000, interval: 500 },
  );
}

async function uploadImage(user: TestUser, word: string): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([pngWith(word)], { type: 'image/png' }), 'pixel.png');
  const { status, body } = await user.api('POST', '/media', form);
  expect(status, JSON.stringify(body)).toBe(201);
  return body.id;
}

/** A pixel that carries a word, by which its bytes are known again on their way. */
function pngWith(word: string): Uint8Array<ArrayBuffer> {
  const pixel = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const end = pixel.length - 12;
  const chunk = Buffer.from(`tEXtComment\0${word}`, 'latin1');
  const length = Buffer.alloc(4);
  length.writeUInt32BE(chunk.length - 4);
  const sum = Buffer.alloc(4);
  sum.writeUInt32BE(crc32(chunk));
  return Uint8Array.from(
    Buffer.concat([pixel.subarray(0, end), length, chunk, sum, pixel.subarray(end)]),
  );
}
