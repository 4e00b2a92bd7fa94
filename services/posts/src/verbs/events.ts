import { Fault } from '@perch/proto/faults';
import type { PostEventsPage } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { readEvents } from '../events.ts';
import { findPost } from '../find.ts';

/** A page of a post's timeline, oldest first. */
export async function events(
  deps: Deps,
  input: { tenant: Tenant; post_id: string; limit: number; cursor?: string | undefined },
): Promise<z.infer<typeof PostEventsPage>> {
  const after = input.cursor === undefined ? 0 : positionOf(input.cursor);
  const em = deps.db.fork();
  const post = await findPost(em, input);
  const rows = await readEvents(em, { post_id: post.id, after, limit: input.limit + 1 });
  const page = rows.slice(0, input.limit).map((row) => row.event);
  const has_more = rows.length > input.limit;
  return { data: page, has_more, next_cursor: has_more ? (page.at(-1)?.id ?? null) : null };
}

function positionOf(cursor: string): number {
  const digits = /^evt_(\d{1,15})$/.exec(cursor)?.[1];
  if (digits === undefined) throw new Fault('invalid_cursor');
  return Number(digits);
}
