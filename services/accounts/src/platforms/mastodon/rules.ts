import type { Capabilities, DraftTweet } from '@perch/proto/accounts';
import type { FieldError } from '@perch/proto/faults';
import { MediaType } from '@perch/proto/media';
import type { PlatformReview } from '../platform.ts';
import { type Facts, factsOf } from './facts.ts';
import { findLinked } from './linked.ts';

const usual = factsOf(null);

/** What an instance takes that keeps to Mastodon's own limits. */
export const capabilities: Capabilities = {
  max_length: usual.maxCharacters,
  length_unit: 'graphemes',
  url_length: usual.charactersPerUrl,
  media_types: [...MediaType.options],
  max_images: usual.maxMedia,
  max_media_bytes: {
    image: usual.imageBytes,
    gif: usual.imageBytes,
    video: usual.videoBytes,
  },
  max_alt_text: usual.descriptionCharacters,
};

/** The rules of the account's own instance (`facts`, else Mastodon's) for a draft. */
export function review(tweets: DraftTweet[], facts: unknown): PlatformReview {
  const allowed = factsOf(facts);
  const lengths = tweets.map(({ text }) => ({
    length: lengthOf(text, allowed),
    max_length: allowed.maxCharacters,
  }));
  return {
    lengths,
    errors: tweets.flatMap((tweet, index) => [
      ...textErrors(tweet, lengths[index]?.length ?? 0, { index, allowed }),
      ...mixErrors(tweet, { index, allowed }),
      ...tweet.media.flatMap((media, at) => {
        const pointer = `/tweets/${index}/media_ids/${at}`;
        return mediaErrors(media, allowed).map((error) => ({ pointer, ...error }));
      }),
    ]),
    contains_url: tweets.some(({ text }) => findLinked(text).some((one) => one.kind === 'url')),
  };
}

/** Graphemes, where a URL counts as much as every other and the server of a mention does not count. */
export function lengthOf(text: string, allowed: Facts): number {
  const stands = asItStands(text);
  let counted = '';
  let last = 0;
  for (const { kind, start, end, shown } of findLinked(stands)) {
    counted += stands.slice(last, start);
    counted += kind === 'url' ? 'x'.repeat(allowed.charactersPerUrl) : shown;
    last = end;
  }
  return [...graphemes.segment(counted + stands.slice(last))].length;
}

const graphemes = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

/** A text as Mastodon keeps it: without white space around it, as Ruby's `strip` knows it. */
export function asItStands(text: string): string {
  return text.replaceAll(/^[\0\t\n\v\f\r ]+|[\0\t\n\v\f\r ]+$/g, '');
}

interface Place {
  index: number;
  allowed: Facts;
}

function textErrors(tweet: DraftTweet, length: number, { index, allowed }: Place): FieldError[] {
  const pointer = `/tweets/${index}/text`;
  if (length === 0 && tweet.media.length === 0) {
    return [{ pointer, code: 'too_short', detail: 'must not be empty without media' }];
  }
  if (length <= allowed.maxCharacters) return [];
  const detail = `is ${length} long where ${allowed.maxCharacters} are allowed (a URL counts ${allowed.charactersPerUrl})`;
  return [{ pointer, code: 'too_long', detail }];
}

function mixErrors({ media }: DraftTweet, { index, allowed }: Place): FieldError[] {
  const videos = media.filter((one) => one.type.startsWith('video/')).length;
  if (media.length <= allowed.maxMedia && (videos === 0 || media.length === 1)) return [];
  const detail = `takes up to ${allowed.maxMedia} images or GIFs, or one video`;
  return [{ pointer: `/tweets/${index}/media_ids`, code: 'media_mix', detail }];
}

function mediaErrors(
  media: DraftTweet['media'][number],
  allowed: Facts,
): Omit<FieldError, 'pointer'>[] {
  const { type, bytes, width, height, alt_text } = media;
  const video = type.startsWith('video/');
  const maxBytes = video ? allowed.videoBytes : allowed.imageBytes;
  const maxPixels = video ? allowed.videoPixels : allowed.imagePixels;
  const altLength = [...graphemes.segment(alt_text ?? '')].length;
  const errors: Omit<FieldError, 'pointer'>[] = [];
  if (!allowed.mimeTypes.includes(type)) {
    errors.push({ code: 'media_type', detail: `is ${type}, which the instance does not take` });
  }
  if (bytes > maxBytes) {
    const detail = `has ${bytes} bytes where ${maxBytes} are allowed for ${type}`;
    errors.push({ code: 'media_too_large', detail });
  }
  if (width !== null && height !== null && width * height > maxPixels) {
    const detail = `has ${width} x ${height} pixels where ${maxPixels} are allowed in all`;
    errors.push({ code: 'media_dimensions', detail });
  }
  if (altLength > allowed.descriptionCharacters) {
    const detail = `has an alt text of ${altLength} characters where ${allowed.descriptionCharacters} are allowed`;
    errors.push({ code: 'alt_text_too_long', detail });
  }
  return errors;
}
