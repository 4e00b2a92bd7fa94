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
type TweetText = z.infer<typeof TweetText>;

/**
 * Whether a text that X gives back is one that we sent; null when that can not be told. X shortens URLs, adds one for
 * media, escapes three characters, trims, and puts the handles of those who are answered in front.
 */
export function isSameText(sent: string, found: TweetText): boolean | null {
  const canonical = restored(found);
  if (canonical === null) return null;
  const wanted = canonicalOf(sent);
  return canonical === wanted || withoutMentions(canonical) === withoutMentions(wanted);
}

/** What was sent, from what X shows; null when a URL of X's own shortener is left, of which nothing more is known. */
function restored({ text, entities }: TweetText): string | null {
  let restored = text;
  for (const { url, expanded_url, media_key } of entities?.urls ?? []) {
    const ofMedia =
      media_key !== undefined ||
      /^https:\/\/(x|twitter)\.com\/\w+\/status\/\d+\/(photo|video)\/\d+$/.test(expanded_url ?? '');
    restored = restored.replaceAll(url, ofMedia ? '' : (expanded_url ?? url));
  }
  if (/https:\/\/t\.co\/\w+/.test(restored)) return null;
  return canonicalOf(unescaped(restored));
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

function withoutMentions(text: string): string {
  return text.replace(/^(@\w{1,20}\s+)+/, '');
}
