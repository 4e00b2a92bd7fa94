import { Account } from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import { DailyUse } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import { z } from 'zod';
import type { Operation } from './operation.ts';

/** An account with how much of its day is taken (seed §2, §8). */
const AccountWithDay = z
  .object({ ...Account.shape, daily_limit: DailyUse.omit({ account_id: true }) })
  .meta({ id: 'Account' });

/** Everything below `/accounts` (seed §4). */
export const accountOperations: Operation[] = [
  {
    id: 'listAccounts',
    method: 'GET',
    path: '/accounts',
    tag: 'Accounts',
    summary: 'List the connected accounts',
    says: 'Those that the key may touch, with how much of their local day is taken.',
    scope: 'accounts:read',
    status: 200,
    response: z.object({ data: z.array(AccountWithDay) }),
    errors: [],
    links: {
      post: {
        to: 'createPost',
        says: 'A post through one of the accounts.',
        body: { account_id: '$response.body#/data/0/account_id' },
      },
      posts: {
        to: 'listPosts',
        says: 'The posts of one of the accounts.',
        parameters: { 'query.account_id': '$response.body#/data/0/account_id' },
      },
    },
    async handle({ principal, clients }) {
      return { data: await accountsWithDay(clients, principal.tenant) };
    },
  },
];

/** The tenant's accounts, each with how much of its local day is taken. */
export async function accountsWithDay(
  clients: Clients,
  tenant: Tenant,
): Promise<z.infer<typeof AccountWithDay>[]> {
  const accounts = await clients.accounts.list.query({ tenant });
  const asked = accounts.map(({ account_id, time_zone }) => ({ account_id, time_zone }));
  const uses = await clients.posts.dailyUse.query({ accounts: asked });
  return accounts.flatMap((account, index) => {
    const use = uses[index];
    if (!use) return [];
    const { account_id: _, ...daily_limit } = use;
    return [{ ...account, daily_limit }];
  });
}
