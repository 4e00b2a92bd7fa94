import { Fault } from '@perch/proto/faults';
import { PostId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { PageRequest } from '@perch/proto/pages';
import {
  NewPost,
  Post,
  PostEventsPage,
  PostFilter,
  PostPatch,
  PostsPage,
  Rehearsal,
} from '@perch/proto/posts';
import { z } from 'zod';
import {
  bodyOf,
  doneOnce,
  ifMatchOf,
  linkNext,
  type Operation,
  queryOf,
  type Request,
} from './operation.ts';

const tag = 'Posts';
const PostsQuery = z.strictObject(PostFilter.shape);
const EventsQuery = z.strictObject(PageRequest.shape);
const Schedule = z.strictObject({ posts: z.array(NewPost).min(1).max(limits.simulatedPosts) });
const example = {
  account_id: 'acc_01jd0000000000000000000000',
  tweets: [{ text: 'Good morning' }, { text: 'A thread, in order' }],
  scheduled_at: '2026-12-01T09:00:00.000Z',
  auto_retweet: { enabled: true, after_hours: 12 },
};

/** Everything below `/posts` (seed §4). */
export const postOperations: Operation[] = [
  {
    id: 'createPost',
    method: 'POST',
    path: '/posts',
    tag,
    summary: 'Schedule a post, or publish it at once',
    scope: 'posts:write',
    body: NewPost,
    example,
    status: 201,
    response: Post,
    errors: [
      'insufficient_credits',
      'account_disconnected',
      'daily_limit_reached',
      'media_url_rejected',
      'not_found',
      'outside_posting_window',
    ],
    async handle(request) {
      const post = bodyOf(NewPost, request);
      const { idempotency, principal } = request;
      const context = { timeoutMs: timeoutFor(post) };
      const input = { tenant: principal.tenant, post, idempotency };
      const done = await request.clients.posts.create.mutate(input, { context });
      const created = doneOnce(request, done);
      request.reply.header('location', `/api/v1/posts/${created.id}`);
      return withEtag(request, created);
    },
  },
  {
    id: 'validatePost',
    method: 'POST',
    path: '/posts/validate',
    tag,
    summary: 'Rehearse a post: every issue, its price, and the next time that is legal',
    scope: 'posts:write',
    body: NewPost,
    example,
    changesNothing: true,
    status: 200,
    response: Rehearsal,
    errors: ['account_disconnected', 'not_found'],
    async handle(request) {
      const posts = [bodyOf(NewPost, request)];
      const { tenant } = request.principal;
      const [rehearsal] = await request.clients.posts.rehearse.query({ tenant, posts });
      return rehearsal;
    },
  },
  {
    id: 'simulateSchedule',
    method: 'POST',
    path: '/schedule/simulate',
    tag,
    summary: 'Rehearse a whole schedule: what window, day limit and credits would do to each post',
    scope: 'posts:write',
    body: Schedule,
    example: { posts: [example] },
    changesNothing: true,
    status: 200,
    response: z.object({ data: z.array(Rehearsal).describe('In the order of the request.') }),
    errors: ['account_disconnected', 'not_found'],
    async handle(request) {
      const { posts } = bodyOf(Schedule, request);
      const { tenant } = request.principal;
      return { data: await request.clients.posts.rehearse.query({ tenant, posts }) };
    },
  },
  {
    id: 'listPosts',
    method: 'GET',
    path: '/posts',
    tag,
    summary: 'List posts, newest first',
    scope: 'posts:read',
    query: PostsQuery,
    status: 200,
    response: PostsPage,
    errors: ['invalid_cursor'],
    async handle(request) {
      const filter = queryOf(PostsQuery, request);
      const { tenant } = request.principal;
      const page = await request.clients.posts.list.query({ tenant, ...filter });
      linkNext(request, page);
      return page;
    },
  },
  {
    id: 'getPost',
    method: 'GET',
    path: '/posts/{id}',
    tag,
    summary: 'Read a post',
    scope: 'posts:read',
    status: 200,
    response: Post,
    errors: ['not_found'],
    async handle(request) {
      return withEtag(request, await request.clients.posts.get.query(onePost(request)));
    },
  },
  {
    id: 'updatePost',
    method: 'PATCH',
    path: '/posts/{id}',
    tag,
    summary: 'Change a post that is not being sent yet',
    scope: 'posts:write',
    body: PostPatch,
    example: { scheduled_at: '2026-12-01T10:30:00.000Z' },
    ifMatch: true,
    status: 200,
    response: Post,
    errors: [
      'not_found',
      'post_not_editable',
      'account_disconnected',
      'daily_limit_reached',
      'media_url_rejected',
      'outside_posting_window',
    ],
    async handle(request) {
      const patch = bodyOf(PostPatch, request);
      const { idempotency } = request;
      const input = { ...onePost(request), patch, if_version: ifMatchOf(request), idempotency };
      const context = { timeoutMs: timeoutFor(patch) };
      const done = await request.clients.posts.update.mutate(input, { context });
      return withEtag(request, doneOnce(request, done));
    },
  },
  {
    id: 'cancelPost',
    method: 'DELETE',
    path: '/posts/{id}',
    tag,
    summary: 'Cancel a post that is not being sent yet',
    scope: 'posts:write',
    ifMatch: true,
    status: 200,
    response: Post,
    errors: ['not_found', 'post_not_editable'],
    async handle(request) {
      const { idempotency } = request;
      const input = { ...onePost(request), if_version: ifMatchOf(request), idempotency };
      return withEtag(request, doneOnce(request, await request.clients.posts.cancel.mutate(input)));
    },
  },
  {
    id: 'listPostEvents',
    method: 'GET',
    path: '/posts/{id}/events',
    tag,
    summary: 'What happened to a post, oldest first',
    scope: 'posts:read',
    query: EventsQuery,
    status: 200,
    response: PostEventsPage,
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      const query = queryOf(EventsQuery, request);
      const page = await request.clients.posts.events.query({ ...onePost(request), ...query });
      linkNext(request, page);
      return page;
    },
  },
];

/** The post in the path; what can be no id is not found either. */
function onePost(request: Request) {
  const id = PostId.safeParse(request.id);
  if (!id.success) throw new Fault('not_found', { detail: 'no such post' });
  return { tenant: request.principal.tenant, post_id: id.data };
}

function withEtag(request: Request, post: z.infer<typeof Post>): z.infer<typeof Post> {
  request.reply.header('etag', `"v${post.version}"`);
  return post;
}

/** Fetching media URLs takes its time. */
function timeoutFor(post: {
  tweets?: { media_urls?: string[] | undefined }[] | undefined;
}): number {
  const fetches = post.tweets?.some((tweet) => tweet.media_urls?.length) ?? false;
  return fetches ? limits.mediaFetchTimeoutMs + limits.callTimeoutMs : limits.callTimeoutMs;
}
