import type { Post } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { addEvent } from '../events.ts';
import { findPost, notEditable, requireVersion } from '../find.ts';
import { type StoredPost, toPost } from '../post.ts';
import { isEditable } from '../rules/status.ts';

/** Cancels a post that is not being sent yet; a cancelled one is returned as it is. */
export async function cancel(
  deps: Deps,
  input: { tenant: Tenant; post_id: string; if_version: number | null },
): Promise<Post> {
  const post: StoredPost = await deps.db.fork().transactional(async (em) => {
    const current = await findPost(em, input, true);
    if (current.status === 'cancelled') return current;
    requireVersion(current, input.if_version);
    if (!isEditable(current.status)) throw notEditable(current);
    const now = new Date(deps.clock());
    current.status = 'cancelled';
    current.version += 1;
    current.updated_at = now;
    await em.flush();
    await addEvent(em, { post_id: current.id, key: 'cancelled', type: 'post.cancelled', at: now });
    return current;
  });
  // The row decides; waking the workflow only lets it end now and not at its due time.
  deps.arming.wake(post);
  return toPost(post);
}
