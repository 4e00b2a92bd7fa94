import type { DraftTweet, Review } from '@perch/proto/accounts';
import { Fault, type FieldError } from '@perch/proto/faults';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { planOf, readAccount } from '../find.ts';
import { platformOf } from '../platforms/platforms.ts';

/** What the account's platform says of a draft, by the same rules that publishing meets. */
export async function review(
  deps: Deps,
  input: { tenant: Tenant; account_id: string; tweets: DraftTweet[]; follow_ups: string[] },
): Promise<Review> {
  const { account, facts } = await readAccount(deps.db, input);
  if (account.status !== 'connected') {
    const detail = `@${account.handle} must be connected again in the dashboard`;
    throw new Fault('account_disconnected', { detail, account_id: account.account_id });
  }
  const platform = platformOf(deps.platforms, account.platform);
  const review = platform.review(input.tweets, facts);
  const unpaid = input.follow_ups.length > 0 ? await unpaidErrors(deps, input) : [];
  return { account, ...review, errors: [...unpaid, ...review.errors] };
}

/** Auto-reply and auto-retweet need a paid plan (seed §1), also where the post comes from the dashboard. */
async function unpaidErrors(
  deps: Deps,
  input: { tenant: Tenant; follow_ups: string[] },
): Promise<FieldError[]> {
  if ((await planOf(deps.db, input.tenant.user_id)) === 'paid') return [];
  return input.follow_ups.map((wanted) => ({
    pointer: `/${wanted}`,
    code: 'paid_plan_required',
    detail: `${wanted.replace('_', '-')} needs a paid plan`,
  }));
}
