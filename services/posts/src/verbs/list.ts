import { Fault } from '@perch/proto/faults';
import { PostId } from '@perch/proto/ids';
import type { PostFilter, PostsPage } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { mine } from '../find.ts';
import { PostEntity, toPost } from '../post.ts';

/** A page of the tenant's posts, newest first; the cursor is the last post's id. */
export async function list(
  deps: Deps,
  input: { tenant: Tenant } & z.output<typeof PostFilter>,
): Promise<z.infer<typeof PostsPage>> {
  const { tenant, cursor, limit } = input;
  if (cursor !== undefined && !PostId.safeParse(cursor).success) throw new Fault('invalid_cursor');
  const accounts = { ...mine(tenant) };
  const rows = await deps.db.fork().find(
    PostEntity,
    {
      user_id: tenant.user_id,
      $and: [accounts, input.account_id ? { account_id: input.account_id } : {}],
      ...(input.status && { status: input.status }),
      ...(cursor && { id: { $lt: cursor } }),
      scheduled_at: {
        ...(input.scheduled_from && { $gte: new Date(input.scheduled_from) }),
        ...(input.scheduled_to && { $lt: new Date(input.scheduled_to) }),
      },
    },
    { orderBy: { id: 'desc' }, limit: limit + 1 },
  );
  const page = rows.slice(0, limit);
  const has_more = rows.length > limit;
  return {
    data: page.map(toPost),
    has_more,
    next_cursor: has_more ? (page.at(-1)?.id ?? null) : null,
  };
}
