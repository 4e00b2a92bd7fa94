import { createHash } from 'node:crypto';
import { Readable } from 'node:stream';
import type { Multipart } from '@fastify/multipart';
import { Fault, faultOf } from '@perch/proto/faults';
import { keyReused } from '@perch/proto/idempotency';
import { MediaId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { AltText, Media, MediaUrl } from '@perch/proto/media';
import { parseInput } from '@perch/proto/validation';
import { z } from 'zod';
import { bodyOf, doneOnce, type Operation, type Request } from './operation.ts';

const tag = 'Media';
const ImportBody = z.strictObject({ url: MediaUrl, alt_text: AltText.optional() });
const AltTextPart = z.object({ alt_text: AltText.unwrap() });
/** UTF-8 takes up to three bytes for each unit that the limit counts; one more shows that it is passed. */
const altTextBytes = 3 * limits.altTextChars + 1;

/** Everything below `/media` (seed §4). */
export const mediaOperations: Operation[] = [
  {
    id: 'createMedia',
    method: 'POST',
    path: '/media',
    tag,
    summary: 'Upload an image or video, or have one fetched',
    says: 'Either a form with the part `file` and, before or after it, `alt_text`; or JSON with an HTTPS `url` of a public host. What no post uses is deleted after a day.',
    scope: 'media:write',
    body: ImportBody,
    upload: true,
    example: { url: 'https://example.com/picture.png', alt_text: 'A lighthouse at dusk.' },
    status: 201,
    response: Media,
    errors: ['media_url_rejected'],
    links: {
      read: {
        to: 'getMedia',
        says: 'What is known of it.',
        parameters: { 'path.id': '$response.body#/id' },
      },
      post: {
        to: 'createPost',
        says: 'A post with it.',
        body: { tweets: [{ text: '', media_ids: ['$response.body#/id'] }] },
      },
    },
    async handle(request) {
      const media = request.raw.isMultipart() ? await upload(request) : await importUrl(request);
      request.reply.header('location', `/api/v1/media/${media.id}`);
      return media;
    },
  },
  {
    id: 'getMedia',
    method: 'GET',
    path: '/media/{id}',
    pathId: MediaId,
    tag,
    summary: 'Read what is known of an image or video',
    scope: 'media:write',
    status: 200,
    response: Media,
    errors: ['not_found'],
    async handle({ id, principal, clients }) {
      const media_id = MediaId.safeParse(id);
      if (!media_id.success) throw new Fault('not_found', { detail: 'no such media' });
      return clients.media.get.query({ tenant: principal.tenant, media_id: media_id.data });
    },
  },
];

async function importUrl(request: Request): Promise<Media> {
  const { url, alt_text = null } = bodyOf(ImportBody, request);
  const { idempotency, principal } = request;
  const context = { timeoutMs: limits.mediaFetchTimeoutMs + limits.callTimeoutMs };
  const input = { tenant: principal.tenant, url, alt_text: alt_text || null, idempotency };
  return doneOnce(request, await request.clients.media.importUrl.mutate(input, { context }));
}

/** Streams the part `file` on to the media service as it arrives; nothing is kept here. */
async function upload(request: Request): Promise<Media> {
  let altText: string | undefined;
  let finish: Finish | null = null;
  for await (const part of partsOf(request)) {
    if (part.type === 'field' && part.fieldname === 'alt_text' && altText === undefined) {
      // Forms have CR LF where their texts have LF.
      altText = parseInput(AltTextPart, { alt_text: part.value }).alt_text.replaceAll('\r\n', '\n');
    } else if (part.type === 'file' && part.fieldname === 'file') {
      finish = await passOn(request, part.file, part.mimetype);
      if (part.file.truncated) throw tooLarge();
    } else {
      if (part.type === 'file') part.file.resume();
      throw unknownPart(part.fieldname, altText !== undefined);
    }
  }
  if (!finish) throw badPart('file', 'required', 'is required: the image or video');
  return finish(altText || null);
}

/** Makes media of the bytes that were passed on; the alt text may come behind them. */
type Finish = (altText: string | null) => Promise<Media>;

/** The parts of a form as they arrive; one that can not be read is the caller's mistake. */
async function* partsOf(request: Request): AsyncGenerator<Multipart> {
  try {
    yield* request.raw.parts({
      limits: { fileSize: limits.mediaBytes, files: 1, fields: 4, fieldSize: altTextBytes },
    });
  } catch (cause) {
    throw faultOf(cause) ?? (cause instanceof Error && 'code' in cause ? cause : broken(cause));
  }
}

function broken(cause: unknown): Fault {
  const why = cause instanceof Error ? `: ${cause.message}` : '';
  const detail = `the multipart form can not be read${why}`;
  return new Fault('invalid_request', { detail }, { cause });
}

async function passOn(request: Request, file: Readable, type: string): Promise<Finish> {
  const { clients, principal, idempotency } = request;
  const { tenant } = principal;
  const upload = await clients.media.prepareUpload.mutate({ tenant, idempotency });
  if (upload.state === 'done') {
    const sha256 = await sha256Of(file);
    return async (alt_text) => {
      const { media } = upload;
      if (sha256 !== media.sha256 || alt_text !== media.alt_text) throw keyReused();
      return doneOnce(request, { result: media, replayed: true });
    };
  }
  await putBytes(upload.url, file, type);
  const { media_id, attempt } = upload;
  return (alt_text) =>
    clients.media.finishUpload.mutate({ tenant, media_id, attempt, alt_text, idempotency });
}

async function putBytes(url: string, file: Readable, type: string): Promise<void> {
  const response = await fetch(url, {
    method: 'PUT',
    body: Readable.toWeb(file) as ReadableStream<Uint8Array>,
    headers: { 'content-type': type },
    duplex: 'half',
    signal: AbortSignal.timeout(uploadTimeoutMs),
  }).catch((cause: unknown) => {
    if (file.errored) throw broken(file.errored);
    throw (
      faultOf(cause) ??
      new Fault('service_unavailable', { detail: 'media: the upload broke off' }, { cause })
    );
  });
  const answer: unknown = await response.json();
  if (response.ok) return;
  const failed = Refused.parse(answer);
  // What the media service refuses, it refuses by our own codes.
  throw (
    faultOf(Object.assign(new Error(), { data: { fault: failed } })) ?? new Fault('internal_error')
  );
}

async function sha256Of(file: Readable): Promise<string> {
  const hash = createHash('sha256');
  for await (const chunk of file) hash.update(chunk);
  return hash.digest('hex');
}

const uploadTimeoutMs = 300_000;
const Refused = z.object({ code: z.string(), details: z.record(z.string(), z.unknown()) });

function unknownPart(name: string, altTextKnown: boolean): Fault {
  if (name === 'alt_text' && altTextKnown) return badPart(name, 'repeated', 'can be given once');
  return badPart(name, 'unknown_field', 'is not a known part; send file and alt_text');
}

function badPart(name: string, code: string, detail: string): Fault {
  return new Fault('validation_failed', {
    detail: `/${name}: ${detail}`,
    errors: [{ pointer: `/${name}`, code, detail }],
  });
}

function tooLarge(): Fault {
  const detail = `media may have up to ${limits.mediaBytes} bytes`;
  return new Fault('payload_too_large', { detail, limit_bytes: limits.mediaBytes });
}
