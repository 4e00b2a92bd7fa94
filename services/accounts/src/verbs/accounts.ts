import type { Account, AccountSettings } from '@perch/proto/accounts';
import type { Tenant } from '@perch/proto/tenant';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { ConnectedAccount, toAccount } from '../entities.ts';
import { findAccount, platformsOf, readAccount } from '../find.ts';
import { credentialsPlace } from '../platforms/session.ts';
import { tellDisconnected } from '../tell-disconnected.ts';

/** The tenant's accounts, oldest first. */
export async function list(deps: Deps, input: { tenant: Tenant }): Promise<Account[]> {
  const { user_id, account_ids } = input.tenant;
  const where = {
    user_id,
    ...(account_ids && { id: { $in: account_ids } }),
    ...platformsOf(input.tenant),
  };
  const rows = await deps.db.fork().find(ConnectedAccount, where, { orderBy: { id: 'asc' } });
  return rows.map(toAccount);
}

export async function get(
  deps: Deps,
  input: { tenant: Tenant; account_id: string },
): Promise<Account> {
  return (await readAccount(deps.db, input)).account;
}

/** Changes what the user may set; an absent field stays as it is. */
export async function changeSettings(
  deps: Deps,
  input: {
    tenant: Tenant;
    account_id: string;
    settings: z.output<ReturnType<typeof AccountSettings.partial>>;
  },
): Promise<Account> {
  const em = deps.db.fork();
  const account = await findAccount(em, input);
  const { time_zone, posting_window, outside_window, reply_template } = input.settings;
  if (time_zone !== undefined) account.time_zone = time_zone;
  if (posting_window !== undefined) account.posting_window = posting_window;
  if (outside_window !== undefined) account.outside_window = outside_window;
  if (reply_template !== undefined) account.reply_template = reply_template;
  await em.flush();
  return toAccount(account);
}

/**
 * Ends the grant and forgets the credentials at once; posts that are due later fail with `account_disconnected`.
 * A platform that is away does not hold this up: then the user ends the grant there.
 */
export async function disconnect(
  deps: Deps,
  input: { tenant: Tenant; account_id: string },
): Promise<Account> {
  const em = deps.db.fork();
  const account = await findAccount(em, input);
  await tellDisconnected(deps, account, 'by_user');
  const credentials =
    account.credentials && deps.cipher.decrypt(account.credentials, credentialsPlace(account.id));
  account.status = 'disconnected';
  account.credentials = null;
  await em.flush();
  if (credentials) await deps.platforms[account.platform]?.connection?.revoke(credentials);
  return toAccount(account);
}
