import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import type { Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Database, openDatabase } from '@perch/proto/database';
import { newId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import type { Media, MediaService } from '@perch/proto/media';
import { createLogger } from '@perch/proto/process';
import { internet } from '@perch/proto/public-network';
import { createTestDatabase, testCall } from '@perch/proto/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { cleanUp } from './clean-up.ts';
import { MediaEntity } from './entity.ts';
import { createHttp } from './http.ts';
import { createMedia } from './media.ts';
import { migrations } from './migrations.ts';
import { openDirectory } from './storage/directory.ts';
import type { Storage } from './storage/storage.ts';

// A PNG of one pixel, and room behind it: what follows the end of an image does not change its type.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const call = testCall();
const tenant = { user_id: newId('user', Date.now), account_ids: null };
const stranger = { user_id: newId('user', Date.now), account_ids: null };

let dir: string;
let db: Database;
let storage: Storage;
let http: Server;
let media: MediaService;
let nowMs = Date.now();

beforeAll(async () => {
  dir = await mkdtemp(join(tmpdir(), 'perch-media-'));
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities: [MediaEntity], migrations, poolSize: 5 });
  storage = await openDirectory(dir);
  const deps = {
    db,
    storage,
    network: internet,
    clock: () => nowMs,
    log: createLogger('media', 'silent'),
    ownUrl: '',
    secret: 'only-for-this-test-only-for-this-test',
  };
  http = createHttp(deps).listen(0, '127.0.0.1');
  await once(http, 'listening');
  const address = http.address();
  deps.ownUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
  media = createMedia(deps);
});
afterAll(async () => {
  http?.close();
  await db?.close();
  await rm(dir, { recursive: true });
});

async function ticket() {
  const upload = await media.prepareUpload({ tenant, idempotency: null }, call);
  if (upload.state !== 'ticket') throw new Error('no ticket');
  return upload;
}

async function upload(bytes: Buffer, type = 'application/octet-stream', alt_text?: string) {
  const { url, media_id, attempt } = await ticket();
  const response = await fetch(url, {
    method: 'PUT',
    body: new Uint8Array(bytes),
    headers: { 'content-type': type },
  });
  const answer = await response.json();
  const said = { tenant, media_id, attempt, alt_text: alt_text ?? null, idempotency: null };
  return {
    url,
    status: response.status,
    body: (response.ok ? await media.finishUpload(said, call) : answer) as Media & {
      code?: string;
    },
  };
}

test('an upload keeps the bytes as they are, and a connector reads them', async () => {
  const bytes = Buffer.concat([png, randomBytes(300_000)]);
  const { status, body } = await upload(bytes, 'image/png');
  expect([status, body.type, body.kind, body.bytes]).toEqual([
    201,
    'image/png',
    'image',
    bytes.length,
  ]);
  const source = await media.source({ tenant, media_id: body.id }, call);
  const read = await fetch(source.url);
  expect(read.headers.get('content-type')).toBe('image/png');
  expect(Buffer.from(await read.arrayBuffer()).equals(bytes)).toBe(true);
});

test('the type is told by content, and a false declaration is refused', async () => {
  expect((await upload(png, 'image/jpeg')).body.code).toBe('unsupported_media_type');
  expect(
    (await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml'))
      .status,
  ).toBe(415);
  expect((await upload(Buffer.from('<html><script>alert(1)</script>'))).status).toBe(415);
  expect((await upload(Buffer.alloc(0))).status).toBe(415);
});

test('a ticket takes one upload, and only as it was signed', async () => {
  const { url } = await upload(png);
  const again = await fetch(url, { method: 'PUT', body: new Uint8Array(png) });
  expect(again.status).toBe(404);
  const forged = new URL(url);
  forged.searchParams.set('expires', String(nowMs + 86_400_000));
  expect((await fetch(forged, { method: 'PUT', body: new Uint8Array(png) })).status).toBe(404);
  const late = await ticket();
  nowMs += 16 * 60_000;
  expect((await fetch(late.url, { method: 'PUT', body: new Uint8Array(png) })).status).toBe(404);
});

test('an upload that breaks off leaves nothing', async () => {
  const before = (await readdir(dir)).length;
  const { url } = await ticket();
  const half = new ReadableStream({
    start(controller) {
      controller.enqueue(new Uint8Array(png));
      setTimeout(() => controller.error(new Error('gone')), 100);
    },
  });
  await expect(
    fetch(url, { method: 'PUT', body: half, duplex: 'half' } as RequestInit),
  ).rejects.toThrow();
  await expect.poll(async () => (await readdir(dir)).length).toBe(before);
});

test('more than the limit is refused and not kept', async () => {
  const original = limits.mediaBytes;
  Object.assign(limits, { mediaBytes: 100_000 });
  const before = (await readdir(dir)).length;
  const { url } = await ticket();
  const answer = await fetch(url, {
    method: 'PUT',
    body: new Uint8Array(Buffer.concat([png, Buffer.alloc(200_000)])),
  }).then(
    (response) => response.status,
    () => 413,
  );
  Object.assign(limits, { mediaBytes: original });
  expect(answer).toBe(413);
  await expect.poll(async () => (await readdir(dir)).length).toBe(before);
});

test('another user’s media do not exist', async () => {
  const { body } = await upload(png);
  await expect(media.get({ tenant: stranger, media_id: body.id }, call)).rejects.toMatchObject({
    code: 'not_found',
  });
  await expect(media.source({ tenant: stranger, media_id: body.id }, call)).rejects.toMatchObject({
    code: 'not_found',
  });
  const asked = { tenant: stranger, media_ids: [body.id] };
  await expect(media.getMany(asked, call)).rejects.toMatchObject({
    details: { media_id: body.id },
  });
  await expect(media.attach({ ...asked, post_id: 'post_x' }, call)).rejects.toMatchObject({
    code: 'not_found',
  });
});

test('what no post uses goes after a day, what one uses stays', async () => {
  const [used, unused] = [(await upload(png)).body, (await upload(png)).body];
  await media.attach({ tenant, media_ids: [used.id], post_id: newId('post', Date.now) }, call);
  nowMs += 25 * 60 * 60_000;
  while ((await cleanUp({ db, storage, clock: () => nowMs })) > 0);
  expect(await media.get({ tenant, media_id: used.id }, call)).toMatchObject({ id: used.id });
  await expect(media.get({ tenant, media_id: unused.id }, call)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await readdir(dir)).toEqual([used.id]);
});

test('what is known of an image goes with it to the connector', async () => {
  const turned = await readFile(join(import.meta.dirname, 'fixtures/turned.jpg'));
  const { body } = await upload(turned, 'image/jpeg', 'A blue wall.');
  const known = { alt_text: 'A blue wall.', width: 24, height: 40, duration_ms: null };
  expect(body).toMatchObject(known);
  expect(await media.source({ tenant, media_id: body.id }, call)).toMatchObject(known);
});

test('bytes are no media before all that is said of them is known', async () => {
  const { url, media_id, attempt } = await ticket();
  const said = { tenant, media_id, attempt, alt_text: 'x', idempotency: null };
  const missing = { code: 'not_found' };
  await expect(media.finishUpload(said, call)).rejects.toMatchObject(missing);
  await fetch(url, { method: 'PUT', body: new Uint8Array(png) });
  await expect(media.get({ tenant, media_id }, call)).rejects.toMatchObject(missing);
  const foreign = { ...said, tenant: stranger };
  await expect(media.finishUpload(foreign, call)).rejects.toMatchObject(missing);
  const done = await media.finishUpload(said, call);
  expect(await media.finishUpload(said, call)).toEqual(done);
});

test('a connector resumes reading where it stopped', async () => {
  const bytes = Buffer.concat([png, randomBytes(50_000)]);
  const { body } = await upload(bytes);
  const { url } = await media.source({ tenant, media_id: body.id }, call);
  const from = (range: string) => fetch(url, { headers: { range } });
  const rest = await from('bytes=40000-');
  expect([rest.status, rest.headers.get('content-range')]).toEqual([
    206,
    `bytes 40000-${bytes.length - 1}/${bytes.length}`,
  ]);
  expect(Buffer.from(await rest.arrayBuffer()).equals(bytes.subarray(40_000))).toBe(true);
  const beyond = await from(`bytes=${bytes.length}-`);
  expect([beyond.status, beyond.headers.get('content-range')]).toEqual([
    416,
    `bytes */${bytes.length}`,
  ]);
  for (const range of ['bytes=0-9, 20-29', 'bytes=-5', 'lines=1-']) {
    const all = await from(range);
    expect([all.status, (await all.arrayBuffer()).byteLength]).toEqual([200, bytes.length]);
  }
});
