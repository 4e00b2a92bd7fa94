import {
  type Claim,
  type Idempotency,
  keepResult,
  type Once,
  once,
} from '@perch/proto/idempotency';
import { Post } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { addEvent } from '../events.ts';
import { findPost, notEditable, requireVersion } from '../find.ts';
import { type StoredPost, toPost } from '../post.ts';
import { isEditable } from '../rules/status.ts';

/** Cancels a post that is not being sent yet; a cancelled one is returned as it is. */
export function cancel(deps: Deps, input: Cancel): Promise<Once<Post>> {
  const { tenant, post_id, idempotency } = input;
  const asked = { user_id: tenant.user_id, idempotency, subject: post_id, schema: Post };
  return once(deps, asked, (_, claim) => cancelPost(deps, input, claim));
}

interface Cancel {
  tenant: Tenant;
  post_id: string;
  if_version: number | null;
  idempotency: Idempotency;
}

async function cancelPost(deps: Deps, input: Cancel, claim: Claim): Promise<Post> {
  const post: StoredPost = await deps.db.fork().transactional(async (em) => {
    const current = await findPost(em, input, true);
    const kept = () => keepResult(em, claim, toPost(current));
    if (current.status === 'cancelled') {
      await kept();
      return current;
    }
    requireVersion(current, input.if_version);
    if (!isEditable(current.status)) throw notEditable(current);
    const now = new Date(deps.clock());
    current.status = 'cancelled';
    current.version += 1;
    current.updated_at = now;
    await em.flush();
    await addEvent(em, { post_id: current.id, key: 'cancelled', type: 'post.cancelled', at: now });
    await kept();
    return current;
  });
  // The row decides; waking the workflow only lets it end now and not at its due time.
  deps.arming.wake(post);
  return toPost(post);
}
