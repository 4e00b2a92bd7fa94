import { Fault } from '@perch/proto/faults';
import { connectionOf, pageAsked } from './connection.ts';
import type { Context } from './context.ts';
import type { Resolvers } from './generated/resolvers.ts';

/** What is more than a member of the object that it belongs to; everything here is asked for in whole lists. */
export const objects: Pick<
  Resolvers,
  'User' | 'ApiKey' | 'Account' | 'Post' | 'WebhookEndpoint' | 'WebhookDelivery'
> = {
  User: {
    credits: async ({ id }, _, { loaders }) => required(await loaders.balances.load(id)),
    creditEntries: async ({ id }, args, { loaders }) =>
      connectionOf(
        await loaders.entries.load({ id, ...pageAsked(args) }),
        args,
        (entry) => entry.id,
      ),
    accounts: ({ id }, _, { loaders }) => loaders.accountsOf.load(id),
    keys: ({ id }, _, { loaders }) => loaders.keysOf.load(id),
    webhookEndpoints: ({ id }, _, { loaders }) => loaders.endpointsOf.load(id),
    posts: async ({ id }, args, { loaders }) => {
      const asked = { id, by: 'user' as const, status: args.status ?? undefined };
      const page = await loaders.postsOf.load({ ...asked, ...pageAsked(args) });
      return connectionOf(page, args, (post) => post.id);
    },
  },
  ApiKey: { user: ({ user_id }, _, context) => owner(context, user_id) },
  Account: {
    id: ({ account_id }) => account_id,
    user: ({ user_id }, _, context) => owner(context, user_id),
    posts: async ({ account_id: id }, args, { loaders }) => {
      const asked = { id, by: 'account' as const, status: args.status ?? undefined };
      const page = await loaders.postsOf.load({ ...asked, ...pageAsked(args) });
      return connectionOf(page, args, (post) => post.id);
    },
  },
  Post: {
    user: ({ user_id }, _, context) => owner(context, user_id),
    account: ({ account_id }, _, { loaders }) => loaders.accounts.load(account_id),
    reservation: ({ id }, _, { loaders }) => loaders.reservations.load(id),
    timeline: async ({ id }, args, { loaders }) =>
      connectionOf(
        await loaders.events.load({ id, ...pageAsked(args) }),
        args,
        (event) => event.id,
      ),
    sends: ({ id }, _, { loaders }) => loaders.sendsOf.load(id),
    workflow: ({ id }, _, { loaders }) => loaders.workflows.load(id),
  },
  WebhookEndpoint: {
    user: ({ user_id }, _, context) => owner(context, user_id),
    deliveries: async ({ id }, args, { loaders }) => {
      const asked = { id, status: args.status ?? undefined, ...pageAsked(args) };
      return connectionOf(await loaders.deliveries.load(asked), args, (delivery) => delivery.id);
    },
  },
  WebhookDelivery: {
    user: ({ user_id }, _, context) => owner(context, user_id),
    endpoint: ({ endpoint_id }, _, { loaders }) => loaders.endpoints.load(endpoint_id),
  },
};

async function owner({ loaders }: Context, userId: string) {
  return required(await loaders.users.load(userId));
}

function required<T>(found: T | null): T {
  if (found === null) throw new Fault('not_found');
  return found;
}
