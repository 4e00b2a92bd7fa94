import type { Capabilities, DraftTweet } from '@perch/proto/accounts';
import type { FieldError } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { MediaType } from '@perch/proto/media';
import twitter from 'twitter-text';
import type { PlatformReview } from '../platform.ts';

const maxWeightedLength = 280;
const maxImages = 4;
const maxBytes = { image: 5_000_000, gif: 15_000_000, video: 536_870_912 };

/** What the sandbox takes, as X does. */
export const capabilities: Capabilities = {
  max_length: maxWeightedLength,
  length_unit: 'weighted',
  url_length: 23,
  media_types: [...MediaType.options],
  max_images: maxImages,
  max_media_bytes: maxBytes,
  max_alt_text: limits.altTextChars,
};

/** The sandbox has X's rules: weighted length, bare domains are URLs, four images or one GIF or one video. */
export function review(tweets: DraftTweet[]): PlatformReview {
  const lengths = tweets.map(({ text }) => ({
    length: twitter.parseTweet(text).weightedLength,
    max_length: maxWeightedLength,
  }));
  return {
    lengths,
    errors: tweets.flatMap((tweet, index) => [
      ...textErrors(lengths[index]?.length ?? 0, index),
      ...mediaErrors(tweet, index),
    ]),
    contains_url: tweets.some((tweet) => twitter.extractUrls(tweet.text).length > 0),
  };
}

function textErrors(length: number, index: number): FieldError[] {
  if (length <= maxWeightedLength) return [];
  const detail = `is ${length} long where ${maxWeightedLength} are allowed (a URL counts 23, an emoji 2)`;
  return [{ pointer: `/tweets/${index}/text`, code: 'too_long', detail }];
}

function mediaErrors(tweet: DraftTweet, index: number): FieldError[] {
  const kinds = tweet.media.map((media) => kindOf(media.type));
  const images = kinds.filter((kind) => kind === 'image').length;
  const errors: FieldError[] = [];
  if (images > maxImages || (kinds.length > 1 && images < kinds.length)) {
    const detail = `takes up to ${maxImages} images, or one GIF, or one video`;
    errors.push({ pointer: `/tweets/${index}/media_ids`, code: 'media_mix', detail });
  }
  for (const { id, bytes, type } of tweet.media) {
    const limit = maxBytes[kindOf(type)];
    if (bytes <= limit) continue;
    const detail = `${id} has ${bytes} bytes where ${limit} are allowed for ${type}`;
    errors.push({ pointer: `/tweets/${index}/media_ids`, code: 'media_too_large', detail });
  }
  return errors;
}

function kindOf(type: string): keyof typeof maxBytes {
  if (type === 'image/gif') return 'gif';
  return type.startsWith('video/') ? 'video' : 'image';
}
