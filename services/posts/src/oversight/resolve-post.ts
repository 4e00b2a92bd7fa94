import type { SeenTweet } from '@perch/proto/accounts-oversight';
import { Fault } from '@perch/proto/faults';
import type { PublishedPart } from '@perch/proto/posts';
import type { OverseenPost } from '@perch/proto/posts-oversight';
import type { Deps } from '../deps.ts';
import { PostEntity, type StoredPost } from '../post.ts';
import { toOverseenPost } from './shapes.ts';

/**
 * Ends the doubt about a post whose outcome nobody knew, by a person's word, which the journal keeps first. A crash
 * in between is mended by saying the same again. Nothing follows up a post that is resolved: its time has gone by.
 */
export async function resolvePost(
  deps: Deps,
  input: { post_id: string; seen: SeenTweet[] | null },
): Promise<OverseenPost> {
  const { post_id, seen } = input;
  const post = await readPost(deps, post_id);
  const tweet_count = post.tweet_count;
  requireDoubt(post, seen);
  const parts = await deps.clients.accountsOversight.resolveSends.mutate({
    ...{ post_id, tweet_count, seen },
  });
  if (seen === null) await markNotPublished(deps, post, parts);
  else if (post.status === 'failed') {
    const charged = await charge(deps, post);
    await markPosted(deps, post, { parts, charged });
  }
  return toOverseenPost(await readPost(deps, post_id));
}

/** What was resolved already may be said again; the journal then refuses another word. */
function requireDoubt(post: StoredPost, seen: SeenTweet[] | null): void {
  const code = post.failure?.code;
  if (code === 'publish_outcome_unknown') return;
  if (seen === null ? code === 'not_published' : post.status === 'posted') return;
  const detail = `the post is ${post.status}, and what became of it is known`;
  throw new Fault('post_outcome_conflict', { detail, status: post.status });
}

/** Once, whoever asks how often: the ledger has one charge for a post. True when it was charged. */
async function charge(deps: Deps, post: StoredPost): Promise<boolean> {
  if (post.mode === 'test') return false;
  const { id: post_id, user_id, credits, run } = post;
  await deps.clients.credits.reserve.mutate({ user_id, post_id, credits, run: run + 1 });
  const { state } = await deps.clients.credits.capture.mutate({ post_id });
  if (state === 'captured') return true;
  throw new Fault('post_outcome_conflict', { detail: 'its credits were given back meanwhile' });
}

async function markPosted(
  deps: Deps,
  post: StoredPost,
  how: { parts: PublishedPart[]; charged: boolean },
): Promise<void> {
  const { parts, charged } = how;
  const now = new Date(deps.clock());
  const postedAt = new Date(Math.max(...parts.map((part) => part.published_at_ms)));
  await deps.db.execute(
    `with done as (
       update post set status = 'posted', failure = null, parts = ?::jsonb, charged = ?, posted_at = ?,
         run = run + 1, version = version + 1, updated_at = ?
       where id = ? and status = 'failed' and run = ? returning id, credits
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'resolved', 'post.resolved', ?::timestamptz, '{"outcome": "published"}'::jsonb from done
     union all
     select id, 'posted', 'post.posted', ?::timestamptz, jsonb_build_object('urls', ?::jsonb, 'charged_credits', case when ? then credits else 0 end) from done`,
    [
      ...[JSON.stringify(parts), charged, postedAt, now, post.id, post.run, now, now],
      ...[JSON.stringify(parts.map((part) => part.url)), charged],
    ],
  );
}

/** It stays failed and uncharged, and now for a reason that is known. */
async function markNotPublished(
  deps: Deps,
  post: StoredPost,
  parts: PublishedPart[],
): Promise<void> {
  const now = new Date(deps.clock());
  const detail = 'the platform never told, and a person who looked did not find it there';
  const data = { outcome: 'not_published', published_tweets: parts.length };
  await deps.db.execute(
    `with done as (
       update post set failure = ?::jsonb, parts = ?::jsonb, version = version + 1, updated_at = ?
       where id = ? and status = 'failed' and run = ? and failure->>'code' = 'publish_outcome_unknown' returning id, run
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'resolved@' || run, 'post.resolved', ?, ?::jsonb from done`,
    [
      ...[JSON.stringify({ code: 'not_published', detail }), JSON.stringify(parts), now],
      ...[post.id, post.run, now, JSON.stringify(data)],
    ],
  );
}

async function readPost(deps: Deps, post_id: string): Promise<StoredPost> {
  const post = await deps.db.fork().findOne(PostEntity, { id: post_id });
  if (!post) throw new Fault('not_found', { detail: 'no such post', post_id });
  return post;
}
