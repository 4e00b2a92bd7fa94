import type { DraftTweet, Review } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { toAccount } from '../entities.ts';
import { findAccount } from '../find.ts';

/** What the account's platform says of a draft, by the same rules that publishing meets. */
export async function review(
  deps: Deps,
  input: { tenant: Tenant; account_id: string; tweets: DraftTweet[] },
): Promise<Review> {
  const account = await findAccount(deps.db.fork(), input);
  if (account.status !== 'connected') {
    const detail = `@${account.handle} must be connected again in the dashboard`;
    throw new Fault('account_disconnected', { detail, account_id: account.id });
  }
  const { errors, contains_url } = deps.platforms[account.platform].review(input.tweets);
  return { account: toAccount(account), errors, contains_url };
}
