import { z } from 'zod';
import type { ConnectorDeps, Session, Upload, UploadResult } from '../platform.ts';
import { Revoked } from '../platform.ts';
import { call } from './api.ts';
import { BlobRef } from './post-record.ts';

/** A server keeps a file that nothing refers to for an hour at the least (atproto's blob lifecycle). */
const keptMs = 50 * 60_000;
const againMs = 5_000;

/**
 * Brings a file to the account's server in one streamed request. Bluesky has no upload in parts, so one that
 * broke off begins anew; the server knows a file by its content, so the same one twice is one.
 */
export async function uploadMedia(
  deps: ConnectorDeps,
  session: Session,
  upload: Upload,
  signal: AbortSignal,
): Promise<UploadResult> {
  const { type, bytes } = upload.media;
  const body = async () => ({ content: await upload.open(0), type, bytes });
  const answer = await call(
    deps,
    session,
    { nsid: 'com.atproto.repo.uploadBlob', body, answer: Uploaded },
    signal,
  );
  const at_ms = deps.clock() + againMs;
  if (answer.kind === 'ok') {
    const { blob } = answer.body;
    if (blob.size !== bytes)
      return { kind: 'retry', at_ms, detail: `the server took ${blob.size} of ${bytes} bytes` };
    return { kind: 'uploaded', ref: JSON.stringify(blob), expiresAtMs: deps.clock() + keptMs };
  }
  const { detail } = answer;
  if (answer.kind === 'revoked') throw new Revoked(detail);
  if (answer.kind === 'refused') return { kind: 'rejected', code: 'media_rejected', detail };
  const atMs = 'atMs' in answer ? answer.atMs : null;
  return { kind: 'retry', at_ms: atMs ?? at_ms, detail };
}

const Uploaded = z.object({ blob: BlobRef });
