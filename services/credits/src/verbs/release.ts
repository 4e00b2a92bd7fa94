import type { Reservation } from '@perch/proto/credits';
import type { Deps } from '../deps.ts';
import { findHold } from '../hold.ts';

/** Gives back what the post holds since that run or before. Repeated, or after a charge, it changes nothing. */
export async function release(
  deps: Deps,
  input: { post_id: string; run?: number | undefined },
): Promise<Reservation | null> {
  const { post_id, run = 1 } = input;
  await deps.db.execute(
    `with released as (
       update hold set state = 'released', updated_at = ?
       where post_id = ? and state = 'held' and run <= ? returning user_id, credits
     )
     update wallet set reserved = reserved - released.credits
     from released where wallet.user_id = released.user_id`,
    [new Date(deps.clock()), post_id, run],
  );
  return findHold(deps.db.fork(), post_id);
}
