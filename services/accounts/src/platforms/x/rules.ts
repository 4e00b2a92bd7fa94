import type { Capabilities, DraftTweet } from '@perch/proto/accounts';
import type { FieldError } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { MediaType } from '@perch/proto/media';
import twitter from 'twitter-text';
import type { PlatformReview } from '../platform.ts';

const maxWeightedLength = 280;
const maxImages = 4;
const maxBytes = { image: 5_000_000, gif: 15_000_000, video: 536_870_912 };
const videoMs = { least: 500, most: 140_000 };
/** X's, which is also the longest that Perch takes in. */
const maxAltText = limits.altTextChars;

/** What X takes of an account without its paid extras. */
export const capabilities: Capabilities = {
  max_length: maxWeightedLength,
  length_unit: 'weighted',
  url_length: 23,
  media_types: [...MediaType.options],
  max_images: maxImages,
  max_media_bytes: maxBytes,
  max_alt_text: maxAltText,
};

/** X's rules: weighted length, bare domains are URLs, four images or one GIF or one video. */
export function review(tweets: DraftTweet[]): PlatformReview {
  const lengths = tweets.map(({ text }) => ({
    length: twitter.parseTweet(text).weightedLength,
    max_length: maxWeightedLength,
  }));
  return {
    lengths,
    errors: tweets.flatMap((tweet, index) => [
      ...textErrors(tweet, lengths[index]?.length ?? 0, index),
      ...mixErrors(tweet, index),
      ...tweet.media.flatMap((media, at) =>
        mediaErrors(media).map((error) => ({
          pointer: `/tweets/${index}/media_ids/${at}`,
          ...error,
        })),
      ),
    ]),
    contains_url: tweets.some((tweet) => twitter.extractUrls(tweet.text).length > 0),
  };
}

/** How X counts a file, and what it calls it when it is uploaded. */
export function kindOf(type: string): keyof typeof maxBytes {
  if (type === 'image/gif') return 'gif';
  return type.startsWith('video/') ? 'video' : 'image';
}

function textErrors({ text, media }: DraftTweet, length: number, index: number): FieldError[] {
  const pointer = `/tweets/${index}/text`;
  const errors: FieldError[] = [];
  if (length > maxWeightedLength) {
    const detail = `is ${length} long where ${maxWeightedLength} are allowed (a URL counts 23, an emoji 2)`;
    errors.push({ pointer, code: 'too_long', detail });
  }
  if (text.trim() === '' && media.length === 0)
    errors.push({ pointer, code: 'too_short', detail: 'is empty, and no media stand in for it' });
  if (twitter.hasInvalidCharacters(text)) {
    const detail = 'holds a character that X refuses, such as a byte order mark';
    errors.push({ pointer, code: 'invalid_characters', detail });
  }
  return errors;
}

function mixErrors({ media }: DraftTweet, index: number): FieldError[] {
  const images = media.filter(({ type }) => kindOf(type) === 'image').length;
  if (images <= maxImages && (media.length <= 1 || images === media.length)) return [];
  const detail = `takes up to ${maxImages} images, or one GIF, or one video; these are ${media.length} files`;
  return [{ pointer: `/tweets/${index}/media_ids`, code: 'media_mix', detail }];
}

function mediaErrors(media: DraftTweet['media'][number]): Omit<FieldError, 'pointer'>[] {
  const { id, bytes, type, duration_ms, alt_text } = media;
  const errors: Omit<FieldError, 'pointer'>[] = [];
  const limit = maxBytes[kindOf(type)];
  if (bytes > limit) {
    const detail = `${id} has ${bytes} bytes where ${limit} are allowed for ${type}`;
    errors.push({ code: 'media_too_large', detail });
  }
  if (duration_ms !== null && (duration_ms < videoMs.least || duration_ms > videoMs.most)) {
    const detail = `${id} lasts ${duration_ms / 1_000} s where 0.5 to 140 s are allowed`;
    errors.push({ code: 'media_duration', detail });
  }
  if (alt_text !== null && alt_text.length > maxAltText) {
    const detail = `${id} has an alt text of ${alt_text.length} characters where ${maxAltText} are allowed`;
    errors.push({ code: 'alt_text_too_long', detail });
  }
  return errors;
}
