import { AccountId, PostId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { PageRequest } from '@perch/proto/pages';
import { NewPost, PostFilter, PostPatch } from '@perch/proto/posts';
import { z } from 'zod';
import { timeoutFor } from '../rest/posts.ts';
import { followEvents } from './follow-events.ts';
import { idempotencyOf, Once, router, signedIn } from './procedure.ts';

const OnePost = z.object({ post_id: PostId });
const Change = z.object({
  ...OnePost.shape,
  ...Once.shape,
  if_version: z.number().int().nullable().default(null),
});

/** Posts, their timelines and their days. */
export const postsRouter = router({
  list: signedIn
    .input(PostFilter)
    .query(({ ctx, input }) => ctx.clients.posts.list.query({ ...input, tenant: ctx.tenant })),
  get: signedIn
    .input(OnePost)
    .query(({ ctx, input }) => ctx.clients.posts.get.query({ ...input, tenant: ctx.tenant })),
  create: signedIn
    .input(z.object({ post: NewPost, ...Once.shape }))
    .mutation(async ({ ctx, input }) => {
      const idempotency = idempotencyOf('posts.create', input);
      const asked = { tenant: ctx.tenant, post: input.post, idempotency };
      const context = { timeoutMs: timeoutFor(input.post) };
      return (await ctx.clients.posts.create.mutate(asked, { context })).result;
    }),
  /** To move a post to another time is to change its `scheduled_at`. */
  update: signedIn
    .input(z.object({ ...Change.shape, patch: PostPatch }))
    .mutation(async ({ ctx, input }) => {
      const { post_id, patch, if_version } = input;
      const idempotency = idempotencyOf('posts.update', input);
      const asked = { tenant: ctx.tenant, post_id, patch, if_version, idempotency };
      const context = { timeoutMs: timeoutFor(patch) };
      return (await ctx.clients.posts.update.mutate(asked, { context })).result;
    }),
  cancel: signedIn.input(Change).mutation(async ({ ctx, input }) => {
    const { post_id, if_version } = input;
    const idempotency = idempotencyOf('posts.cancel', input);
    const asked = { tenant: ctx.tenant, post_id, if_version, idempotency };
    return (await ctx.clients.posts.cancel.mutate(asked)).result;
  }),
  /** What would become of the post: every issue, its price, its lengths, and the next time that is legal. */
  validate: signedIn.input(z.object({ post: NewPost })).query(async ({ ctx, input }) => {
    const posts = [input.post];
    const [rehearsal] = await ctx.clients.posts.rehearse.query({ tenant: ctx.tenant, posts });
    if (!rehearsal) throw new Error('no rehearsal of the post');
    return rehearsal;
  }),
  simulate: signedIn
    .input(z.object({ posts: z.array(NewPost).min(1).max(limits.simulatedPosts) }))
    .query(({ ctx, input }) => ctx.clients.posts.rehearse.query({ ...input, tenant: ctx.tenant })),
  /** How full each local day of the account is, from one date to another. */
  dailyUse: signedIn
    .input(z.object({ account_id: AccountId, from: z.iso.date(), to: z.iso.date() }))
    .query(({ ctx, input }) => ctx.clients.posts.dayUses.query({ ...input, tenant: ctx.tenant })),
  timeline: signedIn
    .input(z.object({ ...OnePost.shape, ...PageRequest.shape }))
    .query(({ ctx, input }) => ctx.clients.posts.events.query({ ...input, tenant: ctx.tenant })),
  /** The timeline as it grows, from its beginning or after the last event that the browser has. */
  events: signedIn
    .input(z.object({ ...OnePost.shape, lastEventId: z.string().max(64).nullish() }))
    .subscription(({ ctx, input, signal }) =>
      followEvents(ctx, {
        post_id: input.post_id,
        after: input.lastEventId ?? null,
        signal: signal ? AbortSignal.any([signal, ctx.stopping]) : ctx.stopping,
      }),
    ),
});
