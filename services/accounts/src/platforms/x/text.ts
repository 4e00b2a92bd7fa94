import twitter from 'twitter-text';
import { z } from 'zod';

/** A text as X gives it back, with what it made of the URLs in it. */
export const TweetText = z.object({
  text: z.string(),
  entities: z
    .object({
      urls: z
        .array(
          z.object({
            url: z.string(),
            expanded_url: z.string().optional(),
            media_key: z.string().optional(),
          }),
        )
        .optional(),
    })
    .optional(),
});
export type TweetText = z.infer<typeof TweetText>;

/**
 * Whether a text that X gives back is one that we sent; null when that can not be told. X shortens URLs, adds one for
 * media, escapes three characters, trims, and puts the handles of those who are answered in front.
 */
export function isSameText(
  { text: sent, inReplyTo }: { text: string; inReplyTo: string | null },
  found: TweetText,
): boolean | null {
  const shown = restored(found);
  // A URL of X's own shortener of which nothing more is known may stand for anything, unless it was sent so.
  if ((shown.match(/https:\/\/t\.co\/\w+/g) ?? []).some((url) => !sent.includes(url))) return null;
  const canonical = canonicalOf(shown);
  const wanted = canonicalOf(sent);
  if (canonical === wanted) return true;
  const inFront = canonical.slice(0, canonical.length - wanted.length);
  return inReplyTo !== null && canonical.endsWith(wanted) && /^(@\w{1,20} )+$/.test(inFront);
}

/** What was sent, from what X shows. */
function restored({ text, entities }: TweetText): string {
  let restored = text;
  for (const { url, expanded_url, media_key } of entities?.urls ?? []) {
    const ofMedia =
      media_key !== undefined ||
      /^https:\/\/(x|twitter)\.com\/\w+\/status\/\d+\/(photo|video)\/\d+$/.test(expanded_url ?? '');
    restored = restored.replaceAll(url, ofMedia ? '' : (expanded_url ?? url));
  }
  return unescaped(restored);
}

function unescaped(text: string): string {
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

/** The same for two texts that X shows alike: URLs with or without a scheme, runs of space, composed letters. */
function canonicalOf(text: string): string {
  const normal = text.normalize('NFC');
  let canonical = '';
  let end = 0;
  for (const { url, indices } of twitter.extractUrlsWithIndices(normal)) {
    canonical += normal.slice(end, indices[0]) + canonicalUrl(url);
    end = indices[1];
  }
  return (canonical + normal.slice(end)).replaceAll(/\s+/g, ' ').trim();
}

function canonicalUrl(url: string): string {
  const parsed = URL.parse(/^https?:\/\//i.test(url) ? url : `http://${url}`);
  if (!parsed) return url;
  const { host, pathname, search, hash } = parsed;
  return `${host}${pathname.replace(/\/$/, '')}${search}${hash}`;
}
