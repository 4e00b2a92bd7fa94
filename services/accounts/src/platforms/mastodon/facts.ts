import { z } from 'zod';

/**
 * What an instance allows, as it told when the account was connected (Instance entity, 4.0 to 4.5). What it does not tell
 * is as Mastodon itself has it.
 */
export const Facts = z.object({
  /** Of a post, as graphemes. */
  maxCharacters: z.number().int().positive().catch(500),
  /** What any URL counts. */
  charactersPerUrl: z.number().int().positive().catch(23),
  maxMedia: z.number().int().positive().catch(4),
  mimeTypes: z
    .array(z.string().max(100))
    .max(200)
    .catch(['image/jpeg', 'image/png', 'image/gif', 'image/webp', 'video/mp4', 'video/quicktime']),
  imageBytes: z.number().int().positive().catch(16_777_216),
  /** Width times height. */
  imagePixels: z.number().int().positive().catch(33_177_600),
  videoBytes: z.number().int().positive().catch(103_809_024),
  videoPixels: z.number().int().positive().catch(8_294_400),
  /** Characters of an alt text. */
  descriptionCharacters: z.number().int().positive().catch(1_500),
});
export type Facts = z.infer<typeof Facts>;

/** Facts that were kept with an account, or Mastodon's own where there are none. */
export function factsOf(kept: unknown): Facts {
  return Facts.parse(typeof kept === 'object' && kept !== null ? kept : {});
}

const some = z.looseObject({}).catch({});
const Instance = z.looseObject({
  /** v2: the domain of its handles. */
  domain: z.string().max(253).optional().catch(undefined),
  /** v1: the same. */
  uri: z.string().max(253).optional().catch(undefined),
  configuration: z.looseObject({ statuses: some, media_attachments: some }).catch({
    statuses: {},
    media_attachments: {},
  }),
});

/** The domain of an instance's handles and its facts, from `GET /api/v2/instance` or v1. */
export function readInstance(answer: unknown): { domain: string | null; facts: Facts } {
  const { domain, uri, configuration } = Instance.parse(answer);
  const { statuses, media_attachments: media } = configuration;
  return {
    domain: domain ?? uri ?? null,
    facts: Facts.parse({
      maxCharacters: statuses['max_characters'],
      charactersPerUrl: statuses['characters_reserved_per_url'],
      maxMedia: statuses['max_media_attachments'],
      mimeTypes: media['supported_mime_types'],
      imageBytes: media['image_size_limit'],
      imagePixels: media['image_matrix_limit'],
      videoBytes: media['video_size_limit'],
      videoPixels: media['video_matrix_limit'],
      descriptionCharacters: media['description_limit'],
    }),
  };
}
