import { z } from 'zod';
import { SeenTweet } from './accounts-oversight.ts';
import { AccountId, PostId, UserId, WebhookDeliveryId, WebhookEndpointId } from './ids.ts';
import { manyOf, PageRequest, PagesRequest, pageOf } from './pages.ts';
import { Post, PostEventsPage, PostFailureCode, PostStatus } from './posts.ts';
import { type Call, procedure, router } from './rpc.ts';
import { WebhookDelivery, WebhookEndpoint } from './webhooks.ts';

/** A post together with whose it is, and how it is on its way. */
export const OverseenPost = z.object({
  ...Post.shape,
  user_id: UserId,
  run: z.number().int().describe('Grows with each retry by an operator.'),
  held_until: z.iso.datetime().nullable().describe('It is looked at again then.'),
  armed_at: z.iso.datetime().nullable().describe('When its workflow was started.'),
});
export type OverseenPost = z.infer<typeof OverseenPost>;

/** The workflow of a post's run, as Temporal tells; there is none before it is armed, nor long after its end. */
export const PostWorkflow = z.object({
  post_id: PostId,
  workflow_id: z.string(),
  status: z.string().describe('Temporal’s word: RUNNING, COMPLETED, …'),
  started_at: z.iso.datetime().nullable(),
  closed_at: z.iso.datetime().nullable(),
  history_length: z.number().int(),
  pending: z
    .array(z.object({ activity: z.string(), attempt: z.number().int() }))
    .describe('Activities under way.'),
});
export type PostWorkflow = z.infer<typeof PostWorkflow>;

/** An endpoint together with whose it is; never its secret. */
export const OverseenEndpoint = z.object({ ...WebhookEndpoint.shape, user_id: UserId });
export type OverseenEndpoint = z.infer<typeof OverseenEndpoint>;

/** A delivery together with whose it is. */
export const OverseenDelivery = z.object({ ...WebhookDelivery.shape, user_id: UserId });
export type OverseenDelivery = z.infer<typeof OverseenDelivery>;

/** What waits where. */
export const Queues = z.object({
  task_queues: z.array(
    z.object({
      name: z.string(),
      kind: z.enum(['workflow', 'activity']),
      pollers: z.number().int(),
      backlog: z.number().int().describe('Tasks that wait, about.'),
      backlog_age_ms: z.number().int().describe('How long the oldest of them waits.'),
    }),
  ),
  outboxes: z.array(
    z.object({
      name: z.string(),
      waiting: z.number().int(),
      oldest_at: z.iso.datetime().nullable(),
    }),
  ),
});
export type Queues = z.infer<typeof Queues>;

/** A page of posts of any user, newest first. */
export const OverseenPostsPage = pageOf(OverseenPost);
/** A page of deliveries of any user, newest first. */
export const OverseenDeliveriesPage = pageOf(OverseenDelivery);

const PostFilter = z.object({
  status: PostStatus.optional(),
  failure: PostFailureCode.optional(),
  overdue: z
    .boolean()
    .default(false)
    .describe('Only those that should have gone out a minute ago, and that nothing holds.'),
});
const ListPosts = z.object({ ...PostFilter.shape, ...PageRequest.shape });
const PostsOf = z.object({
  by: z.enum(['user', 'account']),
  status: PostStatus.optional(),
  ...PagesRequest.shape,
});
const DeliveryStatus = WebhookDelivery.shape.status.optional();
const ListDeliveries = z.object({ status: DeliveryStatus, ...PageRequest.shape });
const DeliveriesOf = z.object({ status: DeliveryStatus, ...PagesRequest.shape });
const OnePost = z.object({ post_id: PostId });
const ResolvePost = z.object({
  post_id: PostId,
  seen: z
    .array(SeenTweet)
    .min(1)
    .nullable()
    .describe('Published: where the tweets of unknown outcome stand. Null: none of them does.'),
});

/** What operators see and do in posts and webhooks, across all users; asked by the operators' part of the gateway alone. */
export interface PostsOversight {
  posts(input: z.output<typeof ListPosts>, call: Call): Promise<z.infer<typeof OverseenPostsPage>>;
  getPosts(input: string[], call: Call): Promise<OverseenPost[]>;
  /** A page of the posts of each of these users or accounts, in the order asked for. */
  postsOf(
    input: z.output<typeof PostsOf>,
    call: Call,
  ): Promise<z.infer<typeof OverseenPostsPage>[]>;
  /** A page of each of these posts' timelines, oldest first, in the order asked for. */
  eventsOf(input: PagesRequest, call: Call): Promise<z.infer<typeof PostEventsPage>[]>;
  /** The workflows of these posts, as far as there are any. */
  workflowsOf(input: string[], call: Call): Promise<PostWorkflow[]>;
  queues(call: Call): Promise<Queues>;
  getEndpoints(input: string[], call: Call): Promise<OverseenEndpoint[]>;
  /** The webhook endpoints of these users, oldest first. */
  endpointsOf(input: string[], call: Call): Promise<OverseenEndpoint[]>;
  deliveries(
    input: z.output<typeof ListDeliveries>,
    call: Call,
  ): Promise<z.infer<typeof OverseenDeliveriesPage>>;
  /** A page of the deliveries to each of these endpoints, in the order asked for. */
  deliveriesOf(
    input: z.output<typeof DeliveriesOf>,
    call: Call,
  ): Promise<z.infer<typeof OverseenDeliveriesPage>[]>;
  /**
   * Sends a failed post again, now, as a new run under today's rules. `post_outcome_conflict` unless it has failed
   * and surely stands nowhere; `daily_limit_reached`.
   */
  retry(input: z.output<typeof OnePost>, call: Call): Promise<OverseenPost>;
  /**
   * Ends the doubt about a post that failed with `publish_outcome_unknown`, by a person's word. Published: it is
   * posted and charged, once. Not published: it stays failed, uncharged. The same word again changes nothing.
   * `post_outcome_conflict`; `insufficient_credits`: its owner can not pay; grant them, and say it again.
   */
  resolve(input: z.output<typeof ResolvePost>, call: Call): Promise<OverseenPost>;
  /** Sends a delivery again, whatever became of it. `not_found`. */
  replay(input: { delivery_id: string }, call: Call): Promise<OverseenDelivery>;
  /** For accounts alone: the account may send again, so its posts need not wait for the next look. */
  released(input: { account_id: string }, call: Call): Promise<void>;
}

/** The wire form of {@link PostsOversight}. */
export const postsOversightRouter = (posts: PostsOversight) =>
  router({
    posts: procedure
      .input(ListPosts)
      .output(OverseenPostsPage)
      .query(({ input, ctx }) => posts.posts(input, ctx)),
    getPosts: procedure
      .input(manyOf(PostId))
      .output(z.array(OverseenPost))
      .query(({ input, ctx }) => posts.getPosts(input, ctx)),
    postsOf: procedure
      .input(PostsOf)
      .output(z.array(OverseenPostsPage))
      .query(({ input, ctx }) => posts.postsOf(input, ctx)),
    eventsOf: procedure
      .input(PagesRequest)
      .output(z.array(PostEventsPage))
      .query(({ input, ctx }) => posts.eventsOf(input, ctx)),
    workflowsOf: procedure
      .input(manyOf(PostId))
      .output(z.array(PostWorkflow))
      .query(({ input, ctx }) => posts.workflowsOf(input, ctx)),
    queues: procedure.output(Queues).query(({ ctx }) => posts.queues(ctx)),
    getEndpoints: procedure
      .input(manyOf(WebhookEndpointId))
      .output(z.array(OverseenEndpoint))
      .query(({ input, ctx }) => posts.getEndpoints(input, ctx)),
    endpointsOf: procedure
      .input(manyOf(UserId))
      .output(z.array(OverseenEndpoint))
      .query(({ input, ctx }) => posts.endpointsOf(input, ctx)),
    deliveries: procedure
      .input(ListDeliveries)
      .output(OverseenDeliveriesPage)
      .query(({ input, ctx }) => posts.deliveries(input, ctx)),
    deliveriesOf: procedure
      .input(DeliveriesOf)
      .output(z.array(OverseenDeliveriesPage))
      .query(({ input, ctx }) => posts.deliveriesOf(input, ctx)),
    retry: procedure
      .input(OnePost)
      .output(OverseenPost)
      .mutation(({ input, ctx }) => posts.retry(input, ctx)),
    resolve: procedure
      .input(ResolvePost)
      .output(OverseenPost)
      .mutation(({ input, ctx }) => posts.resolve(input, ctx)),
    replay: procedure
      .input(z.object({ delivery_id: WebhookDeliveryId }))
      .output(OverseenDelivery)
      .mutation(({ input, ctx }) => posts.replay(input, ctx)),
    released: procedure
      .input(z.object({ account_id: AccountId }))
      .mutation(({ input, ctx }) => posts.released(input, ctx)),
  });
export type PostsOversightRouter = ReturnType<typeof postsOversightRouter>;
