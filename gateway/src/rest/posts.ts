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
  TestClockAdvance,
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

const made = { 'path.id': '$response.body#/id' };
const same = { 'path.id': '$request.path.id' };
/** Only the very post that was answered, not one changed meanwhile. */
const unchanged = { 'header.If-Match': '$response.header.ETag' };

/** Everything below `/posts` (seed §4). */
export const postOperations: Operation[] = [
  {
    id: 'createPost',
    method: 'POST',
    path: '/posts',
    tag,
    summary: 'Schedule a post, or publish it at once',
    says: `Give exactly one of \`scheduled_at\` (in the future, within ${limits.scheduleAheadDays} days) and \`publish_now: true\`. The thread must fit the ${limits.dailyTweets} tweets that an account may have on a local day, the posting window of the account, and the rules of its platform. It is charged only after it has gone out.`,
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
    links: {
      read: { to: 'getPost', says: 'The post, with what became of it.', parameters: made },
      change: {
        to: 'updatePost',
        says: 'While it is not being sent.',
        parameters: { ...made, ...unchanged },
      },
      cancel: { to: 'cancelPost', says: 'While it is not being sent.', parameters: made },
      events: { to: 'listPostEvents', says: 'Its timeline.', parameters: made },
    },
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
    id: 'advanceTestClock',
    method: 'POST',
    path: '/test/clock/advance',
    tag: 'Test mode',
    summary: 'Move all scheduled test posts nearer',
    says: 'With a test key only. What is due by then goes out at once, judged by the clock as you moved it. Scheduled posts move; auto-replies and auto-retweets of posts that are out do not.',
    scope: 'posts:write',
    body: TestClockAdvance,
    example: { seconds: 86_400 },
    status: 200,
    response: z.object({ moved: z.number().int().describe('How many posts were moved.') }),
    errors: [],
    async handle(request) {
      const { seconds } = bodyOf(TestClockAdvance, request);
      const { idempotency, principal } = request;
      const input = { tenant: principal.tenant, seconds, idempotency };
      return doneOnce(request, await request.clients.posts.advanceClock.mutate(input));
    },
  },
  {
    id: 'listPosts',
    method: 'GET',
    path: '/posts',
    tag,
    summary: 'List posts, newest first',
    says: 'Newest by creation, whatever their status; filters narrow it down.',
    scope: 'posts:read',
    query: PostsQuery,
    status: 200,
    response: PostsPage,
    errors: ['invalid_cursor'],
    links: {
      first: {
        to: 'getPost',
        says: 'One of the posts.',
        parameters: { 'path.id': '$response.body#/data/0/id' },
      },
      next: {
        to: 'listPosts',
        says: 'The page after this one, where there is one.',
        parameters: { 'query.cursor': '$response.body#/next_cursor' },
      },
    },
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
    pathId: PostId,
    tag,
    summary: 'Read a post',
    scope: 'posts:read',
    status: 200,
    response: Post,
    errors: ['not_found'],
    links: {
      change: {
        to: 'updatePost',
        says: 'While it is not being sent.',
        parameters: { ...same, ...unchanged },
      },
      cancel: {
        to: 'cancelPost',
        says: 'While it is not being sent.',
        parameters: { ...same, ...unchanged },
      },
      events: { to: 'listPostEvents', says: 'Its timeline.', parameters: same },
    },
    async handle(request) {
      return withEtag(request, await request.clients.posts.get.query(onePost(request)));
    },
  },
  {
    id: 'updatePost',
    method: 'PATCH',
    path: '/posts/{id}',
    pathId: PostId,
    tag,
    summary: 'Change a post that is not being sent yet',
    says: 'A field that is absent stays as it is; null removes `auto_reply` or `auto_retweet`. All rules of a new post hold. With `If-Match`, only the version that you saw is changed.',
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
    links: {
      read: { to: 'getPost', says: 'The post as it is now.', parameters: same },
      again: {
        to: 'updatePost',
        says: 'Change it once more.',
        parameters: { ...same, ...unchanged },
      },
      cancel: {
        to: 'cancelPost',
        says: 'While it is not being sent.',
        parameters: { ...same, ...unchanged },
      },
      events: { to: 'listPostEvents', says: 'Its timeline.', parameters: same },
    },
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
    pathId: PostId,
    tag,
    summary: 'Cancel a post that is not being sent yet',
    says: 'It stays readable, with the status `cancelled`, and gives its place in the day free. To cancel again has the same answer.',
    scope: 'posts:write',
    ifMatch: true,
    status: 200,
    response: Post,
    errors: ['not_found', 'post_not_editable'],
    links: {
      read: { to: 'getPost', says: 'It stays readable.', parameters: same },
      again: { to: 'cancelPost', says: 'Has the same answer.', parameters: same },
      events: { to: 'listPostEvents', says: 'Its timeline.', parameters: same },
    },
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
    pathId: PostId,
    tag,
    summary: 'What happened to a post, oldest first',
    says: 'Also what could not be done, and why.',
    scope: 'posts:read',
    query: EventsQuery,
    status: 200,
    response: PostEventsPage,
    errors: ['not_found', 'invalid_cursor'],
    links: {
      next: {
        to: 'listPostEvents',
        says: 'The page after this one, where there is one.',
        parameters: { ...same, 'query.cursor': '$response.body#/next_cursor' },
      },
      post: { to: 'getPost', says: 'The post.', parameters: same },
    },
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

/** How long a post may take to be stored, in ms: fetching media URLs takes its time. */
export function timeoutFor(post: {
  tweets?: { media_urls?: string[] | undefined }[] | undefined;
}): number {
  const fetches = post.tweets?.some((tweet) => tweet.media_urls?.length) ?? false;
  return fetches ? limits.mediaFetchTimeoutMs + limits.callTimeoutMs : limits.callTimeoutMs;
}
