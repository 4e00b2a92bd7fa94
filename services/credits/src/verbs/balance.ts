import type { EntityManager } from '@mikro-orm/postgresql';
import type { Balance } from '@perch/proto/credits';
import { Wallet } from '../ledger.ts';

/** What the user has; nothing for one who never got any. */
export async function balance(em: EntityManager, userId: string): Promise<Balance> {
  const wallet = await em.findOne(Wallet, { user_id: userId });
  const { balance, reserved } = wallet ?? { balance: 0, reserved: 0 };
  return { balance, reserved, available: balance - reserved };
}
