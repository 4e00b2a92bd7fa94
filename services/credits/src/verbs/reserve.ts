import type { EntityManager } from '@mikro-orm/postgresql';
import type { Reservation } from '@perch/proto/credits';
import { Fault } from '@perch/proto/faults';
import type { Deps } from '../deps.ts';
import { findHold } from '../hold.ts';
import { balance } from './balance.ts';

/**
 * Holds credits for a post before it is sent, so that two posts never spend the same credit. Repeated
 * for the same post it returns what there is, whatever became of it.
 */
export async function reserve(
  deps: Deps,
  input: { user_id: string; post_id: string; credits: number },
): Promise<Reservation> {
  const em = deps.db.fork();
  const known = await tryHold(deps, em, input);
  if (known) return known;
  const { available, reserved } = await balance(em, input.user_id);
  const detail = `${input.credits} credits are needed, ${available} are available (${reserved} are held by posts being sent)`;
  throw new Fault('insufficient_credits', { detail, available, reserved, required: input.credits });
}

/** The hold, new or old; null when the wallet is too small. */
async function tryHold(
  deps: Deps,
  em: EntityManager,
  input: { user_id: string; post_id: string; credits: number },
): Promise<Reservation | null> {
  const { user_id, post_id, credits } = input;
  const now = new Date(deps.clock());
  // The wallet row is the lock: a rival waits here, and then sees what is left.
  const held = await deps.db
    .execute(
      `with paid as (
         update wallet set reserved = reserved + ?
         where user_id = ? and balance - reserved >= ? and not exists (select from hold where post_id = ?)
         returning user_id
       )
       insert into hold (post_id, user_id, credits, state, created_at, updated_at)
       select ?, user_id, ?, 'held', ?, ? from paid returning post_id`,
      [credits, user_id, credits, post_id, post_id, credits, now, now],
    )
    .catch((error: unknown) => {
      // The same post was held at the same moment; the whole statement was undone.
      if (isUniqueViolation(error)) return [];
      throw error;
    });
  if (held.length === 1) return { post_id, credits, state: 'held' };
  return findHold(em, post_id);
}

function isUniqueViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23505';
}
