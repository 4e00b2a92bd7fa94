import type { EntityManager } from '@mikro-orm/postgresql';
import type { Reservation } from '@perch/proto/credits';
import { Hold } from './ledger.ts';

/** What a post holds or held, since that run or a later one; null when it never did. */
export async function findHold(
  em: EntityManager,
  postId: string,
  run = 1,
): Promise<Reservation | null> {
  const hold = await em.findOne(Hold, {
    post_id: postId,
    // What is charged is charged for all runs.
    $or: [{ run: { $gte: run } }, { state: 'captured' }],
  });
  return hold && { post_id: postId, credits: hold.credits, state: hold.state, balance_after: null };
}

/** What these posts hold or held; those that never did are left out. */
export async function findHolds(em: EntityManager, postIds: string[]): Promise<Reservation[]> {
  const holds = await em.find(Hold, { post_id: { $in: postIds } });
  return holds.map(({ post_id, credits, state }) => ({
    post_id,
    credits,
    state,
    balance_after: null,
  }));
}
