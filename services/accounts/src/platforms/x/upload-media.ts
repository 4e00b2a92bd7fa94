import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { ConnectorDeps, Session, Upload, UploadResult } from '../platform.ts';
import { readTimeoutMs, type XAnswer, type XApi, type XRequest } from './api.ts';
import { kindOf } from './rules.ts';

/** X takes up to 5 MB in one piece; more than a hundred make the largest video. */
const chunkBytes = 4_194_304;
/** A line that is slower than this many bytes in a millisecond is not waited for. */
const slowestBytesPerMs = 64;
const againMs = 5_000;
/** When X says nothing: less than it has ever kept media. */
const keptSecs = 3_600;
/** X says how long to wait between two looks; within reason. */
const lookAgainSecs = { least: 1, most: 30 };

const categories = { image: 'tweet_image', gif: 'tweet_gif', video: 'tweet_video' };

const State = z.object({
  mediaId: z.string(),
  /** How many pieces X has for sure. */
  chunks: z.number().int(),
  finalized: z.boolean(),
  expiresAtMs: z.number(),
});
type State = z.infer<typeof State>;

const Uploaded = z.object({
  data: z.object({
    id: z.string().regex(/^\d+$/),
    expires_after_secs: z.number().optional(),
    size: z.number().optional(),
    processing_info: z
      .object({
        state: z.string(),
        check_after_secs: z.number().optional(),
        error: z.object({ message: z.string().optional(), name: z.string().optional() }).optional(),
      })
      .optional(),
  }),
});
type Uploaded = z.infer<typeof Uploaded>['data'];

interface Job {
  deps: ConnectorDeps & { api: XApi };
  session: Session;
  upload: Upload;
  signal: AbortSignal;
}

/** An upload that ended otherwise than well. */
class Stopped extends Error {
  readonly result: UploadResult;
  constructor(result: UploadResult) {
    super(result.kind);
    this.result = result;
  }
}

/**
 * Brings a file to X in pieces, waits until X has made of it what it shows, and says what it shows to those who do not
 * see it. An image goes the same way: so all of them can go on where they broke off.
 */
export async function uploadMedia(
  deps: ConnectorDeps & { api: XApi },
  session: Session,
  upload: Upload,
  signal: AbortSignal,
): Promise<UploadResult> {
  const job = { deps, session, upload, signal };
  const earlier = State.safeParse(upload.state).data ?? null;
  try {
    try {
      return await bring(job, earlier);
    } catch (error) {
      // X may have forgotten what an earlier attempt left there: then from the start, once.
      if (!earlier || !(error instanceof Stopped) || error.result.kind !== 'rejected') throw error;
      return await bring(job, null);
    }
  } catch (error) {
    if (error instanceof Stopped) return error.result;
    throw error;
  }
}

async function bring(job: Job, earlier: State | null): Promise<UploadResult> {
  let state = earlier ?? (await initialize(job));
  state = await append(job, state);
  const { deps, upload } = job;
  let made: Uploaded;
  if (state.finalized) made = await look(job, state.mediaId);
  else {
    made = await finalize(job, state.mediaId);
    state = { ...state, finalized: true, expiresAtMs: expiryOf(deps, made) };
    await upload.save(state, state.expiresAtMs);
  }
  await processed(job, made);
  await describe(job, state.mediaId);
  return { kind: 'uploaded', ref: state.mediaId, expiresAtMs: state.expiresAtMs };
}

async function initialize(job: Job): Promise<State> {
  const { media } = job.upload;
  const body = {
    media_type: media.type,
    total_bytes: media.bytes,
    media_category: categories[kindOf(media.type)],
  };
  const made = await ask(job, { path: '/2/media/upload/initialize', body });
  const state = {
    mediaId: made.id,
    chunks: 0,
    finalized: false,
    expiresAtMs: expiryOf(job.deps, made),
  };
  await job.upload.save(state, state.expiresAtMs);
  return state;
}

/** Sends the pieces that X does not have yet; the same piece again takes the place of the first. */
async function append(job: Job, from: State): Promise<State> {
  const { upload } = job;
  const fromByte = from.chunks * chunkBytes;
  let state = from;
  let bytes = fromByte;
  if (from.finalized || fromByte >= upload.media.bytes) return state;
  for await (const chunk of pieces(await open(job, fromByte))) {
    bytes += chunk.length;
    const form = new FormData();
    form.set('segment_index', String(state.chunks));
    form.set('media', new Blob([chunk]), 'media');
    const path = `/2/media/upload/${state.mediaId}/append`;
    const request = { method: 'POST', path, bucket: 'media-append', body: form } as const;
    await done(job, request, chunk.length);
    state = { ...state, chunks: state.chunks + 1 };
    await upload.save(state, state.expiresAtMs);
  }
  if (bytes !== upload.media.bytes) throw retry(job.deps, 'the file could not be read to its end');
  return state;
}

async function open(job: Job, fromByte: number): Promise<ReadableStream<Uint8Array>> {
  try {
    return await job.upload.open(fromByte);
  } catch (err) {
    job.deps.log.warn({ err, mediaId: job.upload.media.id }, 'the file can not be read');
    throw retry(job.deps, 'the file could not be read');
  }
}

/** The stream in pieces of one size, the last one shorter. */
async function* pieces(
  stream: ReadableStream<Uint8Array>,
): AsyncGenerator<Uint8Array<ArrayBuffer>> {
  let piece = new Uint8Array(chunkBytes);
  let filled = 0;
  for await (const bytes of stream) {
    let from = 0;
    while (from < bytes.length) {
      const part = bytes.subarray(from, from + chunkBytes - filled);
      piece.set(part, filled);
      filled += part.length;
      from += part.length;
      if (filled < chunkBytes) continue;
      yield piece;
      piece = new Uint8Array(chunkBytes);
      filled = 0;
    }
  }
  if (filled > 0) yield piece.slice(0, filled);
}

async function finalize(job: Job, mediaId: string): Promise<Uploaded> {
  const made = await ask(job, { path: `/2/media/upload/${mediaId}/finalize` });
  const { bytes } = job.upload.media;
  if (made.size !== undefined && made.size !== bytes)
    throw rejected(`X has ${made.size} bytes of it where ${bytes} were sent`);
  return made;
}

/** Waits until X is done with it. */
async function processed(job: Job, made: Uploaded): Promise<void> {
  let info = made.processing_info;
  while (info && info.state !== 'succeeded') {
    if (info.state === 'failed')
      throw rejected(
        `X can not use the file: ${info.error?.message ?? info.error?.name ?? 'it does not say why'}`,
      );
    const { least, most } = lookAgainSecs;
    const seconds = Math.min(Math.max(info.check_after_secs ?? least, least), most);
    try {
      await setTimeout(seconds * 1_000, undefined, { signal: job.signal });
    } catch {
      throw retry(job.deps, 'X is still working on the file');
    }
    info = (await look(job, made.id)).processing_info;
  }
}

async function look(job: Job, mediaId: string): Promise<Uploaded> {
  const query = { command: 'STATUS', media_id: mediaId };
  const request = {
    method: 'GET',
    path: '/2/media/upload',
    bucket: 'media-status',
    query,
  } as const;
  return parse(job, await done(job, request));
}

/** X takes descriptions of images and GIFs, not of videos. */
async function describe(job: Job, mediaId: string): Promise<void> {
  const { alt_text, type } = job.upload.media;
  if (!alt_text || kindOf(type) === 'video') return;
  const body = { id: mediaId, metadata: { alt_text: { text: alt_text } } };
  const path = '/2/media/metadata';
  await done(job, { method: 'POST', path, bucket: 'media-metadata', body });
}

async function ask(job: Job, request: { path: string; body?: object }): Promise<Uploaded> {
  return parse(job, await done(job, { method: 'POST', bucket: 'media', ...request }));
}

function parse(job: Job, body: unknown): Uploaded {
  const parsed = Uploaded.safeParse(body).data;
  if (!parsed) throw retry(job.deps, 'X answered something that can not be read');
  return parsed.data;
}

/** Nothing here publishes, so whatever is not refused may be done again. */
async function done(job: Job, request: XRequest, piece = 0): Promise<unknown> {
  const { deps, session, signal } = job;
  const timeoutMs = readTimeoutMs + Math.ceil(piece / slowestBytesPerMs);
  const within = AbortSignal.any([signal, AbortSignal.timeout(timeoutMs)]);
  const answer: XAnswer = await deps.api.call(session, request, within);
  if (answer.kind === 'done') return answer.body;
  if (answer.kind === 'refused') throw rejected(answer.detail);
  const atMs = answer.kind === 'waiting' ? answer.untilMs : undefined;
  throw retry(deps, answer.detail, atMs);
}

function expiryOf(deps: ConnectorDeps, made: Uploaded): number {
  return deps.clock() + (made.expires_after_secs ?? keptSecs) * 1_000;
}

function rejected(detail: string): Stopped {
  return new Stopped({ kind: 'rejected', code: 'media_rejected', detail });
}

function retry(deps: ConnectorDeps, detail: string, atMs?: number): Stopped {
  return new Stopped({ kind: 'retry', at_ms: atMs ?? deps.clock() + againMs, detail });
}
