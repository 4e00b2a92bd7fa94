import { SeenTweet } from '@perch/proto/accounts-oversight';
import { Fault } from '@perch/proto/faults';
import { parseInput } from '@perch/proto/validation';
import { z } from 'zod';
import type { MutationResolvers } from './generated/resolvers.ts';

/** What operators can change. Roles and the audit log are put around by `guardSchema`. */
export const mutations: MutationResolvers = {
  setPlan: (_, { input }, { clients }) =>
    clients.accounts.setPlan.mutate({ user_id: input.userId, plan: input.plan }),
  grantCredits: async (_, { input }, { clients }) => {
    const { userId: user_id, credits, reason, idempotencyKey: idempotency_key } = input;
    // Credits of nobody would lie in the ledger for ever.
    const user = await clients.accounts.getUser.query({ user_id });
    await clients.credits.grant.mutate({ user_id, credits, reason, idempotency_key });
    return user;
  },
  revokeKey: (_, { input }, { clients }) =>
    clients.accountsOversight.revokeKey.mutate({ key_id: input.keyId }),
  holdAccount: (_, { input }, { clients }) =>
    clients.accountsOversight.hold.mutate({ account_id: input.accountId, reason: input.reason }),
  releaseAccount: (_, { input }, { clients }) =>
    clients.accountsOversight.release.mutate({ account_id: input.accountId }),
  retryPost: (_, { input }, { clients }) =>
    clients.postsOversight.retry.mutate({ post_id: input.postId }),
  resolvePost: (_, { input }, { clients }) => {
    const { postId: post_id, outcome, tweets = [] } = input;
    const given = tweets.map(({ index, platformId, url }) => ({
      ...{ index, platform_id: platformId, url },
    }));
    const { seen } = parseInput(z.object({ seen: z.array(SeenTweet) }), { seen: given });
    if ((outcome === 'published') === (seen.length === 0)) {
      const detail = 'tweets: say where they stand when published, and nothing when not';
      throw new Fault('validation_failed', { detail });
    }
    const word = outcome === 'published' ? seen : null;
    return clients.postsOversight.resolve.mutate({ post_id, seen: word });
  },
  replayWebhook: (_, { input }, { clients }) =>
    clients.postsOversight.replay.mutate({ delivery_id: input.deliveryId }),
};
