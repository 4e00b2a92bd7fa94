import { createReadStream } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import type { MediaType } from '@perch/proto/media';
import { expect, test } from 'vitest';
import { measure } from './measure.ts';

const dir = join(import.meta.dirname, 'fixtures');
const folder = {
  get: async (key: string, range?: { start: number; end: number }) =>
    createReadStream(join(dir, key), range && { start: range.start, end: range.end - 1 }),
};

const video = { width: 64, height: 48, duration_ms: 1_500 };
const image = { width: 40, height: 24, duration_ms: null };
test.each<[string, MediaType, object]>([
  ['picture.png', 'image/png', image],
  ['picture.jpg', 'image/jpeg', image],
  ['turned.jpg', 'image/jpeg', { width: 24, height: 40, duration_ms: null }],
  ['picture.gif', 'image/gif', image],
  ['picture.webp', 'image/webp', image],
  ['moov-first.mp4', 'video/mp4', video],
  ['moov-last.mp4', 'video/mp4', video],
  ['moov-last.mov', 'video/quicktime', video],
  ['turned.mp4', 'video/mp4', { width: 48, height: 64, duration_ms: 1_500 }],
  ['fragmented.mp4', 'video/mp4', { width: 64, height: 48, duration_ms: expect.any(Number) }],
])('%s tells its size as it is shown, and how long it takes', async (id, type, told) => {
  const { size: bytes } = await stat(join(dir, id));
  expect(await measure(folder, { id, type, bytes })).toEqual(told);
});

test('a file that is cut off, or lies, is only not measured', async () => {
  const whole = await readFile(join(dir, 'moov-last.mp4'));
  const lying = Buffer.from(await readFile(join(dir, 'moov-first.mp4')));
  lying.writeUInt32BE(0xffff_fff0, lying.indexOf('stsz') + 12);
  lying.fill(0xff, lying.indexOf('mvhd'), lying.indexOf('mvhd') + 60);
  const nothing = { width: null, height: null, duration_ms: null };
  for (const [bytes, type] of [
    [whole.subarray(0, 1_000), 'video/mp4'],
    [Buffer.from('\xff\xd8\xff\xe0', 'latin1'), 'image/jpeg'],
    [Buffer.alloc(0), 'image/png'],
  ] as const) {
    const storage = { get: async () => Readable.from([bytes]) };
    expect(await measure(storage, { id: 'x', type, bytes: bytes.length })).toEqual(nothing);
  }
  const get = async (_: string, range?: { start: number; end: number }) =>
    Readable.from([lying.subarray(range?.start, range?.end)]);
  await measure({ get }, { id: 'x', type: 'video/mp4', bytes: lying.length });
});
