import type { Post } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { findPost } from '../find.ts';
import { toPost } from '../post.ts';

/** One post of the tenant. */
export async function get(deps: Deps, input: { tenant: Tenant; post_id: string }): Promise<Post> {
  return toPost(await findPost(deps.db.fork(), input));
}
