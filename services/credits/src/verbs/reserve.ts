import type { Reservation } from '@perch/proto/credits';
import { Fault } from '@perch/proto/faults';
import type { Deps } from '../deps.ts';
import { findHold } from '../hold.ts';
import { balance } from './balance.ts';

/**
 * Holds credits for a post before it is sent, so that two posts never spend the same credit. Repeated
 * for the same run of the post it returns what there is, whatever became of it; a later run may hold again
 * what an earlier one gave back.
 */
export async function reserve(
  deps: Deps,
  input: { user_id: string; post_id: string; credits: number; run?: number | undefined },
): Promise<Reservation> {
  const { user_id, post_id, credits, run = 1 } = input;
  if (await takeHold(deps, input)) return { post_id, credits, state: 'held', balance_after: null };
  const em = deps.db.fork();
  const known = await findHold(em, post_id, run);
  if (known) return known;
  const { available, reserved } = await balance(em, user_id);
  const detail = `${credits} credits are needed, ${available} are available (${reserved} are held by posts being sent)`;
  throw new Fault('insufficient_credits', { detail, available, reserved, required: credits });
}

/**
 * True when the post holds its credits from now on; false when it has a hold already, or the wallet is
 * too small. The hold is locked before the wallet, as capture and release do: else they could deadlock.
 */
async function takeHold(
  deps: Deps,
  input: { user_id: string; post_id: string; credits: number; run?: number | undefined },
): Promise<boolean> {
  const { user_id, post_id, credits, run = 1 } = input;
  const now = new Date(deps.clock());
  const taken = await deps.db
    .execute(
      `with held as (
         insert into hold (post_id, user_id, credits, state, run, created_at, updated_at)
         select ?, user_id, ?, 'held', ?, ?, ? from wallet
         where user_id = ? and balance - reserved >= ?
         on conflict (post_id) ${run === 1 ? 'do nothing' : holdAgain}
         returning user_id, credits
       )
       update wallet set reserved = reserved + held.credits
       from held where wallet.user_id = held.user_id returning wallet.user_id`,
      [post_id, credits, run, now, now, user_id, credits],
    )
    .catch((error: unknown) => {
      // A rival took the last credits after our look; the constraint undid the whole statement.
      if (isCheckViolation(error)) return [];
      throw error;
    });
  return taken.length === 1;
}

/** What a later run does with a hold that is there; for the first there is nothing to do, and nothing to lock. */
const holdAgain = `do update
  set state = 'held', run = excluded.run, credits = excluded.credits, updated_at = excluded.updated_at
  where hold.state = 'released' and hold.run < excluded.run`;

function isCheckViolation(error: unknown): boolean {
  return error instanceof Error && 'code' in error && error.code === '23514';
}
