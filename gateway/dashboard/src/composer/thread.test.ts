import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { newTweet } from './draft.ts';
import { estimateLength } from './estimate-length.ts';
import { addAfter, removeAt, shift, splitAt, splitToFit } from './thread.ts';

const thread = (...texts: string[]) => texts.map((text) => newTweet(text));
const texts = (tweets: { text: string }[]) => tweets.map(({ text }) => text);

test('a tweet is added, removed and moved in its thread', () => {
  const tweets = thread('one', 'two', 'three');
  expect(texts(addAfter(tweets, 0))).toEqual(['one', '', 'two', 'three']);
  expect(texts(removeAt(tweets, 1))).toEqual(['one', 'three']);
  expect(texts(shift(tweets, 2, -1))).toEqual(['one', 'three', 'two']);
  expect(texts(shift(tweets, 0, -1))).toEqual(['one', 'two', 'three']);
});

test('removing the only tweet leaves an empty one to write in', () => {
  expect(texts(removeAt(thread('one'), 0))).toEqual(['']);
});

test('a tweet is split where the cursor is, without stray spaces', () => {
  expect(texts(splitAt(thread('one two'), 0, 3))).toEqual(['one', 'two']);
});

describe('a text that is too long is split so that every part fits', () => {
  test('after a sentence rather than in one', () => {
    expect(texts(splitToFit(thread('A first one. A second one.'), 0, 20))).toEqual([
      'A first one.',
      'A second one.',
    ]);
  });

  test('whatever is in it, and no letter is lost', () => {
    const limits = fc.integer({ min: 25, max: 300 });
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme', maxLength: 600 }), limits, (text, max) => {
        const parts = texts(splitToFit(thread(text), 0, max));
        for (const part of parts) expect(estimateLength(part)).toBeLessThanOrEqual(max);
        const letters = (value: string) => value.replace(/\s/g, '');
        expect(letters(parts.join(''))).toBe(letters(text));
      }),
    );
  });
});

test('the estimate counts URLs, emoji and wide letters as platforms do', () => {
  expect(estimateLength('hello')).toBe(5);
  expect(estimateLength('see https://example.com/a/very/long/path?x=1')).toBe(27);
  expect(estimateLength('see example.com')).toBe(27);
  expect(estimateLength('👩‍👩‍👧‍👦')).toBe(2);
  expect(estimateLength('日本')).toBe(4);
});
