import { Fault } from '@perch/proto/faults';
import { PostId, WebhookDeliveryId } from '@perch/proto/ids';
import { pageFrom } from '@perch/proto/pages';
import type { PostsOversight } from '@perch/proto/posts-oversight';
import type { Client } from '@temporalio/client';
import { overdueBefore } from '../backlog.ts';
import type { Deps } from '../deps.ts';
import { PostEntity } from '../post.ts';
import { DeliveryEntity, EndpointEntity } from '../webhooks/endpoint.ts';
import { deliveriesOf, eventsOf, postsOf } from './pages.ts';
import { queues } from './queues.ts';
import { released } from './released.ts';
import { replay } from './replay.ts';
import { resolvePost } from './resolve-post.ts';
import { retryPost } from './retry-post.ts';
import { toOverseenDelivery, toOverseenEndpoint, toOverseenPost } from './shapes.ts';
import { workflowsOf } from './workflows.ts';

/** What operators see and do in posts and webhooks. It goes across users: only the operators' part of the gateway asks. */
export function createPostsOversight(
  deps: Deps & { temporal: Client; namespace: string },
): PostsOversight {
  const { db } = deps;
  return {
    posts: async ({ status, failure, overdue, limit, cursor }) => {
      requireCursor(PostId, cursor);
      const where = {
        ...(status && { status }),
        ...(failure && { failure: { code: failure } }),
        ...(cursor && { id: { $lt: cursor } }),
        ...(overdue && overdueBefore(deps.clock())),
      };
      const rows = await db.fork().find(PostEntity, where, newest(limit));
      return pageFrom(rows.map(toOverseenPost), limit, ({ id }) => id);
    },
    getPosts: async (ids) =>
      (await db.fork().find(PostEntity, { id: { $in: ids } })).map(toOverseenPost),
    postsOf: (input) => postsOf(db, input),
    eventsOf: (input) => eventsOf(db, input),
    workflowsOf: (ids) => workflowsOf(deps, ids),
    queues: () => queues(deps),
    getEndpoints: async (ids) =>
      (await db.fork().find(EndpointEntity, { id: { $in: ids } })).map(toOverseenEndpoint),
    endpointsOf: async (userIds) => {
      const where = { user_id: { $in: userIds } };
      const rows = await db.fork().find(EndpointEntity, where, { orderBy: { id: 'asc' } });
      return rows.map(toOverseenEndpoint);
    },
    deliveries: async ({ status, limit, cursor }) => {
      requireCursor(WebhookDeliveryId, cursor);
      const where = { ...(status && { status }), ...(cursor && { id: { $lt: cursor } }) };
      const rows = await db.fork().find(DeliveryEntity, where, newest(limit));
      return pageFrom(rows.map(toOverseenDelivery), limit, ({ id }) => id);
    },
    deliveriesOf: (input) => deliveriesOf(db, input),
    retry: (input) => retryPost(deps, input),
    resolve: (input) => resolvePost(deps, input),
    replay: (input) => replay(db, input),
    released: (input) => released(deps, input),
  };
}

function newest(limit: number) {
  return { orderBy: { id: 'desc' as const }, limit: limit + 1 };
}

function requireCursor(id: typeof PostId, cursor: string | undefined): void {
  if (cursor !== undefined && !id.safeParse(cursor).success) throw new Fault('invalid_cursor');
}
