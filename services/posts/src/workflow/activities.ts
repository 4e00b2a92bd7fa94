import type { Account } from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import { type Clock, toIso } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { FaultPoint } from '@perch/proto/fault-points';
import { faultCodeOf } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import type { PostEventType, PostFailureCode } from '@perch/proto/posts';
import { type PostRef, type PublishedPart, postWorkflowId } from '@perch/proto/workflows';
import type { ReadAccount } from '../account-cache.ts';
import { addEvent } from '../events.ts';
import { PostEntity, type StoredPost } from '../post.ts';
import { movesTo } from '../rules/status.ts';
import { isOpen, nextOpening } from '../rules/window.ts';

/** What a workflow needs to know of the post that it is to send; recorded in its history. */
export interface Plan {
  auto_retweet: { after_ms: number } | null;
  auto_reply: { max: number; every_ms: number; for_ms: number } | null;
  retry_for_ms: number;
  reconcile_for_ms: number;
}

/** What there is to do for a post now. */
export type Begin =
  | { next: 'stop' }
  | { next: 'wait'; until_ms: number }
  | { next: 'publish'; plan: Plan };

type Failure = { code: PostFailureCode; detail: string };

/** The local activities of a post; each may be repeated at any point. */
export interface PostActivities {
  /** Begins the sending if the post is due, may go out now, and its credits can be held. */
  begin(post: PostRef): Promise<Begin>;
  /** Charges for the post and marks it posted. */
  settle(input: PostRef & { parts: PublishedPart[] }): Promise<{ posted_at_ms: number }>;
  /** Marks the post failed and gives back what it holds. */
  fail(input: PostRef & { failure: Failure; parts: PublishedPart[] }): Promise<void>;
  /** Writes a line of the timeline, once by its key. */
  note(
    input: PostRef & { key: string; type: PostEventType; data: Record<string, unknown> },
  ): Promise<void>;
}

interface Deps {
  db: Database;
  clients: Pick<Clients, 'credits'>;
  readAccount: ReadAccount;
  clock: Clock;
  faultPoint: FaultPoint;
  policy: { retryForMs: number; reconcileForMs: number; replyEveryMs: number; replyForMs: number };
}

const hourMs = 3_600_000;

/** The activities over one database and the other services. */
export function createActivities(deps: Deps): PostActivities {
  const inCall = <T>(post: PostRef, work: () => Promise<T>) =>
    withCall({ requestId: postWorkflowId(post.post_id), timeoutMs: limits.requestTimeoutMs }, work);
  return {
    begin: (post) => inCall(post, () => begin(deps, post)),
    settle: (input) => inCall(input, () => settle(deps, input)),
    fail: (input) => inCall(input, () => fail(deps, input)),
    note: ({ post_id, key, type, data }) =>
      addEvent(deps.db.fork(), { post_id, key, type, at: new Date(deps.clock()), data }),
  };
}

async function begin(deps: Deps, ref: PostRef): Promise<Begin> {
  const post = await deps.db.fork().findOne(PostEntity, { id: ref.post_id });
  if (post?.status === 'scheduled') {
    const { held_until, scheduled_at } = post;
    const dueMs = (held_until ?? scheduled_at).getTime();
    if (dueMs > deps.clock()) return { next: 'wait', until_ms: dueMs };
    await deps.faultPoint('posts:due', post.id);
    const account = await deps.readAccount(post.user_id, post.account_id);
    const obstacle = await mayPostNow(deps, post, account);
    if (obstacle) return obstacle;
    // Someone moved, edited or cancelled it while we looked: look again.
    if (!(await claim(deps, post))) return begin(deps, ref);
    await deps.faultPoint('posts:claimed', post.id);
  } else if (post?.status !== 'publishing') {
    return { next: 'stop' };
  }
  return reserve(deps, post);
}

/** Fails the post, or holds it, when its account can not post at this moment; null when it can. */
async function mayPostNow(
  deps: Deps,
  post: StoredPost,
  account: Account | null,
): Promise<Begin | null> {
  if (account?.status !== 'connected') {
    const failure: Failure = {
      code: 'account_disconnected',
      detail: 'the account was disconnected before the post was due',
    };
    await fail(deps, { post_id: post.id, failure, parts: [] });
    return { next: 'stop' };
  }
  const nowMs = deps.clock();
  const { time_zone, posting_window, outside_window } = account;
  if (isOpen(nowMs, time_zone, posting_window)) return null;
  const window = `${posting_window.opens}-${posting_window.closes} ${time_zone}`;
  if (outside_window === 'fail') {
    const detail = `it could be sent at ${toIso(nowMs)} only, outside the posting window ${window}`;
    await fail(deps, {
      post_id: post.id,
      failure: { code: 'outside_posting_window', detail },
      parts: [],
    });
    return { next: 'stop' };
  }
  const untilMs = nextOpening(nowMs, time_zone, posting_window);
  const em = deps.db.fork();
  await em.execute(
    "update post set held_until = ? where id = ? and version = ? and status = 'scheduled'",
    [new Date(untilMs), post.id, post.version],
  );
  const data = { until: toIso(untilMs), posting_window: window };
  await addEvent(em, {
    post_id: post.id,
    key: `deferred:${untilMs}`,
    type: 'post.deferred',
    at: new Date(nowMs),
    data,
  });
  return { next: 'wait', until_ms: untilMs };
}

/** From here on the post can no longer be changed; false when it was, just before. */
async function claim(deps: Deps, post: StoredPost): Promise<boolean> {
  const now = new Date(deps.clock());
  const rows = await deps.db.execute(
    `with claimed as (
       update post set status = 'publishing', version = version + 1, updated_at = ?
       where id = ? and version = ? and status = any(?) returning id
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'publishing', 'post.publishing', ?, '{}' from claimed returning post_id`,
    [now, post.id, post.version, pgArray(movesTo('publishing')), now],
  );
  return rows.length === 1;
}

async function reserve(deps: Deps, post: StoredPost): Promise<Begin> {
  try {
    await deps.clients.credits.reserve.mutate({
      user_id: post.user_id,
      post_id: post.id,
      credits: post.credits,
    });
  } catch (error) {
    if (faultCodeOf(error) !== 'insufficient_credits') throw error;
    const detail = `${post.credits} credits were needed when it was due, and there were not enough`;
    await fail(deps, {
      post_id: post.id,
      failure: { code: 'insufficient_credits', detail },
      parts: [],
    });
    return { next: 'stop' };
  }
  await deps.faultPoint('posts:reserved', post.id);
  return { next: 'publish', plan: planOf(deps, post) };
}

function planOf(deps: Deps, post: StoredPost): Plan {
  const { policy } = deps;
  const retweet = post.auto_retweet?.enabled ? post.auto_retweet : null;
  const reply = post.auto_reply?.enabled ? post.auto_reply : null;
  return {
    auto_retweet: retweet && { after_ms: retweet.after_hours * hourMs },
    auto_reply: reply && {
      max: reply.max,
      every_ms: policy.replyEveryMs,
      for_ms: policy.replyForMs,
    },
    retry_for_ms: policy.retryForMs,
    reconcile_for_ms: policy.reconcileForMs,
  };
}

async function settle(
  deps: Deps,
  input: PostRef & { parts: PublishedPart[] },
): Promise<{ posted_at_ms: number }> {
  const { post_id, parts } = input;
  await deps.faultPoint('posts:published', post_id);
  await deps.clients.credits.capture.mutate({ post_id });
  await deps.faultPoint('posts:captured', post_id);
  const postedAtMs = Math.max(...parts.map((part) => part.published_at_ms));
  const urls = parts.map((part) => part.url);
  await deps.db.execute(
    `with done as (
       update post set status = 'posted', parts = ?::jsonb, charged = true, posted_at = ?, version = version + 1, updated_at = ?
       where id = ? and status = any(?) returning id, credits
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'posted', 'post.posted', ?, jsonb_build_object('urls', ?::jsonb, 'charged_credits', credits) from done`,
    [
      JSON.stringify(parts),
      new Date(postedAtMs),
      new Date(deps.clock()),
      post_id,
      pgArray(movesTo('posted')),
      new Date(deps.clock()),
      JSON.stringify(urls),
    ],
  );
  await deps.faultPoint('posts:settled', post_id);
  return { posted_at_ms: postedAtMs };
}

async function fail(
  deps: Deps,
  input: PostRef & { failure: Failure; parts: PublishedPart[] },
): Promise<void> {
  const { post_id, failure, parts } = input;
  const now = new Date(deps.clock());
  await deps.db.execute(
    `with failed as (
       update post set status = 'failed', failure = ?::jsonb, parts = ?::jsonb, version = version + 1, updated_at = ?
       where id = ? and status = any(?) returning id
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'failed', 'post.failed', ?, ?::jsonb from failed`,
    [
      JSON.stringify(failure),
      JSON.stringify(parts),
      now,
      post_id,
      pgArray(movesTo('failed')),
      now,
      JSON.stringify({ ...failure, published_tweets: parts.length }),
    ],
  );
  await deps.clients.credits.release.mutate({ post_id });
}

function pgArray(values: readonly string[]): string {
  return `{${values.join()}}`;
}
