import { LockMode } from '@mikro-orm/core';
import { Fault } from '@perch/proto/faults';
import type { OverseenPost } from '@perch/proto/posts-oversight';
import { believedMs } from '../account-cache.ts';
import { takeDay } from '../day-use.ts';
import type { Deps } from '../deps.ts';
import { addEvent } from '../events.ts';
import { PostEntity, type StoredPost } from '../post.ts';
import { moves } from '../rules/status.ts';
import { toOverseenPost } from './shapes.ts';

/**
 * Sends a failed post again, now, as a new run: window, credits and day are judged as they are today. The journal
 * has the last word on whether it may be, for a post that stands anywhere must not be sent again.
 */
export async function retryPost(deps: Deps, input: { post_id: string }): Promise<OverseenPost> {
  const { post_id } = input;
  const seen = await deps.db.fork().findOne(PostEntity, { id: post_id });
  requireFailed(seen, post_id);
  const account = await deps.readAccount(seen.user_id, seen.account_id);
  if (!account) throw new Fault('not_found', { detail: 'its account is gone', post_id });
  await deps.clients.accountsOversight.reopenSends.mutate({ post_id });
  const post = await deps.db.fork().transactional(async (em) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const row = await em.findOne(PostEntity, { id: post_id }, { lockMode });
    requireFailed(row, post_id);
    const now = new Date(deps.clock());
    // By then nobody believes what the account was when the post failed.
    const due = new Date(now.getTime() + believedMs);
    const wish = {
      accountId: row.account_id,
      timeZone: account.time_zone,
      dueMs: due.getTime(),
      tweetCount: row.tweet_count,
    };
    await takeDay(em, wish, post_id);
    Object.assign(row, {
      ...{ status: 'scheduled', failure: null, scheduled_at: due, clock_ahead_ms: 0, parts: [] },
      ...{ held_until: null, armed_at: null, updated_at: now },
      ...{ run: row.run + 1, version: row.version + 1 },
    });
    await em.flush();
    const data = { run: row.run, scheduled_at: due.toISOString() };
    const key = `retried:${row.run}`;
    await addEvent(em, { post_id, key, type: 'post.retried', at: now, data });
    return row;
  });
  deps.arming.soon(post);
  return toOverseenPost(post);
}

function requireFailed(
  post: StoredPost | null,
  post_id: string,
): asserts post is StoredPost & { status: 'failed' } {
  if (!post) throw new Fault('not_found', { detail: 'no such post', post_id });
  if (moves[post.status].includes('scheduled')) return;
  const detail = `the post is ${post.status}; only a failed one can be sent again`;
  throw new Fault('post_outcome_conflict', { detail, status: post.status });
}
