import type { z } from 'zod';
import { type ConnectorDeps, Later, Revoked, type Session } from '../platform.ts';
import { type Answer, type ApiRequest, callApi } from './api.ts';
import { readCredentials } from './credentials.ts';

/** Mastodon counts posts, uploads and everything else apart. */
export type Bucket = 'statuses' | 'media' | 'reads';

type Deps = Pick<ConnectorDeps, 'fetch' | 'clock'>;

/**
 * One request as the account. A limit that is known to be used up is not asked again; a refused token is renewed once.
 * Throws {@link Revoked} or {@link Later}, both only where the instance surely did not act on the request.
 */
export async function asAccount(
  deps: Deps,
  session: Session,
  bucket: Bucket,
  request: Omit<ApiRequest, 'token'>,
): Promise<Answer> {
  const untilMs = await session.rateLimits.blockedUntilMs(bucket);
  if (untilMs !== null) {
    const limit = { remaining: 0, resetMs: untilMs };
    const detail = 'the instance asked to wait';
    return { kind: 'refused', status: 429, detail, error: '', limit };
  }
  const { origin, token } = readCredentials(session.credentials);
  const first = await callApi(deps, origin, { ...request, token });
  const answer = isUnauthorized(first)
    ? await callApi(deps, origin, {
        ...request,
        token: readCredentials(await session.renew()).token,
      })
    : first;
  // Limits of several windows share a kind of call; only one that is used up says when to come back.
  if ('limit' in answer && answer.limit && answer.limit.remaining <= 0)
    await session.rateLimits.note(bucket, { of: 'account', ...answer.limit });
  if (answer.kind === 'refused' && isUnauthorized(answer)) throw new Revoked(answer.detail);
  return answer;
}

function isUnauthorized(answer: Answer): boolean {
  return answer.kind === 'refused' && answer.status === 401;
}

/** Reads something as the account; null where it is gone. Throws {@link Revoked} or {@link Later}. */
export async function readAs<T>(
  deps: Deps,
  session: Session,
  path: string,
  schema: z.ZodType<T>,
): Promise<T | null> {
  const answer = await asAccount(deps, session, 'reads', { method: 'GET', path });
  if (answer.kind === 'refused' && (answer.status === 404 || answer.status === 410)) return null;
  if (answer.kind !== 'ok') throw laterOf(answer);
  const read = schema.safeParse(answer.body);
  if (!read.success) throw new Later('the answer of the instance can not be read');
  return read.data;
}

/** When to come back after an answer that was no success. */
export function laterOf(answer: Exclude<Answer, { kind: 'ok' }>): Later {
  const atMs = answer.kind === 'refused' && answer.status === 429 ? answer.limit?.resetMs : null;
  return new Later(`the instance: ${answer.detail}`, atMs ?? null);
}
