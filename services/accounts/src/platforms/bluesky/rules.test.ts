import type { DraftTweet } from '@perch/proto/accounts';
import { expect, test } from 'vitest';
import { review } from './rules.ts';

const file = (over: Partial<DraftTweet['media'][number]> = {}): DraftTweet['media'][number] => ({
  id: 'med_00000000000000000000000000',
  type: 'image/png',
  bytes: 1_000,
  alt_text: null,
  width: 10,
  height: 10,
  duration_ms: null,
  ...over,
});
const errorsOf = (text: string, media: DraftTweet['media'] = []) =>
  review([{ text, media }]).errors.map(({ pointer, code }) => `${pointer} ${code}`);

test('300 graphemes pass, one more does not, however many code points each has', () => {
  expect(errorsOf('é'.repeat(300))).toEqual([]);
  expect(errorsOf('a'.repeat(301))).toEqual(['/tweets/0/text too_long']);
  expect(review([{ text: '👨‍👩‍👧‍👦 hi', media: [] }]).lengths).toEqual([
    { length: 4, max_length: 300 },
  ]);
});

test('3000 bytes are the limit where graphemes are heavy', () => {
  expect(errorsOf('👨‍👩‍👧‍👦'.repeat(120))).toEqual([]);
  expect(errorsOf('👨‍👩‍👧‍👦'.repeat(121))).toEqual(['/tweets/0/text too_long']);
});

test('what Bluesky would make a link of is a URL, a mention or a tag is none', () => {
  const hasUrl = (text: string) => review([{ text, media: [] }]).contains_url;
  expect(hasUrl('see https://example.com/a?b=c.')).toBe(true);
  expect(hasUrl('see example.com')).toBe(true);
  expect(hasUrl('@alice.bsky.social #tag $CASH and file.notatld')).toBe(false);
});

test('four images or one video, and nothing else', () => {
  const video = file({ type: 'video/mp4' });
  expect(errorsOf('', [file(), file(), file(), file()])).toEqual([]);
  expect(errorsOf('', [video])).toEqual([]);
  expect(
    errorsOf(
      '',
      Array.from({ length: 5 }, () => file()),
    ),
  ).toEqual(['/tweets/0/media_ids media_mix']);
  expect(errorsOf('', [video, file()])).toEqual(['/tweets/0/media_ids media_mix']);
});

test('each file that does not fit is named with its measure', () => {
  expect(errorsOf('', [file(), file({ bytes: 2_000_001 })])).toEqual([
    '/tweets/0/media_ids/1 media_too_large',
  ]);
  expect(errorsOf('', [file({ type: 'image/gif' })])).toEqual(['/tweets/0/media_ids/0 media_type']);
  expect(errorsOf('', [file({ type: 'video/mp4', duration_ms: 600_001 })])).toEqual([
    '/tweets/0/media_ids/0 media_duration',
  ]);
});
