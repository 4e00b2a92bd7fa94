import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { pipeline } from 'node:stream/promises';
import { Fault, faultOf, faults } from '@perch/proto/faults';
import { type Claim, claimOf, holdClaim, letGo } from '@perch/proto/idempotency';
import { MediaId } from '@perch/proto/ids';
import type { Deps } from './deps.ts';
import { MediaEntity, type Received, toMedia } from './entity.ts';
import { isSigned, type Right } from './signed-url.ts';
import { takeIn } from './take-in.ts';

/** An upload that stalls for so long is given up. */
const idleTimeoutMs = 30_000;

/** The door for bytes, inside the installation: `PUT /uploads/<id>` and `GET /blobs/<id>`, by signed URL. */
export function createHttp(deps: Deps): Server {
  const server = createServer({ requestTimeout: 0 }, (request, response) => {
    void answer(deps, request, response).catch((cause: unknown) => {
      const fault = faultOf(cause);
      if (!fault)
        deps.log.error(
          { err: cause, path: request.url?.split('?')[0] },
          'media request failed by a bug',
        );
      const { code, details, message } = fault ?? new Fault('internal_error');
      if (response.headersSent) return void response.destroy();
      // Read on, or the sender never sees the answer.
      request.resume();
      send(response, faults[code].status, { code, details: { detail: message, ...details } });
    });
  });
  server.setTimeout(idleTimeoutMs);
  return server;
}

async function answer(
  deps: Deps,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', deps.ownUrl);
  const [, place, id] = url.pathname.split('/');
  const right: Right | null =
    request.method === 'PUT' && place === 'uploads'
      ? 'put'
      : request.method === 'GET' && place === 'blobs'
        ? 'get'
        : null;
  const mediaId = MediaId.safeParse(id);
  if (
    !right ||
    !mediaId.success ||
    !isSigned(url, deps.secret, { right, mediaId: mediaId.data, nowMs: deps.clock() })
  ) {
    throw new Fault('not_found');
  }
  if (right === 'put') await takeUpload(deps, mediaId.data, request, response);
  else await giveBlob(deps, mediaId.data, request.headers.range, response);
}

/** One upload to a ticket; a second one finds it used. */
async function takeUpload(
  deps: Deps,
  id: string,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const em = deps.db.fork();
  // Of two that use one ticket, one finds it used.
  const taken = await em.nativeUpdate(
    MediaEntity,
    { id, status: 'pending' },
    { status: 'receiving' },
  );
  if (taken === 0) throw new Fault('not_found');
  const media = await em.findOneOrFail(MediaEntity, { id });
  const claim = await claimOf(deps, { user_id: media.user_id, subject: id });
  const stop = holdClaim(deps, claim);
  try {
    const declaredType = request.headers['content-type'] ?? null;
    const received = await takeIn(deps, { id, bytes: request, declaredType });
    await keepReceived(deps, id, received, claim);
    send(response, 201, received);
  } catch (error) {
    await letGo(deps, claim, error);
    throw error;
  } finally {
    stop();
  }
}

/** Writes down what came, for {@link finishUpload}; not when another attempt empties the place meanwhile. */
async function keepReceived(
  deps: Deps,
  id: string,
  received: Received,
  claim: Claim,
): Promise<void> {
  const { type, bytes, sha256, width, height, duration_ms } = received;
  const rows = await deps.db.execute(
    `update media set type = ?, bytes = ?, sha256 = ?, width = ?, height = ?, duration_ms = ?
     where id = ? and status = 'receiving' and (?::int is null or exists (
       select from idempotency_record where user_id = media.user_id and subject = media.id and attempt = ?))
     returning id`,
    [
      type,
      bytes,
      sha256,
      width,
      height,
      duration_ms,
      id,
      claim?.attempt ?? null,
      claim?.attempt ?? null,
    ],
  );
  if (rows.length > 0) return;
  const detail = 'another attempt with this Idempotency-Key has taken over';
  throw new Fault('idempotency_in_flight', { detail });
}

/** The bytes, or, for `Range: bytes=N-`, those from the Nth on: a connector resumes an upload there. */
async function giveBlob(
  deps: Deps,
  id: string,
  range: string | undefined,
  response: ServerResponse,
): Promise<void> {
  const media = await deps.db.fork().findOne(MediaEntity, { id, status: 'ready' });
  if (!media) throw new Fault('not_found');
  const { type, bytes } = toMedia(media);
  // Any other form of range may be answered with everything (RFC 9110 §14.2).
  const first = /^bytes=(\d{1,15})-$/.exec(range ?? '')?.[1];
  const start = Number(first ?? 0);
  if (start >= bytes && first !== undefined) {
    response.writeHead(416, { 'content-range': `bytes */${bytes}` }).end();
    return;
  }
  response.writeHead(first === undefined ? 200 : 206, {
    'content-type': type,
    'content-length': bytes - start,
    'accept-ranges': 'bytes',
    ...(first !== undefined && { 'content-range': `bytes ${start}-${bytes - 1}/${bytes}` }),
    'x-content-type-options': 'nosniff',
    'content-disposition': 'attachment',
  });
  const part = first === undefined ? undefined : { start, end: bytes };
  await pipeline(await deps.storage.get(id, part), response);
}

function send(response: ServerResponse, status: number, body: unknown): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify(body));
}
