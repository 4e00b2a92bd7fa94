import type { DraftTweet } from '@perch/proto/accounts';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { factsOf, readInstance } from './facts.ts';
import { asItStands, lengthOf, review } from './rules.ts';

const usual = factsOf(null);
const lengthBy = (text: string) => lengthOf(text, usual);

describe('a text is as long as Mastodon says', () => {
  test.each([
    ['', 0],
    ['  padded \n', 6],
    ['👩‍👩‍👧‍👦 é', 3],
    ['https://example.com', 23],
    [`https://example.com/${'x'.repeat(400)}`, 23],
    ['http://a.com https://b.org', 47],
    // Top-level domains are those that twitter-text knows.
    ['https://a.example', 17],
    ['(https://example.com/a_(b)).', 26],
    ['https://example.com/путь/東京?q=東京#x end', 27],
    // Without a protocol it is no URL, and with another one neither.
    ['example.com', 11],
    ['ftp://example.com', 17],
    ['@someone@a-very-long-server.example hi', 11],
    ['@someone hi', 11],
    ['mail@someone.example', 20],
    ['https://example.com/@someone@server.example', 23],
  ])('%j: %i', (text, length) => {
    expect(lengthBy(text)).toBe(length);
  });

  test('text without links and mentions is counted by what a reader sees', () => {
    const plain = fc.string({ unit: 'grapheme' }).filter((text) => !/[@/:]/.test(text));
    const segments = new Intl.Segmenter(undefined, { granularity: 'grapheme' });
    fc.assert(
      fc.property(plain, (text) => {
        expect(lengthBy(text)).toBe([...segments.segment(asItStands(text))].length);
      }),
    );
  });

  test('any text has a length, and a link never makes it longer than it is and 23', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const length = lengthBy(`${text} https://example.com/${text}`);
        expect(length).toBeGreaterThanOrEqual(0);
        expect(length).toBeLessThanOrEqual(2 * text.length + 24 + 23);
      }),
    );
  });
});

const image: DraftTweet['media'][number] = {
  id: 'med_1',
  type: 'image/png',
  bytes: 1_000,
  alt_text: null,
  width: 40,
  height: 24,
  duration_ms: null,
};
const video = { ...image, type: 'video/mp4' as const };
const mistakes = (tweet: Partial<DraftTweet>, facts: unknown = null) =>
  review(
    [
      { text: 'fine', media: [] },
      { text: '', media: [], ...tweet },
    ],
    facts,
  ).errors.map(({ pointer, code }) => `${pointer} ${code}`);

test('every mistake is told with its place', () => {
  const text = '/tweets/1/text';
  const media = '/tweets/1/media_ids';
  expect(mistakes({})).toEqual([`${text} too_short`]);
  expect(mistakes({ media: [image] })).toEqual([]);
  expect(mistakes({ text: 'x'.repeat(501) })).toEqual([`${text} too_long`]);
  expect(mistakes({ media: Array(5).fill(image) })).toEqual([`${media} media_mix`]);
  expect(mistakes({ media: [image, video] })).toEqual([`${media} media_mix`]);
  expect(mistakes({ media: [video] })).toEqual([]);
  expect(mistakes({ media: [image, { ...image, type: 'image/gif' }] })).toEqual([]);
  const wide = { ...image, width: 10_000, height: 10_000 };
  const bad = [image, { ...image, bytes: 16_777_217 }, wide];
  expect(mistakes({ media: bad })).toEqual([
    `${media}/1 media_too_large`,
    `${media}/2 media_dimensions`,
  ]);
});

test('an instance’s own limits count, and what it does not tell is as usual', () => {
  const { facts, domain } = readInstance({
    domain: 'social.example',
    configuration: {
      statuses: {
        max_characters: 5_000,
        characters_reserved_per_url: 30,
        max_media_attachments: 1,
      },
      media_attachments: {
        supported_mime_types: ['image/png'],
        image_size_limit: 999,
        description_limit: 10,
      },
    },
  });
  expect([domain, facts.videoBytes]).toEqual(['social.example', usual.videoBytes]);
  const kept: unknown = JSON.parse(JSON.stringify(facts));
  const { lengths } = review([{ text: 'https://example.com', media: [] }], kept);
  expect(lengths).toEqual([{ length: 30, max_length: 5_000 }]);
  expect(mistakes({ text: 'x'.repeat(4_999), media: [image, image] }, kept)).toContain(
    '/tweets/1/media_ids media_mix',
  );
  expect(mistakes({ media: [{ ...video, alt_text: 'Eleven chars' }] }, kept)).toEqual([
    '/tweets/1/media_ids/0 media_type',
    '/tweets/1/media_ids/0 alt_text_too_long',
  ]);
  expect(mistakes({ media: [image] }, kept)).toEqual(['/tweets/1/media_ids/0 media_too_large']);
  const unclear = { configuration: { statuses: { max_characters: 'many' } } };
  for (const answer of [{}, { configuration: null }, unclear])
    expect(readInstance(answer).facts).toEqual(usual);
  for (const nonsense of [null, 'x', 7, { maxCharacters: 'many' }]) {
    expect(review([{ text: 'x', media: [] }], nonsense).lengths[0]?.max_length).toBe(500);
  }
});

test('a URL is what Mastodon makes a link of', () => {
  const has = (text: string) => review([{ text, media: [] }], null).contains_url;
  for (const text of ['see https://example.com.', 'http://пример.рф/путь', '(https://a.org)'])
    expect(has(text), text).toBe(true);
  for (const text of [
    'example.com',
    '@user@example.com',
    'https://',
    '#https',
    'xhttps://a',
    'https://a.example',
  ])
    expect(has(text), text).toBe(false);
});
