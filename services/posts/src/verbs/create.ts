import {
  type Claim,
  type Idempotency,
  keepResult,
  type Once,
  once,
} from '@perch/proto/idempotency';
import { newId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { type NewPost, Post } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import { tracePost, traceparent } from '@perch/proto/tracing';
import { dayFull } from '../day-use.ts';
import type { Deps } from '../deps.ts';
import { type Draft, prepareDraft } from '../draft.ts';
import { modeOf } from '../find.ts';
import { PostEntity, type StoredPost, toPost } from '../post.ts';
import { cost, creditsFault } from '../rules/cost.ts';
import { followUpsOf } from '../rules/follow-ups.ts';
import { localDay } from '../rules/local-day.ts';
import { requireWindow, scheduleErrors } from '../rules/schedule.ts';

/** Writes a new post down, once by its idempotency key, then lets the arming start its workflow. */
export function create(
  deps: Deps,
  input: { tenant: Tenant; post: NewPost; idempotency: Idempotency },
): Promise<Once<Post>> {
  const { tenant, idempotency } = input;
  const subject = newId('post', deps.clock);
  const asked = { user_id: tenant.user_id, idempotency, subject, schema: Post };
  return once(deps, asked, (id, claim) => createPost(deps, { ...input, id, claim }));
}

async function createPost(
  deps: Deps,
  input: { tenant: Tenant; post: NewPost; id: string; claim: Claim },
): Promise<Post> {
  const { tenant, post, id, claim } = input;
  tracePost(id);
  const nowMs = deps.clock();
  const dueMs = post.scheduled_at === undefined ? nowMs : Date.parse(post.scheduled_at);
  const errors = post.scheduled_at === undefined ? [] : scheduleErrors(dueMs, nowMs);
  const draft = await prepareDraft(deps.clients, {
    tenant,
    accountId: post.account_id,
    tweets: post.tweets,
    followUps: followUpsOf(post),
    errors,
  });
  requireWindow(dueMs, draft.account);
  const credits = cost(deps.pricing, draft.contains_url);
  if (post.publish_now && tenant.mode !== 'test')
    await requireCredits(deps, tenant.user_id, credits);

  const row = newRow({ id, tenant, post, draft, dueMs, nowMs, credits });
  await attachMedia(deps, tenant, row.id, draft);
  const created = toPost(row);
  await insert(deps, row, { timeZone: draft.account.time_zone, claim, created });
  deps.arming.soon(row);
  return created;
}

/** Writes the post, its first event and its key's result if its day has room: one statement, one trip. */
async function insert(
  deps: Deps,
  row: StoredPost,
  how: { timeZone: string; claim: Claim; created: Post },
): Promise<void> {
  const { timeZone, claim, created } = how;
  const wish = {
    accountId: row.account_id,
    timeZone,
    dueMs: row.scheduled_at.getTime(),
    tweetCount: row.tweet_count,
  };
  const day = localDay(wish.dueMs, timeZone);
  const [done] = await deps.db.execute<{ used: number; written: number }>(
    `with day as materialized (select take_day(?, ?, ?, ?) as used),
     written as (
       insert into post (id, user_id, account_id, mode, status, scheduled_at, tweets, tweet_count,
         auto_reply, auto_retweet, credits, contains_url, created_at, updated_at, traceparent)
       select ?, ?, ?, ?, ?, ?, ?::jsonb, ?, ?::jsonb, ?::jsonb, ?, ?, ?, ?, ? from day where used + ? <= ?
       on conflict (id) do nothing returning id
     ),
     told as (
       insert into post_event (post_id, key, type, at, data)
       select id, 'scheduled', 'post.scheduled', ?, ?::jsonb from written
     ),
     kept as (
       update idempotency_record set result = ?::jsonb
       where user_id = ? and key = ? and attempt = ? and exists (select from written)
     )
     select used, (select count(*)::int from written) as written from day`,
    [
      ...[row.account_id, new Date(day.startMs), new Date(day.endMs), row.id],
      ...[
        row.id,
        row.user_id,
        row.account_id,
        row.mode,
        row.status,
        row.scheduled_at,
        JSON.stringify(row.tweets),
        row.tweet_count,
      ],
      ...[jsonOrNull(row.auto_reply), jsonOrNull(row.auto_retweet)],
      ...[row.credits, row.contains_url, row.created_at, row.updated_at, row.traceparent],
      ...[row.tweet_count, limits.dailyTweets],
      ...[row.created_at, JSON.stringify({ scheduled_at: row.scheduled_at.toISOString() })],
      ...[claim && JSON.stringify(created), row.user_id, claim?.key, claim?.attempt],
    ],
  );
  if (done?.written === 1) return;
  // An attempt that was taken over may have come this far.
  const earlier = claim && (await deps.db.fork().findOne(PostEntity, { id: row.id }));
  if (!earlier) throw dayFull(wish, day, done?.used ?? limits.dailyTweets);
  await keepResult(deps.db, claim, created);
}

function jsonOrNull(value: unknown): string | null {
  return value ? JSON.stringify(value) : null;
}

function newRow(from: {
  id: string;
  tenant: Tenant;
  post: NewPost;
  draft: Draft;
  dueMs: number;
  nowMs: number;
  credits: number;
}): StoredPost {
  const { tenant, post, draft } = from;
  const now = new Date(from.nowMs);
  return {
    id: from.id,
    user_id: tenant.user_id,
    account_id: post.account_id,
    mode: modeOf(tenant),
    clock_ahead_ms: 0,
    status: 'scheduled',
    version: 1,
    run: 1,
    scheduled_at: new Date(from.dueMs),
    tweets: draft.tweets,
    tweet_count: draft.tweets.length,
    parts: [],
    auto_reply: post.auto_reply ?? null,
    auto_retweet: post.auto_retweet ?? null,
    credits: from.credits,
    contains_url: draft.contains_url,
    charged: false,
    failure: null,
    held_until: null,
    armed_at: null,
    posted_at: null,
    traceparent: traceparent(),
    created_at: now,
    updated_at: now,
  };
}

/** For what is to be published at once: throws `insufficient_credits` now instead of failing in a moment. */
async function requireCredits(deps: Deps, userId: string, required: number): Promise<void> {
  const fault = creditsFault(
    required,
    await deps.clients.credits.balance.query({ user_id: userId }),
  );
  if (fault) throw fault;
}

/** Before the post is written, so that no stored post ever points at media that were cleaned up. */
export async function attachMedia(
  deps: Deps,
  tenant: Tenant,
  postId: string,
  draft: Draft,
): Promise<void> {
  const ids = draft.tweets.flatMap((tweet) => tweet.media_ids);
  if (ids.length > 0)
    await deps.clients.media.attach.mutate({ tenant, post_id: postId, media_ids: ids });
}
