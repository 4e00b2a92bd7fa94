import { type DraftTweet, newTweet } from './draft.ts';
import { estimateLength } from './estimate-length.ts';

/** The thread with an empty tweet after the one at that place. */
export function addAfter(tweets: DraftTweet[], index: number): DraftTweet[] {
  return tweets.toSpliced(index + 1, 0, newTweet());
}

/** The thread without that tweet; the last one is emptied instead. */
export function removeAt(tweets: DraftTweet[], index: number): DraftTweet[] {
  return tweets.length > 1 ? tweets.toSpliced(index, 1) : [newTweet()];
}

/** The thread with that tweet one place earlier or later. */
export function shift(tweets: DraftTweet[], index: number, by: 1 | -1): DraftTweet[] {
  const tweet = tweets[index];
  const to = index + by;
  if (!tweet || to < 0 || to >= tweets.length) return tweets;
  return tweets.toSpliced(index, 1).toSpliced(to, 0, tweet);
}

/** The thread with that tweet cut in two at the place in its text; its media stay with the first part. */
export function splitAt(tweets: DraftTweet[], index: number, place: number): DraftTweet[] {
  const tweet = tweets[index];
  if (!tweet) return tweets;
  const first = { ...tweet, text: tweet.text.slice(0, place).trimEnd() };
  return tweets.toSpliced(index, 1, first, newTweet(tweet.text.slice(place).trimStart()));
}

/**
 * The thread with that tweet cut into as many as fit the limit: after paragraphs where it can, else after
 * sentences, else after words.
 */
export function splitToFit(tweets: DraftTweet[], index: number, maxLength: number): DraftTweet[] {
  const tweet = tweets[index];
  if (!tweet) return tweets;
  const [first = '', ...rest] = partsThatFit(tweet.text, maxLength);
  return tweets.toSpliced(
    index,
    1,
    { ...tweet, text: first },
    ...rest.map((text) => newTweet(text)),
  );
}

function partsThatFit(text: string, maxLength: number): string[] {
  const parts: string[] = [];
  let rest = text.trim();
  while (estimateLength(rest) > maxLength) {
    const end = lastBreak(rest, maxLength);
    parts.push(rest.slice(0, end).trimEnd());
    rest = rest.slice(end).trimStart();
  }
  return rest === '' && parts.length > 0 ? parts : [...parts, rest];
}

/** The best place to cut so that what is before it fits; never 0. */
function lastBreak(text: string, maxLength: number): number {
  const fits = (end: number) => estimateLength(text.slice(0, end).trimEnd()) <= maxLength;
  for (const pattern of [/\n{2,}/g, /[.!?…]["”’)]?\s+/g, /\s+/g]) {
    const ends = [...text.matchAll(pattern)].map((found) => found.index + found[0].length);
    const best = ends.findLast(fits);
    if (best !== undefined && best > 0) return best;
  }
  const graphemes = [...new Intl.Segmenter().segment(text)].map(({ index }) => index);
  return Math.max(graphemes.findLast(fits) ?? 0, graphemes[1] ?? text.length);
}
