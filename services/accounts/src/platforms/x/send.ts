import { z } from 'zod';
import {
  type ConnectorDeps,
  Later,
  type Outgoing,
  Revoked,
  type SendResult,
  type Session,
  type Standing,
} from '../platform.ts';
import type { XAnswer, XApi, XRequest } from './api.ts';
import { madeAtMs } from './snowflake.ts';

/** Waits double from the first, for sends that surely did not get there. */
const retryMs = { first: 2_000, longest: 60_000 };
/** A fresh upload may be lost too, but one that is refused again and again is the file's fault. */
const mediaAttempts = 3;

const Created = z.object({ data: z.object({ id: z.string().regex(/^\d+$/) }) });
const Reposted = z.object({
  data: z.object({ retweeted: z.literal(true), rest_id: z.string().optional() }),
});

/** Publishes one tweet, reply or repost. X has no key by which it takes a send once, so whatever is unclear is `unknown`. */
export async function send(
  deps: ConnectorDeps & { api: XApi },
  session: Session,
  outgoing: Outgoing,
  signal: AbortSignal,
): Promise<SendResult> {
  const request = requestOf(session, outgoing);
  try {
    const answer = await deps.api.call(session, request, signal);
    return outcomeOf(answer, { session, outgoing, nowMs: deps.clock() });
  } catch (error) {
    // Both are thrown only after a 401, by which X did nothing.
    if (error instanceof Revoked)
      return { kind: 'rejected', code: 'account_disconnected', detail: error.message };
    if (error instanceof Later)
      return {
        kind: 'retry',
        at_ms: error.atMs ?? againAtMs(deps.clock(), outgoing),
        detail: error.message,
      };
    throw error;
  }
}

/** Where a post stands. */
export function standing(session: Session, id: string, nowMs: number): Standing {
  const url = `https://x.com/${session.handle}/status/${id}`;
  return { platform_id: id, url, published_at_ms: madeAtMs(id, nowMs) };
}

function requestOf(session: Session, outgoing: Outgoing): XRequest {
  const { kind, text, media, inReplyTo } = outgoing;
  if (kind === 'repost') {
    const path = `/2/users/${session.remoteId}/retweets`;
    return { method: 'POST', path, bucket: 'retweet', body: { tweet_id: inReplyTo } };
  }
  const body = {
    ...(text !== '' && { text }),
    ...(inReplyTo && { reply: { in_reply_to_tweet_id: inReplyTo } }),
    ...(media.length > 0 && { media: { media_ids: media.map((one) => one.ref) } }),
  };
  return { method: 'POST', path: '/2/tweets', bucket: 'tweet', body };
}

interface About {
  session: Session;
  outgoing: Outgoing;
  nowMs: number;
}

function outcomeOf(answer: XAnswer, about: About): SendResult {
  const { outgoing, nowMs } = about;
  switch (answer.kind) {
    case 'done':
      return published(answer.body, about);
    case 'refused':
      return refusal(answer, about);
    case 'waiting':
      return { kind: 'retry', at_ms: answer.untilMs, detail: answer.detail };
    case 'unsent':
      return { kind: 'retry', at_ms: againAtMs(nowMs, outgoing), detail: answer.detail };
    case 'lost':
      return { kind: 'unknown', detail: answer.detail };
  }
}

function published(body: unknown, { session, outgoing, nowMs }: About): SendResult {
  if (outgoing.kind === 'repost') {
    const { data } = Reposted.safeParse(body);
    if (data) return reposted(session, outgoing, data.data.rest_id, nowMs);
  } else {
    const { data } = Created.safeParse(body);
    if (data) return { kind: 'published', ...standing(session, data.data.id, nowMs) };
  }
  return { kind: 'unknown', detail: 'X’s answer does not say what became of it' };
}

/** A repost shows as the original, so that is where it stands. */
function reposted(
  session: Session,
  { inReplyTo }: Outgoing,
  id: string | undefined,
  nowMs: number,
): SendResult {
  const original = standing(session, inReplyTo ?? '', nowMs);
  const platform_id = id ?? original.platform_id;
  return { kind: 'published', ...original, platform_id, published_at_ms: nowMs };
}

function refusal(
  { status, detail }: Extract<XAnswer, { kind: 'refused' }>,
  { session, outgoing, nowMs }: About,
): SendResult {
  const { kind, attempt, media } = outgoing;
  if (kind === 'repost' && /already retweeted/i.test(detail))
    return reposted(session, outgoing, undefined, nowMs);
  if (status === 403 && /duplicate/i.test(detail)) {
    return attempt > 1
      ? { kind: 'unknown', detail: `X has this already: ${detail}`, stands: true }
      : { kind: 'rejected', code: 'duplicate_content', detail };
  }
  if (kind === 'reply' && status === 403 && notSummoned(detail))
    return { kind: 'rejected', code: 'not_summoned', detail };
  if (media.length > 0 && /media/i.test(detail)) {
    return status === 400 && attempt < mediaAttempts
      ? { kind: 'retry', at_ms: againAtMs(nowMs, outgoing), detail, mediaGone: true }
      : { kind: 'rejected', code: 'media_rejected', detail };
  }
  return { kind: 'rejected', code: 'platform_rejected', detail };
}

/** X has no code for it, and has worded it in two ways this year. */
function notSummoned(detail: string): boolean {
  return /not been mentioned|where you are mentioned|reply to this conversation is not allowed/i.test(
    detail,
  );
}

function againAtMs(nowMs: number, { attempt }: Outgoing): number {
  return nowMs + Math.min(retryMs.first * 2 ** (attempt - 1), retryMs.longest);
}
