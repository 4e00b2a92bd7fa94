import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import type { NewPost, Post } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import { takeDay } from '../day-use.ts';
import type { Deps } from '../deps.ts';
import { type Draft, prepareDraft } from '../draft.ts';
import { addEvent } from '../events.ts';
import { PostEntity, type StoredPost, toPost } from '../post.ts';
import { cost } from '../rules/cost.ts';
import { requireWindow, scheduleErrors } from '../rules/schedule.ts';

/** Writes a new post down, then lets the arming start its workflow. */
export async function create(deps: Deps, input: { tenant: Tenant; post: NewPost }): Promise<Post> {
  const { tenant, post } = input;
  const nowMs = deps.clock();
  const dueMs = post.scheduled_at === undefined ? nowMs : Date.parse(post.scheduled_at);
  const errors = post.scheduled_at === undefined ? [] : scheduleErrors(dueMs, nowMs);
  const draft = await prepareDraft(deps.clients, {
    tenant,
    accountId: post.account_id,
    tweets: post.tweets,
    errors,
  });
  requireWindow(dueMs, draft.account);
  const credits = cost(deps.pricing, draft.contains_url);
  if (post.publish_now) await requireCredits(deps, tenant.user_id, credits);

  const row = newRow(deps, { tenant, post, draft, dueMs, nowMs, credits });
  await attachMedia(deps, tenant, row.id, draft);
  const stored = await deps.db.fork().transactional((em) => insert(em, row, draft.account));
  deps.arming.soon(stored);
  return toPost(stored);
}

/** Writes the post if its day has room. */
async function insert(em: EntityManager, row: NewRow, account: Account): Promise<StoredPost> {
  await takeDay(em, {
    accountId: row.account_id,
    timeZone: account.time_zone,
    dueMs: row.scheduled_at.getTime(),
    tweetCount: row.tweet_count,
  });
  const post = em.create(PostEntity, row);
  em.persist(post);
  await em.flush();
  const data = { scheduled_at: row.scheduled_at.toISOString() };
  await addEvent(em, {
    post_id: row.id,
    key: 'scheduled',
    type: 'post.scheduled',
    at: row.created_at,
    data,
  });
  return post;
}

type NewRow = ReturnType<typeof newRow>;

function newRow(
  deps: Deps,
  from: {
    tenant: Tenant;
    post: NewPost;
    draft: Draft;
    dueMs: number;
    nowMs: number;
    credits: number;
  },
) {
  const { tenant, post, draft, nowMs } = from;
  return {
    id: newId('post', deps.clock),
    user_id: tenant.user_id,
    account_id: post.account_id,
    status: 'scheduled' as const,
    version: 1,
    scheduled_at: new Date(from.dueMs),
    tweets: draft.tweets,
    tweet_count: draft.tweets.length,
    parts: [],
    auto_reply: post.auto_reply ?? null,
    auto_retweet: post.auto_retweet ?? null,
    credits: from.credits,
    contains_url: draft.contains_url,
    charged: false,
    created_at: new Date(nowMs),
    updated_at: new Date(nowMs),
  };
}

/** For what is to be published at once: throws `insufficient_credits` now instead of failing in a moment. */
async function requireCredits(deps: Deps, userId: string, required: number): Promise<void> {
  const { available, reserved } = await deps.clients.credits.balance.query({ user_id: userId });
  if (available >= required) return;
  const detail = `${required} credits are needed, ${available} are available (${reserved} are held by posts being sent)`;
  throw new Fault('insufficient_credits', { detail, available, reserved, required });
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
