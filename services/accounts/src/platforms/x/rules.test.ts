import type { DraftTweet } from '@perch/proto/accounts';
import type { MediaType } from '@perch/proto/media';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { review } from './rules.ts';

type File = DraftTweet['media'][number];

const file = (type: MediaType, more: Partial<File> = {}): File => ({
  id: 'media_1',
  type,
  bytes: 1,
  alt_text: null,
  width: null,
  height: null,
  duration_ms: null,
  ...more,
});
const png = file('image/png');
const errorsOf = (text: string, ...media: File[]) => review([{ text, media }]).errors;
const codesOf = (text: string, ...media: File[]) =>
  errorsOf(text, ...media).map((error) => error.code);

test('a text of 280 passes and one of 281 does not, as X weighs it', () => {
  expect(codesOf('x'.repeat(280))).toEqual([]);
  expect(codesOf('x'.repeat(281))).toEqual(['too_long']);
  expect(codesOf('日'.repeat(140))).toEqual([]);
  expect(codesOf('日'.repeat(141))).toEqual(['too_long']);
  expect(codesOf(`${'x'.repeat(256)} https://example.com/${'y'.repeat(200)}`)).toEqual([]);
  fc.assert(
    fc.property(fc.nat(600), (length) => {
      expect(codesOf(`.${'x'.repeat(length)}`)).toEqual(length < 280 ? [] : ['too_long']);
    }),
  );
});

test('a text may be empty only beside media', () => {
  expect(codesOf(' \n')).toEqual(['too_short']);
  expect(codesOf('', png)).toEqual([]);
});

test('characters that X refuses are found before it does', () => {
  expect(codesOf('a\uFFFEb')).toContain('invalid_characters');
});

test('four images, or one GIF, or one video', () => {
  expect(codesOf('', png, png, png, png)).toEqual([]);
  expect(codesOf('', png, png, png, png, png)).toEqual(['media_mix']);
  expect(codesOf('', file('image/gif'))).toEqual([]);
  expect(codesOf('', file('image/gif'), file('image/gif'))).toEqual(['media_mix']);
  expect(codesOf('', file('video/mp4'), png)).toEqual(['media_mix']);
});

test('each file is told by its place, with its measure and the limit', () => {
  expect(errorsOf('', png, file('image/png', { bytes: 5_000_001 }))).toEqual([
    {
      pointer: '/tweets/0/media_ids/1',
      code: 'media_too_large',
      detail: 'media_1 has 5000001 bytes where 5000000 are allowed for image/png',
    },
  ]);
  expect(codesOf('', file('image/gif', { bytes: 15_000_000 }))).toEqual([]);
  expect(codesOf('', file('image/gif', { bytes: 15_000_001 }))).toEqual(['media_too_large']);
  expect(codesOf('', file('video/mp4', { duration_ms: 499 }))).toEqual(['media_duration']);
  expect(codesOf('', file('video/mp4', { duration_ms: 140_000 }))).toEqual([]);
  expect(codesOf('', file('video/mp4', { duration_ms: 140_001 }))).toEqual(['media_duration']);
  expect(codesOf('', file('image/png', { alt_text: 'x'.repeat(1_001) }))).toEqual([
    'alt_text_too_long',
  ]);
});

test('finds URLs as X does, without a scheme too', () => {
  const has = (text: string) => review([{ text, media: [] }]).contains_url;
  expect(['see example.com', 'https://a.io/x', 'go to t.co/x now'].map(has)).toEqual([
    true,
    true,
    true,
  ]);
  expect(['no url', 'v1.2', 'me@example.com', 'file.txt'].map(has)).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
