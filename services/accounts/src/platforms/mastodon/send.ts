import { createHash } from 'node:crypto';
import {
  type ConnectorDeps,
  Later,
  type Outgoing,
  Revoked,
  type SendResult,
  type Session,
} from '../platform.ts';
import type { Answer } from './api.ts';
import { asAccount } from './as-account.ts';
import { Status, standingOf } from './status.ts';

type Deps = Pick<ConnectorDeps, 'fetch' | 'clock' | 'log'>;

const againMs = 5_000;

/**
 * Posts, answers or boosts. Every attempt carries the same `Idempotency-Key`, which Mastodon keeps for an hour: a
 * repeated one gets the post that stands. Visibility and language are the account's own defaults.
 */
export async function send(
  deps: Deps,
  session: Session,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<SendResult> {
  try {
    const answer =
      outgoing.kind === 'repost'
        ? await boost(deps, session, outgoing, signal)
        : await post(deps, session, outgoing, signal);
    return await resultOf(deps, session, outgoing, answer);
  } catch (error) {
    if (error instanceof Revoked)
      return { kind: 'rejected', code: 'account_disconnected', detail: error.message };
    if (error instanceof Later)
      return { kind: 'retry', at_ms: error.atMs ?? deps.clock() + againMs, detail: error.message };
    throw error;
  }
}

/** The same for every attempt at a send, and nothing that tells of the post to the instance. */
export function idempotencyKey(key: string): string {
  return createHash('sha256').update(key).digest('hex');
}

function post(deps: Deps, session: Session, outgoing: Outgoing, signal: AbortSignal) {
  const { text, media, inReplyTo } = outgoing;
  return asAccount(deps, session, 'statuses', {
    method: 'POST',
    path: '/api/v1/statuses',
    headers: { 'idempotency-key': idempotencyKey(outgoing.key) },
    json: {
      status: text,
      ...(media.length > 0 && { media_ids: media.map((one) => one.ref) }),
      ...(inReplyTo !== null && { in_reply_to_id: inReplyTo }),
    },
    signal,
  });
}

/** Again is harmless: an instance answers with the boost that stands. */
function boost(deps: Deps, session: Session, { inReplyTo }: Outgoing, signal: AbortSignal) {
  const path = `/api/v1/statuses/${encodeURIComponent(inReplyTo ?? '')}/reblog`;
  return asAccount(deps, session, 'statuses', { method: 'POST', path, signal });
}

async function resultOf(
  deps: Deps,
  session: Session,
  outgoing: Outgoing,
  answer: Answer,
): Promise<SendResult> {
  const { detail } = answer.kind === 'ok' ? { detail: 'the answer can not be read' } : answer;
  if (answer.kind === 'unsent') return { kind: 'retry', at_ms: deps.clock() + againMs, detail };
  if (answer.kind === 'lost') return { kind: 'unknown', detail };
  if (answer.kind === 'ok') {
    const status = Status.safeParse(answer.body);
    if (!status.success) return { kind: 'unknown', detail };
    const lacking = outgoing.media.length - status.data.media_attachments.length;
    if (lacking > 0)
      deps.log.warn({ platformId: status.data.id, lacking }, 'the instance left media out');
    return { kind: 'published', ...standingOf(status.data) };
  }
  const { status } = answer;
  if (status === 429)
    return { kind: 'retry', at_ms: answer.limit?.resetMs ?? deps.clock() + againMs, detail };
  // Also 503: Mastodon answers so when what comes after the post was stored fails.
  if (status >= 500 || status === 408) return { kind: 'unknown', detail };
  if (status === 422 && outgoing.media.length > 0)
    return (await mediaTrouble(deps, session, outgoing)) ?? refused(detail);
  return refused(detail);
}

function refused(detail: string): SendResult {
  return { kind: 'rejected', code: 'platform_rejected', detail };
}

/**
 * What a refused post's media have to do with it; null: nothing. Told by asking for each, for the instance's words are
 * in the person's language.
 */
async function mediaTrouble(
  deps: Deps,
  session: Session,
  outgoing: Outgoing,
): Promise<SendResult | null> {
  const at_ms = deps.clock() + againMs;
  // The post was refused, so whatever can not be found out now may be asked again.
  for (const { ref } of outgoing.media) {
    const path = `/api/v1/media/${encodeURIComponent(ref)}`;
    const answer = await asAccount(deps, session, 'reads', { method: 'GET', path });
    if (answer.kind === 'ok' && answer.status === 206) {
      const detail = 'the instance still processes the media';
      return { kind: 'retry', at_ms, detail };
    }
    if (answer.kind === 'refused' && answer.status === 404) {
      const detail = 'the instance no longer has the media';
      // After an earlier attempt they may be gone because a post of ours has them.
      return outgoing.attempt > 1
        ? { kind: 'unknown', detail, stands: true }
        : { kind: 'retry', at_ms, detail, mediaGone: true };
    }
    if (answer.kind !== 'ok') return { kind: 'retry', at_ms, detail: answer.detail };
  }
  return null;
}
