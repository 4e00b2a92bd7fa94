import { faultCodeOf } from '@perch/proto/faults';
import { AccountId, PostId, UserId } from '@perch/proto/ids';
import { PostFailureCode } from '@perch/proto/posts';
import { parseInput } from '@perch/proto/validation';
import { z } from 'zod';
import { connectionOf, pageRequest } from './connection.ts';
import type { QueryResolvers } from './generated/resolvers.ts';

/** What operators can begin to look at. */
export const queries: QueryResolvers = {
  me: (_, __, { actor }) => actor,
  users: async (_, args, { clients }) => {
    const { emailPrefix, plan } = args;
    const page = await clients.accountsOversight.users.query({
      ...pageRequest(args),
      ...(emailPrefix && { email_prefix: emailPrefix }),
      ...(plan && { plan }),
    });
    return connectionOf(page, args, ({ id }) => id);
  },
  user: async (_, { id, email }, { clients, loaders }) => {
    if (id) return UserId.safeParse(id).success ? loaders.users.load(id) : null;
    const address = parseInput(z.object({ email: z.email() }), { email });
    return clients.accounts.getUser.query(address).catch((error: unknown) => {
      if (faultCodeOf(error) === 'not_found') return null;
      throw error;
    });
  },
  plans: async (_, __, { clients }) => {
    const counts = await clients.accountsOversight.usersOfPlans.query();
    return (['free', 'paid'] as const).map((plan) => ({
      plan,
      api: plan === 'paid',
      users: counts.find((one) => one.plan === plan)?.users ?? 0,
    }));
  },
  accounts: async (_, args, { clients }) => {
    const { platform, status, held } = args;
    const page = await clients.accountsOversight.accounts.query({
      ...pageRequest(args),
      ...(platform && { platform }),
      ...(status && { status }),
      ...(typeof held === 'boolean' && { held }),
    });
    return connectionOf(page, args, ({ account_id }) => account_id);
  },
  account: (_, { id }, { loaders }) =>
    AccountId.safeParse(id).success ? loaders.accounts.load(id) : null,
  posts: async (_, args, { clients }) => {
    const { status, overdue } = args;
    const { failure } = parseInput(z.object({ failure: PostFailureCode.nullish() }), args);
    const page = await clients.postsOversight.posts.query({
      ...pageRequest(args),
      ...(status && { status }),
      ...(failure && { failure }),
      ...(overdue && { overdue }),
    });
    return connectionOf(page, args, ({ id }) => id);
  },
  post: (_, { id }, { loaders }) => (PostId.safeParse(id).success ? loaders.posts.load(id) : null),
  webhookDeliveries: async (_, args, { clients }) => {
    const { status } = args;
    const asked = { ...pageRequest(args), ...(status && { status }) };
    const page = await clients.postsOversight.deliveries.query(asked);
    return connectionOf(page, args, ({ id }) => id);
  },
  queues: (_, __, { clients }) => clients.postsOversight.queues.query(),
  operators: (_, __, { clients }) => clients.operators.list.query(),
  audit: async (_, args, { clients }) => {
    const { actorId, subject } = args;
    const page = await clients.operators.acts.query({
      ...pageRequest(args),
      ...(actorId && { actor_id: actorId }),
      ...(subject && { subject }),
    });
    return connectionOf(page, args, ({ id }) => id);
  },
};
