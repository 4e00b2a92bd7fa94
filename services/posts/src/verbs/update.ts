import type { EntityManager } from '@mikro-orm/postgresql';
import {
  type Claim,
  type Idempotency,
  keepResult,
  type Once,
  once,
} from '@perch/proto/idempotency';
import { Post, type PostPatch } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import { takeDay } from '../day-use.ts';
import type { Deps } from '../deps.ts';
import { type Draft, prepareDraft } from '../draft.ts';
import { addEvent } from '../events.ts';
import { findPost, notEditable, requireVersion } from '../find.ts';
import { type StoredPost, toPost } from '../post.ts';
import { cost } from '../rules/cost.ts';
import { followUpsOf } from '../rules/follow-ups.ts';
import { requireWindow, scheduleErrors } from '../rules/schedule.ts';
import { isEditable } from '../rules/status.ts';
import { attachMedia } from './create.ts';

interface Update {
  tenant: Tenant;
  post_id: string;
  patch: PostPatch;
  if_version: number | null;
  idempotency: Idempotency;
}

/** Changes a post that is not being sent yet, under the same rules as creating it. */
export function update(deps: Deps, input: Update): Promise<Once<Post>> {
  const { tenant, post_id, idempotency } = input;
  const asked = { user_id: tenant.user_id, idempotency, subject: post_id, schema: Post };
  return once(deps, asked, (_, claim) => updatePost(deps, input, claim));
}

async function updatePost(deps: Deps, input: Update, claim: Claim): Promise<Post> {
  const { tenant, patch } = input;
  const seen = await findPost(deps.db.fork(), input);
  requireVersion(seen, input.if_version);
  if (!isEditable(seen.status)) throw notEditable(seen);
  const errors = patch.scheduled_at
    ? scheduleErrors(Date.parse(patch.scheduled_at), deps.clock())
    : [];
  const draft = await prepareDraft(deps.clients, {
    tenant,
    accountId: seen.account_id,
    tweets: patch.tweets ?? seen.tweets,
    // What it has from before stays; whether it still may is looked at when it is due.
    followUps: followUpsOf(patch),
    errors,
  });
  requireWindow(dueOf(seen, patch), draft.account);
  if (patch.tweets) await attachMedia(deps, tenant, seen.id, draft);

  const [post, updated] = await deps.db.fork().transactional(async (em) => {
    const current = await findPost(em, input, true);
    // What was judged above must be what is changed now.
    requireVersion(current, input.if_version ?? seen.version);
    if (!isEditable(current.status)) throw notEditable(current);
    const changed = await apply(deps, em, current, patch, draft);
    const answer = toPost(changed);
    await keepResult(em, claim, answer);
    return [changed, answer] as const;
  });
  deps.arming.soon(post);
  return updated;
}

async function apply(
  deps: Deps,
  em: EntityManager,
  post: StoredPost,
  patch: PostPatch,
  draft: Draft,
): Promise<StoredPost> {
  const now = new Date(deps.clock());
  const wish = {
    accountId: post.account_id,
    timeZone: draft.account.time_zone,
    dueMs: dueOf(post, patch),
    tweetCount: draft.tweets.length,
  };
  await takeDay(em, wish, post.id);
  post.scheduled_at = new Date(dueOf(post, patch));
  post.tweets = draft.tweets;
  post.tweet_count = draft.tweets.length;
  post.contains_url = draft.contains_url;
  post.credits = cost(deps.pricing, draft.contains_url);
  if (patch.auto_reply !== undefined) post.auto_reply = patch.auto_reply;
  if (patch.auto_retweet !== undefined) post.auto_retweet = patch.auto_retweet;
  post.held_until = null;
  // Arms it again: the workflow, if there is one, must hear of the change.
  post.armed_at = null;
  post.version += 1;
  post.updated_at = now;
  await em.flush();
  const data = { changed: Object.keys(patch), scheduled_at: post.scheduled_at.toISOString() };
  await addEvent(em, {
    post_id: post.id,
    key: `updated:${post.version}`,
    type: 'post.updated',
    at: now,
    data,
  });
  return post;
}

function dueOf(post: StoredPost, patch: PostPatch): number {
  return patch.scheduled_at ? Date.parse(patch.scheduled_at) : post.scheduled_at.getTime();
}
