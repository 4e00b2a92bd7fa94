import type { Reservation } from '@perch/proto/credits';
import { Fault } from '@perch/proto/faults';
import type { Deps } from '../deps.ts';
import { findHold } from '../hold.ts';

/** Charges what the post holds (seed §8: after a successful send). Repeated, it changes nothing more. */
export async function capture(deps: Deps, input: { post_id: string }): Promise<Reservation> {
  const { post_id } = input;
  const now = new Date(deps.clock());
  const em = deps.db.fork();
  await em.execute(
    `with captured as (
       update hold set state = 'captured', updated_at = ? where post_id = ? and state = 'held' returning user_id, credits
     ), paid as (
       update wallet set balance = balance - captured.credits, reserved = reserved - captured.credits
       from captured where wallet.user_id = captured.user_id
     )
     insert into entry (user_id, kind, key, credits, reason, post_id, created_at)
     select user_id, 'charge', ?, -credits, 'post published', ?, ? from captured`,
    [now, post_id, post_id, post_id, now],
  );
  const hold = await findHold(em, post_id);
  if (!hold) throw new Fault('not_found', { detail: 'the post holds no credits', post_id });
  return hold;
}
