import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isSameText as isSame, type TweetText } from './text.ts';

const isSameText = (text: string, found: TweetText, inReplyTo: string | null = null) =>
  isSame({ text, inReplyTo }, found);

const url = (expanded_url: string, more = {}) => ({
  entities: { urls: [{ url: 'https://t.co/abc123', expanded_url, ...more }] },
});

test('a text is known again however X shows its URLs', () => {
  const text = 'see https://t.co/abc123 now';
  expect(
    isSameText('see https://perch.example.com/a?b=1 now', {
      text,
      ...url('https://perch.example.com/a?b=1'),
    }),
  ).toBe(true);
  expect(isSameText('see Example.com now', { text, ...url('http://Example.com') })).toBe(true);
  expect(isSameText('see https://example.com/ now', { text, ...url('https://example.com') })).toBe(
    true,
  );
  expect(
    isSameText('see https://example.com/b now', { text, ...url('https://example.com/a') }),
  ).toBe(false);
});

test('the URL that X adds for media is none of the text', () => {
  const added = { text: 'look https://t.co/abc123' };
  const photo = 'https://x.com/perch/status/1/photo/1';
  expect(isSameText('look', { ...added, ...url(photo) })).toBe(true);
  expect(
    isSameText('look', { ...added, ...url('https://pic.example/1', { media_key: '3_1' }) }),
  ).toBe(true);
  expect(isSameText('', { text: 'https://t.co/abc123', ...url(photo) })).toBe(true);
});

test('escapes, space, composition and the handles of those who are answered make no other text', () => {
  expect(isSameText('a < b && c > d', { text: 'a &lt; b &amp;&amp; c &gt; d' })).toBe(true);
  expect(isSameText(' cafe\u0301\n\nbar ', { text: 'café\n\nbar' })).toBe(true);
  expect(isSameText('thank you', { text: '@fan_1 @perch thank you' }, '1')).toBe(true);
  expect(isSameText('thank you', { text: '@fan_1 thank you' })).toBe(false);
  expect(isSameText('@fan_2 thank you', { text: '@fan_1 thank you' }, '1')).toBe(false);
  expect(isSameText('@fan_1 thank you', { text: '@fan_1 thank you' })).toBe(true);
  expect(isSameText('thank you', { text: 'thank you!' })).toBe(false);
});

test('a shortened URL without its meaning decides nothing', () => {
  expect(isSameText('see https://example.com', { text: 'see https://t.co/abc123' })).toBeNull();
});

test('any text is the same as itself', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'grapheme' }), (text) => {
      const shown = text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
      expect(isSameText(text, { text: shown })).toBe(true);
    }),
  );
});
