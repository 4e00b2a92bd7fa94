import type { EntityManager } from '@mikro-orm/postgresql';
import { Fault } from '@perch/proto/faults';
import type { Tenant } from '@perch/proto/tenant';
import { AppUser, ConnectedAccount, type StoredAccount } from './entities.ts';

/** The user, or `not_found`. */
export async function findUser(em: EntityManager, where: { id: string } | { email: string }) {
  const user = await em.findOne(AppUser, where);
  if (!user) throw new Fault('not_found', { detail: 'no such user' });
  return user;
}

/** The tenant's account, or `not_found`, which is also what belongs to others. */
export async function findAccount(
  em: EntityManager,
  input: { tenant: Tenant; account_id: string },
): Promise<StoredAccount> {
  const { tenant, account_id } = input;
  const seen = tenant.account_ids === null || tenant.account_ids.includes(account_id);
  const account =
    seen && (await em.findOne(ConnectedAccount, { id: account_id, user_id: tenant.user_id }));
  if (!account) throw new Fault('not_found', { detail: 'no such account', account_id });
  return account;
}
