import { Fault } from '@perch/proto/faults';
import type { PostEventsPage, Verification } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { brokenAt, readEvents, seqOf } from '../events.ts';
import { findPost } from '../find.ts';
import { PostEntity } from '../post.ts';

/** A page of a post's timeline, oldest first. */
export async function events(
  deps: Deps,
  input: { tenant: Tenant; post_id: string; limit: number; cursor?: string | undefined },
): Promise<z.infer<typeof PostEventsPage>> {
  const after = input.cursor === undefined ? 0 : seqOf(input.cursor);
  if (after === null) throw new Fault('invalid_cursor');
  const em = deps.db.fork();
  const post = await findPost(em, input);
  const rows = await readEvents(em, { post_id: post.id, after, limit: input.limit + 1 });
  const page = rows.slice(0, input.limit);
  const has_more = rows.length > input.limit;
  return { data: page, has_more, next_cursor: has_more ? (page.at(-1)?.id ?? null) : null };
}

/** Whether the timeline of a post is as it was written. */
export async function verify(deps: Deps, input: { post_id: string }): Promise<Verification> {
  const em = deps.db.fork();
  const post = await em.findOne(PostEntity, { id: input.post_id });
  if (!post) throw new Fault('not_found', { detail: 'no such post', post_id: input.post_id });
  const broken_at = await brokenAt(em, post.id);
  const [last] = await em.execute<{ seq: number; hash: string }[]>(
    'select seq, hash from post_event where post_id = ? order by seq desc limit 1',
    [post.id],
  );
  return {
    post_id: post.id,
    intact: broken_at === null,
    broken_at,
    events: last?.seq ?? 0,
    last_hash: last?.hash ?? null,
  };
}
