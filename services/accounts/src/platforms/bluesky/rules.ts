import { RichText } from '@atproto/api';
import type { Capabilities, DraftTweet } from '@perch/proto/accounts';
import type { FieldError } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import type { PlatformReview } from '../platform.ts';

const maxGraphemes = 300;
const maxTextBytes = 3_000;
const maxImages = 4;
const maxImageBytes = 2_000_000;
const maxVideoBytes = 300_000_000;
const maxVideoMs = 600_000;
const imageTypes = ['image/jpeg', 'image/png', 'image/webp'] as const;

/** What Bluesky takes (lexicons `app.bsky.feed.post` and `app.bsky.embed.*`, 2026-11). */
export const capabilities: Capabilities = {
  max_length: maxGraphemes,
  length_unit: 'graphemes',
  url_length: null,
  media_types: [...imageTypes, 'video/mp4'],
  max_images: maxImages,
  max_media_bytes: { image: maxImageBytes, gif: 0, video: maxVideoBytes },
  max_alt_text: limits.altTextChars,
};

/** Whether a draft fits Bluesky; a URL is what the network's own library would make a link of. */
export function review(tweets: DraftTweet[]): PlatformReview {
  const texts = tweets.map(({ text }) => new RichText({ text }));
  return {
    lengths: texts.map((text) => ({ length: text.graphemeLength, max_length: maxGraphemes })),
    errors: tweets.flatMap((tweet, index) => [
      ...textErrors(texts[index] ?? new RichText({ text: '' }), index),
      ...mediaErrors(tweet, index),
    ]),
    contains_url: texts.some(hasLink),
  };
}

function hasLink(text: RichText): boolean {
  text.detectFacetsWithoutResolution();
  return (text.facets ?? []).some(({ features }) =>
    features.some(({ $type }) => $type === 'app.bsky.richtext.facet#link'),
  );
}

function textErrors(text: RichText, index: number): FieldError[] {
  const pointer = `/tweets/${index}/text`;
  if (text.graphemeLength > maxGraphemes) {
    const detail = `is ${text.graphemeLength} characters long where ${maxGraphemes} are allowed`;
    return [{ pointer, code: 'too_long', detail }];
  }
  // Emoji of many parts count once and weigh a lot.
  if (text.length > maxTextBytes) {
    const detail = `has ${text.length} bytes where ${maxTextBytes} are allowed`;
    return [{ pointer, code: 'too_long', detail }];
  }
  return [];
}

function mediaErrors(tweet: DraftTweet, index: number): FieldError[] {
  const pointer = `/tweets/${index}/media_ids`;
  const { media } = tweet;
  const videos = media.filter(({ type }) => type.startsWith('video/')).length;
  const errors = media.flatMap((one, at) => fileErrors(one, `${pointer}/${at}`));
  if (videos > 1 || (videos === 1 && media.length > 1) || media.length > maxImages) {
    const detail = `takes up to ${maxImages} images, or one video`;
    errors.push({ pointer, code: 'media_mix', detail });
  }
  return errors;
}

function fileErrors(file: DraftTweet['media'][number], pointer: string): FieldError[] {
  const { type, bytes, duration_ms } = file;
  if (!(capabilities.media_types as string[]).includes(type)) {
    const detail = `is ${type} where JPEG, PNG, WebP and MP4 are allowed`;
    return [{ pointer, code: 'media_type', detail }];
  }
  const errors: FieldError[] = [];
  const limit = type === 'video/mp4' ? maxVideoBytes : maxImageBytes;
  if (bytes > limit) {
    const detail = `has ${bytes} bytes where ${limit} are allowed for ${type}`;
    errors.push({ pointer, code: 'media_too_large', detail });
  }
  if ((duration_ms ?? 0) > maxVideoMs) {
    const detail = `lasts ${duration_ms} ms where ${maxVideoMs} are allowed`;
    errors.push({ pointer, code: 'media_duration', detail });
  }
  return errors;
}
