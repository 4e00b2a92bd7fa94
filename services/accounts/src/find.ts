import type { EntityManager } from '@mikro-orm/postgresql';
import type { Account } from '@perch/proto/accounts';
import { toIso } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import type { Tenant } from '@perch/proto/tenant';
import { AppUser, ConnectedAccount, heldOf, type StoredAccount } from './entities.ts';

/** The user, or `not_found`. */
export async function findUser(em: EntityManager, where: { id: string } | { email: string }) {
  const user = await em.findOne(AppUser, where);
  if (!user) throw new Fault('not_found', { detail: 'no such user' });
  return user;
}

/** The tenant's account, to be changed; `not_found`, which is also what belongs to others. */
export async function findAccount(em: EntityManager, input: Asked): Promise<StoredAccount> {
  const account =
    mayUse(input) &&
    (await em.findOne(ConnectedAccount, {
      id: input.account_id,
      user_id: input.tenant.user_id,
      ...platformsOf(input.tenant),
    }));
  if (!account) throw noAccount(input);
  return account;
}

/** The tenant's account as others may see it, by one prepared statement: every new post asks for it. */
export async function readAccount(
  db: Database,
  input: Asked,
): Promise<{ account: Account; facts: unknown }> {
  const [row] = mayUse(input)
    ? await db.execute<AccountRow>(
        `select id as account_id, platform, handle, display_name, time_zone, posting_window,
           outside_window, reply_template, status, held_since, held_reason, created_at, facts
         from connected_account where id = ? and user_id = ? and (platform = 'sandbox' or not ?)`,
        [input.account_id, input.tenant.user_id, input.tenant.mode === 'test'],
      )
    : [];
  if (!row) throw noAccount(input);
  const { facts, held_since, held_reason, ...account } = row;
  const held = heldOf({ held_since, held_reason });
  return { account: { ...account, held, created_at: toIso(Date.parse(row.created_at)) }, facts };
}

/** The plan that the user is on now; free for one who is not there. */
export async function planOf(db: Database, userId: string): Promise<'free' | 'paid'> {
  const [user] = await db.execute<{ plan: 'free' | 'paid' }>(
    'select plan from app_user where id = ?',
    [userId],
  );
  return user?.plan ?? 'free';
}
type AccountRow = Omit<Account, 'held'> & {
  held_since: string | null;
  held_reason: string | null;
  facts: unknown;
};

/** The part of a filter that keeps a test key to the sandbox. */
export function platformsOf(tenant: Tenant): { platform?: 'sandbox' } {
  return tenant.mode === 'test' ? { platform: 'sandbox' } : {};
}

interface Asked {
  tenant: Tenant;
  account_id: string;
}

function mayUse({ tenant, account_id }: Asked): boolean {
  return tenant.account_ids === null || tenant.account_ids.includes(account_id);
}

function noAccount({ account_id }: Asked): Fault {
  return new Fault('not_found', { detail: 'no such account', account_id });
}
