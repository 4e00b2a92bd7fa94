import { setTimeout } from 'node:timers/promises';
import type { MediaType } from '@perch/proto/media';
import { z } from 'zod';
import {
  type ConnectorDeps,
  Later,
  type Session,
  type Upload,
  type UploadResult,
} from '../platform.ts';
import type { Answer } from './api.ts';
import { asAccount } from './as-account.ts';
import { EntityId } from './status.ts';

type Deps = Pick<ConnectorDeps, 'fetch' | 'clock'>;

/** Instances forget media that no post has after a day. */
const keptMs = 20 * 3_600_000;
const againMs = 10_000;
const pollMs = 500;
const pollMaxMs = 5_000;

const extensions: Record<MediaType, string> = {
  'image/jpeg': 'jpg',
  'image/png': 'png',
  'image/webp': 'webp',
  'image/gif': 'gif',
  'video/mp4': 'mp4',
  'video/quicktime': 'mov',
};

const State = z.object({ mediaId: EntityId });
const Attachment = z.object({ id: EntityId, type: z.string(), url: z.string().nullish() });

/**
 * Streams one file to the instance with its alt text and waits until it is processed. Uploads can not be resumed there;
 * what was uploaded whole is, in a later attempt, only waited for.
 */
export async function uploadMedia(
  deps: Deps,
  session: Session,
  upload: Upload,
  signal: AbortSignal,
): Promise<UploadResult> {
  const known = State.safeParse(upload.state);
  try {
    if (known.success)
      return await processed(deps, session, known.data.mediaId, { upload, signal });
    const answer = await bring(deps, session, upload, signal);
    if (answer.kind !== 'ok') return failed(deps, answer);
    const attachment = Attachment.safeParse(answer.body);
    if (!attachment.success) return later(deps, 'the answer of the instance can not be read');
    const { id, type } = attachment.data;
    await upload.save({ mediaId: id }, deps.clock() + keptMs);
    if (answer.status === 202) return await processed(deps, session, id, { upload, signal });
    return uploaded(deps, id, type);
  } catch (error) {
    if (error instanceof Later)
      return { kind: 'retry', at_ms: error.atMs ?? deps.clock() + againMs, detail: error.message };
    throw error;
  }
}

async function bring(deps: Deps, session: Session, upload: Upload, signal: AbortSignal) {
  const { type, alt_text } = upload.media;
  const boundary = `perch-${crypto.randomUUID()}`;
  const open = () =>
    ReadableStream.from(
      formParts(boundary, {
        description: alt_text,
        type,
        name: `media.${extensions[type]}`,
        bytes: () => upload.open(0),
      }),
    );
  return asAccount(deps, session, 'media', {
    method: 'POST',
    path: '/api/v2/media',
    stream: { contentType: `multipart/form-data; boundary=${boundary}`, open },
    signal,
  });
}

/** A multipart form that is written as the file is read. */
async function* formParts(
  boundary: string,
  file: {
    description: string | null;
    type: string;
    name: string;
    bytes(): Promise<ReadableStream<Uint8Array>>;
  },
): AsyncGenerator<Uint8Array> {
  const text = new TextEncoder();
  const head = `--${boundary}\r\nContent-Disposition: form-data; name=`;
  if (file.description !== null)
    yield text.encode(`${head}"description"\r\n\r\n${file.description}\r\n`);
  yield text.encode(`${head}"file"; filename="${file.name}"\r\nContent-Type: ${file.type}\r\n\r\n`);
  yield* await file.bytes();
  yield text.encode(`\r\n--${boundary}--\r\n`);
}

/** Asks until the instance has processed the media, or the time is over: then a later attempt goes on asking. */
async function processed(
  deps: Deps,
  session: Session,
  id: string,
  { upload, signal }: { upload: Upload; signal: AbortSignal },
): Promise<UploadResult> {
  const path = `/api/v1/media/${encodeURIComponent(id)}`;
  for (let waitMs = pollMs; !signal.aborted; waitMs = Math.min(waitMs * 1.5, pollMaxMs)) {
    const answer = await asAccount(deps, session, 'reads', { method: 'GET', path });
    if (answer.kind === 'refused' && (answer.status === 404 || answer.status === 422)) {
      // Gone, or not to be processed: a later attempt must bring it again.
      await upload.save(null, deps.clock() + keptMs);
      if (answer.status === 404) return later(deps, 'the instance lost the media');
    }
    if (answer.kind !== 'ok') return failed(deps, answer);
    if (answer.status !== 206) {
      const attachment = Attachment.safeParse(answer.body);
      if (!attachment.success) return later(deps, 'the answer of the instance can not be read');
      return uploaded(deps, id, attachment.data.type);
    }
    await setTimeout(waitMs, undefined, { signal }).catch(() => undefined);
  }
  return later(deps, 'the instance still processes the media');
}

function uploaded(deps: Deps, ref: string, type: string): UploadResult {
  if (type !== 'unknown') return { kind: 'uploaded', ref, expiresAtMs: deps.clock() + keptMs };
  const detail = 'the instance does not know what it is';
  return { kind: 'rejected', code: 'media_rejected', detail };
}

/** An upload publishes nothing, so whatever went wrong with it may be tried again. */
function failed(deps: Deps, answer: Exclude<Answer, { kind: 'ok' }>): UploadResult {
  const { detail } = answer;
  if (answer.kind !== 'refused') return later(deps, detail);
  const { status, limit } = answer;
  if (status === 429)
    return { kind: 'retry', at_ms: limit?.resetMs ?? deps.clock() + againMs, detail };
  if (status >= 500 || status === 408) return later(deps, detail);
  return { kind: 'rejected', code: 'media_rejected', detail };
}

function later(deps: Deps, detail: string): UploadResult {
  return { kind: 'retry', at_ms: deps.clock() + againMs, detail };
}
