import type { PostFailureCode } from '@perch/proto/posts';
import type { PostRef, PublishedPart } from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { ended } from '../metrics.ts';
import { movesTo } from '../rules/status.ts';

/** Why a post will not go out, or not whole. */
export type Failure = { code: PostFailureCode; detail: string };

/** Marks the post failed and gives back what it holds. Repeated, it changes nothing more. */
export async function fail(
  deps: Pick<Deps, 'db' | 'clock' | 'clients'>,
  input: PostRef & { failure: Failure; parts: PublishedPart[] },
): Promise<void> {
  const { post_id, failure, parts } = input;
  const now = new Date(deps.clock());
  const moved = await deps.db.execute(
    `with failed as (
       update post set status = 'failed', failure = ?::jsonb, parts = ?::jsonb, version = version + 1, updated_at = ?
       where id = ? and status = any(?) returning id
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'failed', 'post.failed', ?, ?::jsonb from failed returning post_id`,
    [
      JSON.stringify(failure),
      JSON.stringify(parts),
      now,
      post_id,
      movesTo('failed'),
      now,
      JSON.stringify({ ...failure, published_tweets: parts.length }),
    ],
  );
  if (moved.length > 0) ended.inc({ status: 'failed', code: failure.code });
  await deps.clients.credits.release.mutate({ post_id });
}
