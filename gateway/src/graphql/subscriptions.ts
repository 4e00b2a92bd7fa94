import { setTimeout } from 'node:timers/promises';
import { Fault } from '@perch/proto/faults';
import { PostId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import type { PostEvent } from '@perch/proto/posts';
import type { Context } from './context.ts';
import type { SubscriptionResolvers } from './generated/resolvers.ts';

const pollEveryMs = 1_000;
/** Rounds until whoever listens must subscribe again: an hour. */
const maxRounds = 3_600;
/** Subscriptions of one process at the same time; each asks once a second. */
const maxSubscriptions = 50;
let subscriptions = 0;

/** What operators can follow. */
export const subscriptionsOfPosts: SubscriptionResolvers = {
  postEvents: {
    subscribe: async (_, { postId, after }, context) => {
      const known = PostId.safeParse(postId).success && (await context.loaders.posts.load(postId));
      if (!known) throw new Fault('not_found', { detail: 'no such post' });
      return follow(context, { postId, after: after ?? undefined });
    },
  },
};

/**
 * The events of a post as they come. Numbers of a timeline have no gaps and follow the order of commits, so reading on
 * from the last one misses nothing and repeats nothing, whatever was lost in between.
 */
async function* follow(
  context: Context,
  from: { postId: string; after: string | undefined },
): AsyncGenerator<{ postEvents: PostEvent }> {
  if (subscriptions >= maxSubscriptions)
    throw new Fault('overloaded', { detail: 'too many subscriptions' });
  subscriptions += 1;
  try {
    let cursor = from.after;
    for (let round = 0; round < maxRounds; round++) {
      const events = await eventsAfter(context, from.postId, cursor);
      for (const event of events) {
        yield { postEvents: event };
        cursor = event.id;
      }
      if (events.length === 0) await setTimeout(pollEveryMs);
    }
  } finally {
    subscriptions -= 1;
  }
}

async function eventsAfter(context: Context, id: string, cursor: string | undefined) {
  const { requestId, clients } = context;
  const call = { requestId, timeoutMs: limits.callTimeoutMs };
  const of = [cursor === undefined ? { id } : { id, cursor }];
  const [page] = await withCall(call, () => clients.postsOversight.eventsOf.query({ of }));
  return page?.data ?? [];
}
