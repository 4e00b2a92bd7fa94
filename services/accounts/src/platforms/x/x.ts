import { z } from 'zod';
import type { XSettings } from '../../config.ts';
import { type ConnectorDeps, Later, type Platform, type Session } from '../platform.ts';
import { bodyOf, createApi, readTimeoutMs, settled, type XApi, type XRequest } from './api.ts';
import { createConnection } from './connect.ts';
import { lookUp } from './look-up.ts';
import { replies } from './replies.ts';
import { capabilities, review } from './rules.ts';
import { send } from './send.ts';
import { uploadMedia } from './upload-media.ts';

/** X, by its API v2; README.md says what it does and why. */
export function createX(settings: XSettings, connectorDeps: ConnectorDeps): Platform {
  const deps = { ...connectorDeps, api: createApi(settings, connectorDeps) };
  return {
    capabilities,
    connection: createConnection(settings, deps),
    sendTimeoutMs: settings.sendTimeoutMs,
    readBackLagMs: settings.readBackLagMs,
    review,
    uploadMedia: (session, upload, signal) => uploadMedia(deps, session, upload, signal),
    send: (session, outgoing, signal) => send(deps, session, outgoing, signal),
    lookUp: (session, sought, sent) => lookUp(deps, session, sought, sent),
    stands: (session, id) => stands(deps, session, id),
    replies: (session, to) => replies(deps, session, to),
    delete: (session, id) => takeDown(deps, session, id),
  };
}

const Found = z.object({
  data: z.array(z.object({ id: z.string() })).default([]),
  errors: z
    .array(z.object({ type: z.string().optional(), resource_id: z.string().optional() }))
    .default([]),
});

async function stands(
  deps: ConnectorDeps & { api: XApi },
  session: Session,
  id: string,
): Promise<boolean> {
  const query = { ids: id };
  const request = { method: 'GET', path: '/2/tweets', bucket: 'lookup', query } as const;
  const answer = await call(deps, session, request);
  const { data, errors } = bodyOf(answer, Found, deps.clock());
  if (data.some((tweet) => tweet.id === id)) return true;
  if (errors.some((error) => error.type?.endsWith('resource-not-found'))) return false;
  throw new Later('X does not say whether the post still stands');
}

async function takeDown(
  deps: ConnectorDeps & { api: XApi },
  session: Session,
  id: string,
): Promise<void> {
  const request = { method: 'DELETE', path: `/2/tweets/${id}`, bucket: 'delete' } as const;
  const answer = settled(await call(deps, session, request), deps.clock());
  if (answer.kind === 'refused' && answer.status !== 404) throw new Later(answer.detail);
}

function call(deps: { api: XApi }, session: Session, request: XRequest) {
  return deps.api.call(session, request, AbortSignal.timeout(readTimeoutMs));
}
