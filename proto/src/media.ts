import { z } from 'zod';
import { Idempotency, type Once, onceOf } from './idempotency.ts';
import { MediaId, PostId } from './ids.ts';
import { limits } from './limits.ts';
import { type Call, Health, procedure, router } from './rpc.ts';
import { Tenant } from './tenant.ts';
import { StorableText } from './text.ts';

/** The types of media that are taken in; told by content, never by name. */
export const MediaType = z.enum([
  'image/jpeg',
  'image/png',
  'image/webp',
  'image/gif',
  'video/mp4',
  'video/quicktime',
]);
export type MediaType = z.infer<typeof MediaType>;

/** What an image or video shows, for those who do not see it. */
export const AltText = StorableText.max(limits.altTextChars)
  .nullable()
  .describe('What it shows, for those who do not see it.');

/** An image or video that was taken in (seed §2). */
export const Media = z
  .object({
    id: MediaId,
    type: MediaType.describe('Told by the content.'),
    kind: z.enum(['image', 'gif', 'video']).describe('How platforms count it.'),
    bytes: z.number().int().describe('Its size.'),
    sha256: z.string().describe("Of the stored bytes, which are the caller's, unchanged."),
    width: z.number().int().nullable().describe('In pixels; null where the content does not tell.'),
    height: z.number().int().nullable().describe('In pixels.'),
    duration_ms: z
      .number()
      .int()
      .nullable()
      .describe('Of a video; null of anything else, or where the content does not tell.'),
    alt_text: AltText,
    source_url: z.string().nullable().describe('Where it was fetched from, when it was.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'Media' });
export type Media = z.infer<typeof Media>;

/** An HTTPS URL of an image or video (seed §4.2). */
export const MediaUrl = z
  .url({ protocol: /^https$/, error: 'must be an HTTPS URL' })
  .max(limits.urlChars)
  .regex(/^[Hh][Tt][Tt][Pp][Ss]:\/\/[^\s/]/, 'must be an HTTPS URL')
  .meta({ format: 'uri', description: 'An HTTPS URL of an image or video; fetched once, now.' });

const ImportRequest = z.object({
  tenant: Tenant,
  url: MediaUrl,
  alt_text: AltText.default(null),
  idempotency: Idempotency,
});
const UploadRequest = z.object({ tenant: Tenant, idempotency: Idempotency });
const FinishRequest = z.object({
  tenant: Tenant,
  media_id: MediaId,
  attempt: z.number().int().nullable().describe('As the ticket told.'),
  alt_text: AltText,
  idempotency: Idempotency,
});
const OneMedia = z.object({ tenant: Tenant, media_id: MediaId });
const ManyMedia = z.object({
  tenant: Tenant,
  media_ids: z.array(MediaId).max(limits.tweetsPerPost * limits.mediaPerTweet),
});
const Attach = z.object({ tenant: Tenant, media_ids: z.array(MediaId), post_id: PostId });
/** Where an upload goes, or what became of it. */
const Upload = z.discriminatedUnion('state', [
  z.object({
    state: z.literal('ticket'),
    media_id: MediaId,
    attempt: z.number().int().nullable().describe('Of the key, which another may take over.'),
    url: z.string().describe('Takes the raw bytes by one PUT, from inside the installation only.'),
    expires_at: z.iso.datetime(),
  }),
  z.object({ state: z.literal('done'), media: Media }),
]);
export type Upload = z.infer<typeof Upload>;
const Source = Media.pick({
  type: true,
  bytes: true,
  alt_text: true,
  width: true,
  height: true,
  duration_ms: true,
}).extend({ url: z.string() });
export type MediaSource = z.infer<typeof Source>;

/** The media service: takes images and videos in, by upload or URL, and keeps them for publishing. */
export interface MediaService {
  /**
   * A single-use place to PUT the bytes of one upload, whose answer is a success or a problem; or what was uploaded
   * under the same key, to be compared with the bytes that come now.
   */
  prepareUpload(input: z.output<typeof UploadRequest>, call: Call): Promise<Upload>;
  /**
   * Makes media of the bytes that were PUT, once all that is said of them is known: in a form, the alt text may come
   * after the file. `not_found` when no bytes came; again returns the same.
   */
  finishUpload(input: z.output<typeof FinishRequest>, call: Call): Promise<Media>;
  /** Fetches a URL. `media_url_rejected`, `unsupported_media_type` or `payload_too_large` say why not. */
  importUrl(input: z.output<typeof ImportRequest>, call: Call): Promise<Once<Media>>;
  get(input: z.output<typeof OneMedia>, call: Call): Promise<Media>;
  /** All of them, in the order asked; `not_found` with `media_id` if one is missing or another user's. */
  getMany(input: z.output<typeof ManyMedia>, call: Call): Promise<Media[]>;
  /** Keeps them for as long as the post; unattached media are deleted after a day. */
  attach(input: z.output<typeof Attach>, call: Call): Promise<void>;
  /** Where a platform connector reads the bytes: a signed URL inside the installation. */
  source(input: z.output<typeof OneMedia>, call: Call): Promise<MediaSource>;
  health(call: Call): Promise<Health>;
}

/** The wire form of {@link MediaService}. */
export const mediaRouter = (media: MediaService) =>
  router({
    prepareUpload: procedure
      .input(UploadRequest)
      .output(Upload)
      .mutation(({ input, ctx }) => media.prepareUpload(input, ctx)),
    finishUpload: procedure
      .input(FinishRequest)
      .output(Media)
      .mutation(({ input, ctx }) => media.finishUpload(input, ctx)),
    importUrl: procedure
      .input(ImportRequest)
      .output(onceOf(Media))
      .mutation(({ input, ctx }) => media.importUrl(input, ctx)),
    get: procedure
      .input(OneMedia)
      .output(Media)
      .query(({ input, ctx }) => media.get(input, ctx)),
    getMany: procedure
      .input(ManyMedia)
      .output(z.array(Media))
      .query(({ input, ctx }) => media.getMany(input, ctx)),
    attach: procedure
      .input(Attach)
      .output(z.void())
      .mutation(({ input, ctx }) => media.attach(input, ctx)),
    source: procedure
      .input(OneMedia)
      .output(Source)
      .query(({ input, ctx }) => media.source(input, ctx)),
    health: procedure.output(Health).query(({ ctx }) => media.health(ctx)),
  });
export type MediaRouter = ReturnType<typeof mediaRouter>;
