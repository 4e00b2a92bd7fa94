import { LockMode } from '@mikro-orm/core';
import { Fault } from '@perch/proto/faults';
import {
  type Claim,
  type Idempotency,
  keepResult,
  type Once,
  once,
} from '@perch/proto/idempotency';
import type { Tenant } from '@perch/proto/tenant';
import { z } from 'zod';
import type { Deps } from '../deps.ts';
import { addEvent } from '../events.ts';
import { mine } from '../find.ts';
import { PostEntity } from '../post.ts';

/** Moves the tenant's scheduled test posts nearer; what is due by then goes out at once. */
export async function advanceClock(
  deps: Deps,
  input: { tenant: Tenant; seconds: number; idempotency: Idempotency },
): Promise<Once<{ moved: number }>> {
  const { tenant, idempotency, seconds } = input;
  if (tenant.mode !== 'test') {
    throw new Fault('insufficient_scope', { detail: 'only a test key has a clock to advance' });
  }
  const { user_id } = tenant;
  const asked = { user_id, idempotency, subject: user_id, schema: Moved };
  return once(deps, asked, (_, claim) => movePosts(deps, { tenant, seconds, claim }));
}

const Moved = z.object({ moved: z.number() });

async function movePosts(
  deps: Deps,
  input: { tenant: Tenant; seconds: number; claim: Claim },
): Promise<{ moved: number }> {
  const { tenant, seconds, claim } = input;
  const aheadMs = seconds * 1_000;
  const moved = await deps.db.fork().transactional(async (em) => {
    const where = { user_id: tenant.user_id, status: 'scheduled' as const, ...mine(tenant) };
    const posts = await em.find(PostEntity, where, { lockMode: LockMode.PESSIMISTIC_WRITE });
    const now = new Date(deps.clock());
    for (const post of posts) {
      post.scheduled_at = new Date(post.scheduled_at.getTime() - aheadMs);
      if (post.held_until) post.held_until = new Date(post.held_until.getTime() - aheadMs);
      post.clock_ahead_ms += aheadMs;
      // Arms it again: the workflow, if there is one, must hear of the change.
      post.armed_at = null;
      post.version += 1;
      post.updated_at = now;
    }
    await em.flush();
    for (const post of posts) {
      await addEvent(em, {
        post_id: post.id,
        key: `updated:${post.version}`,
        type: 'post.updated',
        at: now,
        data: { clock_advanced_seconds: seconds, scheduled_at: post.scheduled_at.toISOString() },
      });
    }
    const result = { moved: posts.length };
    await keepResult(em, claim, result);
    return posts;
  });
  for (const post of moved) deps.arming.soon(post);
  return { moved: moved.length };
}
