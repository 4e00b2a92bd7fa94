import type { Account } from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import { faultCodeOf } from '@perch/proto/faults';

/** Reads the account of a post that is due; null when it is gone. */
export type ReadAccount = (userId: string, accountId: string) => Promise<Account | null>;

/** So old may an account's settings be when a post goes out. */
export const believedMs = 1_000;
const maxCached = 10_000;

/** Asks accounts; many posts of one account that are due in the same second ask once. */
export function createReadAccount(clients: Clients, clock: Clock): ReadAccount {
  const cache = new Map<string, { account: Promise<Account | null>; untilMs: number }>();
  return (userId, accountId) => {
    const known = cache.get(accountId);
    if (known && known.untilMs > clock()) return known.account;
    if (cache.size >= maxCached) cache.clear();
    const account = ask(clients, userId, accountId);
    cache.set(accountId, { account, untilMs: clock() + believedMs });
    account.catch(() => cache.delete(accountId));
    return account;
  };
}

async function ask(clients: Clients, userId: string, accountId: string): Promise<Account | null> {
  try {
    const tenant = { user_id: userId, account_ids: null };
    return await clients.accounts.get.query({ tenant, account_id: accountId });
  } catch (error) {
    if (faultCodeOf(error) === 'not_found') return null;
    throw error;
  }
}
