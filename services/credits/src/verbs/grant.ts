import type { Balance } from '@perch/proto/credits';
import type { Deps } from '../deps.ts';
import { balance } from './balance.ts';

/** Adds credits, once per idempotency key of the user. */
export async function grant(
  deps: Deps,
  input: { user_id: string; credits: number; reason: string; idempotency_key: string },
): Promise<Balance> {
  const { user_id, credits, reason, idempotency_key } = input;
  return deps.db.fork().transactional(async (em) => {
    await em.execute('insert into wallet (user_id) values (?) on conflict do nothing', [user_id]);
    await em.execute(
      `with owner as (select balance from wallet where user_id = ? for update),
       granted as (
         insert into entry (user_id, kind, key, credits, balance_after, reason, created_at)
         select ?, 'grant', ?, ?, owner.balance + ?, ?, ? from owner
         on conflict (kind, user_id, key) do nothing returning credits
       )
       update wallet set balance = balance + granted.credits from granted where user_id = ?`,
      [
        ...[user_id, user_id, idempotency_key, credits, credits, reason],
        ...[new Date(deps.clock()), user_id],
      ],
    );
    return balance(em, user_id);
  });
}
