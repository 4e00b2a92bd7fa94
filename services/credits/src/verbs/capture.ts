import type { Reservation } from '@perch/proto/credits';
import { Fault } from '@perch/proto/faults';
import type { Deps } from '../deps.ts';
import { findHold } from '../hold.ts';

/** Charges what the post holds (seed §8: after a successful send). Repeated, it changes nothing more. */
export async function capture(deps: Deps, input: { post_id: string }): Promise<Reservation> {
  const { post_id } = input;
  const now = new Date(deps.clock());
  const [charged] = await deps.db.execute<{ credits: number; balance_after: number }>(
    `with captured as (
       update hold set state = 'captured', updated_at = ?
       where post_id = ? and state = 'held' returning user_id, post_id, credits
     ), paid as (
       update wallet set balance = balance - captured.credits,
         reserved = reserved - captured.credits
       from captured where wallet.user_id = captured.user_id returning balance
     )
     insert into entry (user_id, kind, key, credits, balance_after, reason, post_id, created_at)
     select user_id, 'charge', post_id, -credits, balance, 'post published', post_id, ? from captured, paid
     returning (-credits)::int as credits, balance_after::int`,
    [now, post_id, now],
  );
  if (charged) return { post_id, ...charged, state: 'captured' };
  // A statement of its own: the one above does not see what a rival did while it waited.
  const hold = await findHold(deps.db.fork(), post_id);
  if (!hold) throw new Fault('not_found', { detail: 'the post holds no credits', post_id });
  const [entry] = await deps.db.execute<{ balance_after: number }>(
    "select balance_after::int from entry where kind = 'charge' and post_id = ?",
    [post_id],
  );
  return { ...hold, balance_after: entry?.balance_after ?? null };
}
