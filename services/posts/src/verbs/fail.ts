import type { PostFailureCode } from '@perch/proto/posts';
import type { PostRef, PublishedPart } from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { ended } from '../metrics.ts';
import { movesTo } from '../rules/status.ts';

/** Why a post will not go out, or not whole. */
export type Failure = { code: PostFailureCode; detail: string };

/**
 * Gives back what the post holds and marks it failed. Repeated, it changes nothing more; late, when an operator has
 * the post tried again already, it changes nothing of the new run.
 */
export async function fail(
  deps: Pick<Deps, 'db' | 'clock' | 'clients'>,
  input: PostRef & { run?: number; failure: Failure; parts: PublishedPart[] },
): Promise<void> {
  const { post_id, run = 1, failure, parts } = input;
  const now = new Date(deps.clock());
  // First, so that whoever sees the failure has the credits back.
  await deps.clients.credits.release.mutate({ post_id, run });
  const moved = await deps.db.execute(
    `with failed as (
       update post set status = 'failed', failure = ?::jsonb, parts = ?::jsonb, version = version + 1, updated_at = ?
       where id = ? and status = any(?) and run = ? returning id, run
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'failed' || case when run > 1 then '@' || run else '' end, 'post.failed', ?, ?::jsonb from failed
     returning post_id`,
    [
      JSON.stringify(failure),
      JSON.stringify(parts),
      now,
      post_id,
      movesTo('failed'),
      run,
      now,
      JSON.stringify({ ...failure, published_tweets: parts.length }),
    ],
  );
  if (moved.length > 0) ended.inc({ status: 'failed', code: failure.code });
}
