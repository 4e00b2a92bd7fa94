import type { Account } from '@perch/proto/accounts';
import { toIso } from '@perch/proto/clock';
import { faultCodeOf } from '@perch/proto/faults';
import type { Begin, FollowUp } from '@perch/proto/posts';
import { tracePost } from '@perch/proto/tracing';
import type { PostRef } from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { addEvent } from '../events.ts';
import type { StoredPost } from '../post.ts';
import { movesTo } from '../rules/status.ts';
import { isOpen, nextOpening } from '../rules/window.ts';
import { type Failure, fail } from './fail.ts';

const hourMs = 3_600_000;

/**
 * Begins the sending of a post, if it is due, may go out now, and its credits can be held. Repeated
 * after that it says again what to send.
 */
export async function begin(deps: Deps, ref: PostRef): Promise<Begin> {
  tracePost(ref.post_id);
  const post = await readDue(deps, ref.post_id);
  if (post?.status === 'scheduled') {
    const dueMs = dueMsOf(post);
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
  if (!(await reserve(deps, post))) return { next: 'stop' };
  await deps.faultPoint('posts:reserved', post.id);
  const { user_id, account_id, tweets, auto_reply } = post;
  const content = { user_id, account_id, tweets, auto_reply_text: auto_reply?.text ?? null };
  return { next: 'publish', content, follow_up: followUpOf(deps, post) };
}

type DuePost = Pick<
  StoredPost,
  'id' | 'user_id' | 'account_id' | 'mode' | 'status' | 'version' | 'run' | 'tweets' | 'credits'
> & {
  clock_ahead_ms: string | number;
  scheduled_at: string;
  held_until: string | null;
  auto_reply: StoredPost['auto_reply'];
  auto_retweet: StoredPost['auto_retweet'];
};

async function readDue(deps: Deps, id: string): Promise<DuePost | undefined> {
  const [post] = await deps.db.execute<DuePost>(
    `select id, user_id, account_id, mode, clock_ahead_ms, status, version, run, tweets, credits, scheduled_at, held_until,
       auto_reply, auto_retweet from post where id = ?`,
    [id],
  );
  return post;
}

function dueMsOf(post: DuePost): number {
  return Date.parse(post.held_until ?? post.scheduled_at);
}

/** Fails the post, or holds it, when its account can not post at this moment; null when it can. */
async function mayPostNow(
  deps: Deps,
  post: DuePost,
  account: Account | null,
): Promise<Begin | null> {
  if (account?.status !== 'connected') {
    const detail = 'the account was disconnected before the post was due';
    return failed(deps, post, { code: 'account_disconnected', detail });
  }
  if (account.held) return holdBack(deps, post, account.held);
  const forced = forcedFailure(post);
  if (forced) return failed(deps, post, forced);
  const aheadMs = Number(post.clock_ahead_ms);
  // A test clock that was advanced went through the due time, however far it went.
  const nowMs = aheadMs > 0 ? dueMsOf(post) + aheadMs : deps.clock();
  const { time_zone, posting_window, outside_window } = account;
  if (isOpen(nowMs, time_zone, posting_window)) return null;
  const window = `${posting_window.opens}-${posting_window.closes} ${time_zone}`;
  if (outside_window === 'fail') {
    const detail = `it could be sent at ${toIso(nowMs)} only, outside the posting window ${window}`;
    return failed(deps, post, { code: 'outside_posting_window', detail });
  }
  const untilMs = nextOpening(nowMs, time_zone, posting_window) - aheadMs;
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

/** While its account is held back a post waits and looks again, ever more seldom; at the horizon it fails. */
async function holdBack(
  deps: Deps,
  post: DuePost,
  held: NonNullable<Account['held']>,
): Promise<Begin> {
  const nowMs = deps.clock();
  const dueMs = Date.parse(post.scheduled_at);
  const giveUpMs = dueMs + deps.policy.retryForMs;
  if (nowMs >= giveUpMs) {
    const detail = `the account was held back for as long as the post could wait: ${held.reason}`;
    return failed(deps, post, { code: 'account_held', detail });
  }
  const untilMs = Math.min(nowMs + lookAgainMs(nowMs - dueMs), giveUpMs);
  const em = deps.db.fork();
  await em.execute(
    "update post set held_until = ? where id = ? and version = ? and status = 'scheduled'",
    [new Date(untilMs), post.id, post.version],
  );
  await addEvent(em, {
    post_id: post.id,
    key: `held:${held.since}`,
    type: 'post.deferred',
    at: new Date(nowMs),
    data: { code: 'account_held', detail: held.reason, gives_up_at: toIso(giveUpMs) },
  });
  return { next: 'wait', until_ms: untilMs };
}

/** Soon at first; whoever releases the account wakes the post, so this is for when that was lost. */
function lookAgainMs(waitedMs: number): number {
  return Math.min(Math.max(waitedMs / 4, 5_000), 600_000);
}

async function failed(deps: Deps, post: DuePost, failure: Failure): Promise<Begin> {
  await fail(deps, { post_id: post.id, run: post.run, failure, parts: [] });
  return { next: 'stop' };
}

/** From here on the post can no longer be changed; false when it was, just before. */
async function claim(deps: Deps, post: DuePost): Promise<boolean> {
  const now = new Date(deps.clock());
  const rows = await deps.db.execute(
    `with claimed as (
       update post set status = 'publishing', version = version + 1, updated_at = ?
       where id = ? and version = ? and status = any(?) returning id, run
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'publishing' || case when run > 1 then '@' || run else '' end, 'post.publishing', ?, '{}' from claimed returning post_id`,
    [now, post.id, post.version, movesTo('publishing'), now],
  );
  return rows.length === 1;
}

/** Failures that do not come from the platform, forced by a text of a test post; see the sandbox for the others. */
const forcedFailures: Record<string, Failure> = {
  '[[sandbox:insufficient-credits]]': {
    code: 'insufficient_credits',
    detail: 'as the text asks: there were not enough credits when it was due',
  },
  '[[sandbox:outside-window]]': {
    code: 'outside_posting_window',
    detail: 'as the text asks: the window was closed when it was due',
  },
};

function forcedFailure(post: DuePost): Failure | null {
  if (post.mode !== 'test') return null;
  const asked = Object.entries(forcedFailures).find(([magic]) =>
    post.tweets.some((tweet) => tweet.text.includes(magic)),
  );
  return asked?.[1] ?? null;
}

/** Holds the price of the post; false when it has failed for want of credits. Test posts cost nothing. */
async function reserve(deps: Deps, post: DuePost): Promise<boolean> {
  if (post.mode === 'test') return true;
  const { id, user_id, credits, run } = post;
  try {
    await deps.clients.credits.reserve.mutate({ user_id, post_id: id, credits, run });
    return true;
  } catch (error) {
    if (faultCodeOf(error) !== 'insufficient_credits') throw error;
    const detail = `${credits} credits were needed when it was due, and there were not enough`;
    await failed(deps, post, { code: 'insufficient_credits', detail });
    return false;
  }
}

function followUpOf(deps: Deps, post: DuePost): FollowUp {
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
  };
}
