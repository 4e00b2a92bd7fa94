import type { DraftTweet, Review } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { readAccount } from '../find.ts';
import { platformOf } from '../platforms/platforms.ts';

/** What the account's platform says of a draft, by the same rules that publishing meets. */
export async function review(
  deps: Deps,
  input: { tenant: Tenant; account_id: string; tweets: DraftTweet[] },
): Promise<Review> {
  const { account, facts } = await readAccount(deps.db, input);
  if (account.status !== 'connected') {
    const detail = `@${account.handle} must be connected again in the dashboard`;
    throw new Fault('account_disconnected', { detail, account_id: account.account_id });
  }
  const platform = platformOf(deps.platforms, account.platform);
  return { account, ...platform.review(input.tweets, facts) };
}
