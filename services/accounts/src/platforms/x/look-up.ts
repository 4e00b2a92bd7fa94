import { z } from 'zod';
import {
  type ConnectorDeps,
  Later,
  type Lookup,
  type Sent,
  type Session,
  type Sought,
} from '../platform.ts';
import { readTimeoutMs, type XApi, type XRequest } from './api.ts';
import { standing } from './send.ts';
import { firstIdAt, madeAtMs } from './snowflake.ts';
import { isSameText, TweetText } from './text.ts';

/** How far X's clock may be behind ours. */
const skewMs = 10_000;
/** As far as X's timelines go back. */
const maxPages = 32;

const References = z.array(z.object({ type: z.string(), id: z.string() })).optional();
const Tweet = z.object({
  id: z.string().regex(/^\d+$/),
  ...TweetText.shape,
  referenced_tweets: References,
  attachments: z.object({ media_keys: z.array(z.string()).optional() }).optional(),
});
type Tweet = z.infer<typeof Tweet>;
const Page = z.object({
  data: z.array(Tweet).default([]),
  meta: z.object({ next_token: z.string().optional() }).optional(),
  errors: z.array(z.unknown()).default([]),
});

/** Looks for a send on the account's own timeline, from when it was first tried on. Writes nothing. */
export async function lookUp(
  deps: ConnectorDeps & { api: XApi },
  session: Session,
  sought: Sought,
  sent: Sent,
): Promise<Lookup> {
  const sinceId = firstIdAt(sent.startedMs - skewMs);
  let partial = false;
  let oldest: Tweet | null = null;
  let token: string | undefined;
  for (let page = 0; page < maxPages; page += 1) {
    const read = await readPage(deps, session, sinceId, token);
    if (!read) return { kind: 'undecided' };
    for (const tweet of read.data) {
      if (BigInt(tweet.id) <= BigInt(sinceId) || sent.others.has(tweet.id)) continue;
      const ours = isOurs(tweet, sought);
      if (ours === null) partial = true;
      if (ours && (!oldest || BigInt(tweet.id) < BigInt(oldest.id))) oldest = tweet;
    }
    partial ||= read.errors.length > 0;
    token = read.meta?.next_token;
    if (!token) break;
  }
  if (oldest) return found(session, sought, oldest.id, deps.clock());
  return partial || token ? { kind: 'undecided' } : { kind: 'absent' };
}

async function readPage(
  deps: ConnectorDeps & { api: XApi },
  session: Session,
  sinceId: string,
  token: string | undefined,
): Promise<z.infer<typeof Page> | null> {
  const request: XRequest = {
    method: 'GET',
    path: `/2/users/${session.remoteId}/tweets`,
    bucket: 'timeline',
    query: {
      since_id: sinceId,
      max_results: '100',
      'tweet.fields': 'created_at,entities,referenced_tweets,attachments',
      ...(token && { pagination_token: token }),
    },
  };
  try {
    const answer = await deps.api.call(session, request, AbortSignal.timeout(readTimeoutMs));
    return answer.kind === 'done' ? (Page.safeParse(answer.body).data ?? null) : null;
  } catch (error) {
    if (error instanceof Later) return null;
    throw error;
  }
}

/** Whether a tweet of the account is the one sought; null when what X shows of it does not tell. */
function isOurs(tweet: Tweet, sought: Sought): boolean | null {
  const referred = (type: string) =>
    tweet.referenced_tweets?.find((one) => one.type === type)?.id ?? null;
  if (sought.kind === 'repost') return referred('retweeted') === sought.inReplyTo;
  if (referred('retweeted') || referred('quoted')) return false;
  if (referred('replied_to') !== sought.inReplyTo) return false;
  if ((tweet.attachments?.media_keys?.length ?? 0) !== sought.mediaCount) return false;
  return isSameText(sought, tweet);
}

function found(session: Session, sought: Sought, id: string, nowMs: number): Lookup {
  if (sought.kind !== 'repost') return { kind: 'found', ...standing(session, id, nowMs) };
  const { url } = standing(session, sought.inReplyTo ?? '', nowMs);
  return { kind: 'found', platform_id: id, url, published_at_ms: madeAtMs(id, nowMs) };
}
