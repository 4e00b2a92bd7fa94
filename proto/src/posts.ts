import { z } from 'zod';
import { KeyMode, OutsideWindow, Review, TimeZone } from './accounts.ts';
import { FieldErrors } from './field-errors.ts';
import { Idempotency, type Once, onceOf } from './idempotency.ts';
import { AccountId, MediaId, PostId, UserId } from './ids.ts';
import { UtcInstant } from './instant.ts';
import { limits } from './limits.ts';
import { MediaUrl } from './media.ts';
import { PageRequest, pageOf } from './pages.ts';
import { type Call, Health, procedure, router } from './rpc.ts';
import { Tenant } from './tenant.ts';
import { StorableText } from './text.ts';

/** One entry of `tweets` as the caller sends it (seed §2). */
export const NewTweet = z
  .strictObject({
    text: StorableText.max(limits.textChars).describe(
      'Text of the post; may be empty only beside media. The platform has a shorter limit of its own.',
    ),
    media_ids: z
      .array(MediaId)
      .max(limits.mediaPerTweet)
      .optional()
      .describe('From `POST /media`.'),
    media_urls: z
      .array(MediaUrl)
      .max(limits.mediaPerTweet)
      .optional()
      .describe('Fetched before the answer; they come after `media_ids`.'),
  })
  .refine((tweet) => tweet.text.trim() !== '' || mediaCount(tweet) > 0, {
    path: ['text'],
    message: 'must not be empty without media',
    params: { code: 'empty' },
  })
  .meta({
    anyOf: [
      { properties: { text: { pattern: '[^\\s\\ufeff]' } } },
      { required: ['media_ids'], properties: { media_ids: { minItems: 1 } } },
      { required: ['media_urls'], properties: { media_urls: { minItems: 1 } } },
    ],
  });

/** Answers replies to the post automatically (seed §2). */
export const AutoReply = z.strictObject({
  enabled: z.boolean(),
  max: z
    .number()
    .int()
    .min(1)
    .max(limits.autoReplies)
    .default(10)
    .describe('How many replies at the most.'),
  text: StorableText.min(1)
    .max(limits.textChars)
    .optional()
    .describe("Else the account's template from the dashboard."),
});

/** Reposts the post after some hours (seed §2). */
export const AutoRetweet = z.strictObject({
  enabled: z.boolean(),
  after_hours: z
    .number()
    .int()
    .min(1)
    .max(limits.autoRetweetHours)
    .default(24)
    .describe('Hours from `posted_at`.'),
});

const Tweets = z.array(NewTweet).min(1).max(limits.tweetsPerPost).describe('A thread, in order.');

/** The body of `POST /posts` (seed §2). */
export const NewPost = z
  .strictObject({
    account_id: AccountId,
    tweets: Tweets,
    scheduled_at: UtcInstant.optional(),
    publish_now: z.boolean().optional().describe('`true` publishes at once (seed §4.1).'),
    auto_reply: AutoReply.optional(),
    auto_retweet: AutoRetweet.optional(),
  })
  .refine((post) => (post.scheduled_at === undefined) === (post.publish_now === true), {
    path: ['scheduled_at'],
    message: 'give exactly one of scheduled_at and publish_now: true',
    params: { code: 'exactly_one' },
  })
  .meta({
    oneOf: [
      { required: ['scheduled_at'], properties: { publish_now: { const: false } } },
      {
        required: ['publish_now'],
        properties: { publish_now: { const: true } },
        not: { required: ['scheduled_at'] },
      },
    ],
  });
export type NewPost = z.infer<typeof NewPost>;

/** The body of `PATCH /posts/{id}`: a field that is absent stays as it is. */
export const PostPatch = z
  .strictObject({
    tweets: Tweets.optional(),
    scheduled_at: UtcInstant.optional(),
    auto_reply: AutoReply.nullable().optional(),
    auto_retweet: AutoRetweet.nullable().optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, {
    message: 'give at least one field to change',
    params: { code: 'empty' },
  })
  .meta({ minProperties: 1 });
export type PostPatch = z.infer<typeof PostPatch>;

/** Where a post is in its life. All but `cancelled` and `failed` count toward the day (seed §3). */
export const PostStatus = z.enum(['scheduled', 'publishing', 'posted', 'cancelled', 'failed']);
export type PostStatus = z.infer<typeof PostStatus>;

/** Why a post was not published; stable, beside a sentence for a person. */
export const PostFailureCode = z.enum([
  'outside_posting_window',
  'insufficient_credits',
  'account_disconnected',
  'account_held',
  'paid_plan_required',
  'platform_rejected',
  'duplicate_content',
  'media_rejected',
  'not_summoned',
  'platform_unavailable',
  'publish_outcome_unknown',
  'not_published',
]);
export type PostFailureCode = z.infer<typeof PostFailureCode>;

/** One tweet of a stored post. */
export const Tweet = z.object({
  text: z.string().describe('As it was sent.'),
  media_ids: z.array(MediaId).describe('Those that were fetched from a URL too.'),
  url: z.string().nullable().describe('Where it stands on the platform, once it does.'),
  platform_id: z.string().nullable().describe("The platform's own id of it."),
});
export type Tweet = z.infer<typeof Tweet>;

/** A post as stored and returned. */
export const Post = z
  .object({
    id: PostId,
    account_id: AccountId,
    mode: KeyMode.describe('`test` when it was made with a test key.'),
    status: PostStatus.describe('`posted`, `cancelled` and `failed` are final.'),
    version: z.number().int().describe('Grows with each change; the ETag.'),
    scheduled_at: z.iso
      .datetime()
      .describe('When it is due; the instant of creation for publish_now.'),
    tweets: z.array(Tweet).describe('The thread, in order.'),
    auto_reply: AutoReply.nullable().describe('Null where none was asked for.'),
    auto_retweet: AutoRetweet.nullable().describe('Null where none was asked for.'),
    cost: z.object({
      credits: z
        .number()
        .int()
        .describe('The price, fixed now; charged only after a successful send (seed §8).'),
      contains_url: z.boolean().describe('Whether the URL surcharge is in it.'),
      charged: z.boolean().describe('Whether it was taken from the balance.'),
    }),
    failure: z
      .object({ code: PostFailureCode, detail: z.string() })
      .nullable()
      .describe('Why it was not published, once it has failed.'),
    posted_at: z.iso.datetime().nullable().describe('When the last of its tweets went out.'),
    created_at: z.iso.datetime(),
    updated_at: z.iso.datetime(),
  })
  .meta({ id: 'Post' });
export type Post = z.infer<typeof Post>;

/** What can happen to a post. */
export const PostEventType = z.enum([
  'post.scheduled',
  'post.updated',
  'post.cancelled',
  'post.deferred',
  'post.publishing',
  'post.waiting',
  'post.outcome_unknown',
  'post.reconciled',
  'post.posted',
  'post.failed',
  'post.resolved',
  'post.retried',
  'auto_retweet.scheduled',
  'auto_retweet.done',
  'auto_retweet.dropped',
  'auto_reply.sent',
  'auto_reply.skipped',
  'auto_reply.finished',
]);
export type PostEventType = z.infer<typeof PostEventType>;

/** One line of a post's timeline. */
export const PostEvent = z
  .object({
    id: z.string(),
    post_id: PostId,
    seq: z.number().int().describe('Its number in the timeline, from 1, without gaps.'),
    type: PostEventType,
    at: z.iso.datetime().describe('When it happened.'),
    data: z.record(z.string(), z.unknown()).describe('What there is to say of it, by type.'),
    hash: z
      .string()
      .describe(
        'Covers this event and all before it; one that you kept proves that none was changed.',
      ),
  })
  .meta({ id: 'PostEvent' });
export type PostEvent = z.infer<typeof PostEvent>;

/** What reading a timeline against its hashes told. */
export const Verification = z.object({
  post_id: PostId,
  intact: z.boolean(),
  broken_at: z
    .number()
    .int()
    .nullable()
    .describe('The number of the first event that does not fit.'),
  events: z.number().int(),
  last_hash: z.string().nullable(),
});
export type Verification = z.infer<typeof Verification>;

/** Which posts to list; newest first. */
export const PostFilter = z.object({
  status: PostStatus.optional().describe('Only those with this status.'),
  account_id: AccountId.optional().describe('Only those of this account.'),
  scheduled_from: UtcInstant.optional().describe('Due at or after.'),
  scheduled_to: UtcInstant.optional().describe('Due before.'),
  ...PageRequest.shape,
});

/** How much of an account's local day is taken (seed §8). */
export const DailyUse = z.object({
  account_id: AccountId,
  limit: z.number().int().describe('Tweets that may be scheduled or posted on a local day.'),
  used: z.number().int().describe('Taken today.'),
  remaining: z.number().int().describe('Left today.'),
  resets_at: z.iso.datetime().describe('When the next local day begins.'),
});
export type DailyUse = z.infer<typeof DailyUse>;

/** How much of one local day of an account is taken. */
export const DayUse = z.object({
  date: z.iso.date().describe('In the time zone of the account.'),
  starts_at: z.iso.datetime(),
  ends_at: z.iso.datetime(),
  used: z.number().int(),
  limit: z.number().int(),
});
export type DayUse = z.infer<typeof DayUse>;

/** What publishing costs, in credits (seed §8). */
export const Pricing = z.object({
  per_post: z.number().int().describe('For a post, however long its thread.'),
  url_surcharge: z.number().int().describe('Once for a post that contains a URL.'),
});
export type Pricing = z.infer<typeof Pricing>;

/** What would become of a post, by the very rules that creating and publishing follow; nothing is stored. */
export const Rehearsal = z.object({
  account_id: AccountId,
  valid: z.boolean().describe('Whether it would be accepted, and could be paid for when due.'),
  issues: FieldErrors.describe(
    'Every reason why not: the code of a broken field, or of the problem that `POST /posts` would answer.',
  ),
  scheduled_at: z.iso.datetime().describe('When it would be due, in UTC.'),
  local_time: z
    .string()
    .describe("The same on the account's clock, with its offset: `2026-12-01T10:00:00+01:00`."),
  time_zone: TimeZone,
  lengths: Review.shape.lengths,
  cost: z.object({ credits: z.number().int(), contains_url: z.boolean() }),
  credits: z.object({
    available: z.number().int().describe('What would be left before it, after those due earlier.'),
    sufficient: z.boolean(),
  }),
  daily_limit: z.object({
    date: z.iso.date().describe('The local day that it would count toward.'),
    limit: z.number().int(),
    used: z.number().int().describe('By others, those before it in this request included.'),
    resets_at: z.iso.datetime(),
  }),
  posting_window: z.object({
    open: z.boolean(),
    outside_window: OutsideWindow,
    publishes_at: z.iso
      .datetime()
      .nullable()
      .describe('When it would go out; null when it would not.'),
  }),
  next_legal_at: z.iso
    .datetime()
    .nullable()
    .describe('The first time from then on that window and day limit allow; null when none does.'),
});
export type Rehearsal = z.infer<typeof Rehearsal>;

/** The body of `POST /test/clock/advance`. */
export const TestClockAdvance = z.strictObject({
  seconds: z
    .number()
    .int()
    .min(1)
    .max(limits.scheduleAheadDays * 86_400)
    .describe('How far the clock of all scheduled test posts moves on.'),
});

/** What accounts needs to send a post's tweets; never part of a workflow's history. */
export const PostContent = z.object({
  user_id: UserId,
  account_id: AccountId,
  tweets: z.array(z.object({ text: z.string(), media_ids: z.array(MediaId) })),
  auto_reply_text: z.string().nullable(),
});
export type PostContent = z.infer<typeof PostContent>;

/** A tweet that stands on the platform. */
export const PublishedPart = z.object({
  index: z.number().int(),
  platform_id: z.string(),
  url: z.string(),
  published_at_ms: z.number(),
});
export type PublishedPart = z.infer<typeof PublishedPart>;

/** What was asked for after the post. */
export const FollowUp = z.object({
  auto_retweet: z.object({ after_ms: z.number() }).nullable(),
  auto_reply: z.object({ max: z.number(), every_ms: z.number(), for_ms: z.number() }).nullable(),
});
export type FollowUp = z.infer<typeof FollowUp>;

/** What there is to do for a post now. */
export const Begin = z.discriminatedUnion('next', [
  z.object({ next: z.literal('stop') }),
  z.object({ next: z.literal('wait'), until_ms: z.number() }),
  z.object({ next: z.literal('publish'), content: PostContent, follow_up: FollowUp }),
]);
export type Begin = z.infer<typeof Begin>;

/** A page of posts. */
export const PostsPage = pageOf(Post);
/** A page of a post's timeline, oldest first. */
export const PostEventsPage = pageOf(PostEvent);

const CreatePost = z.object({ tenant: Tenant, post: NewPost, idempotency: Idempotency });
const AdvanceClock = z.object({
  tenant: Tenant,
  seconds: TestClockAdvance.shape.seconds,
  idempotency: Idempotency,
});
const Moved = z.object({ moved: z.number().int() });
const RehearsePosts = z.object({
  tenant: Tenant,
  posts: z.array(NewPost).min(1).max(limits.simulatedPosts),
});
const OnePost = z.object({ tenant: Tenant, post_id: PostId });
const ListPosts = z.object({ tenant: Tenant, ...PostFilter.shape });
const IfVersion = z
  .number()
  .int()
  .nullable()
  .default(null)
  .describe('Only when the post still has this version.');
const UpdatePost = z.object({
  tenant: Tenant,
  post_id: PostId,
  patch: PostPatch,
  if_version: IfVersion,
  idempotency: Idempotency,
});
const CancelPost = z.object({
  tenant: Tenant,
  post_id: PostId,
  if_version: IfVersion,
  idempotency: Idempotency,
});
const ListEvents = z.object({ tenant: Tenant, post_id: PostId, ...PageRequest.shape });
const PostRef = z.object({ post_id: PostId });
const SettlePost = z.object({ post_id: PostId, parts: z.array(PublishedPart).min(1) });
const DayUsesRequest = z.object({
  tenant: Tenant,
  account_id: AccountId,
  from: z.iso.date(),
  to: z.iso.date().describe('The last day; at most as many days as `limits.dayUses`.'),
});
const Upcoming = z.object({
  scheduled: z.number().int(),
  with_auto_reply: z.number().int(),
  with_auto_retweet: z.number().int(),
});
const DailyUseRequest = z.object({
  accounts: z.array(z.object({ account_id: AccountId, time_zone: TimeZone })).max(1_000),
});

/**
 * The posts service: from creation over the workflow to the timeline. What changes a post takes an
 * idempotency key, and may throw `idempotency_in_flight` and `idempotency_key_reused` beside its own.
 */
export interface Posts {
  /**
   * A new post, scheduled or at once. `validation_failed`, `outside_posting_window`,
   * `daily_limit_reached`, `insufficient_credits` (at once only), `account_disconnected`, `not_found`.
   */
  create(input: z.output<typeof CreatePost>, call: Call): Promise<Once<Post>>;
  /** What would become of these posts if they were created now, in this order. `not_found`, `account_disconnected`. */
  rehearse(input: z.output<typeof RehearsePosts>, call: Call): Promise<Rehearsal[]>;
  /**
   * Moves all scheduled test posts of the tenant so much nearer; their windows are judged by the moved clock.
   * Returns how many. `insufficient_scope` without a test key.
   */
  advanceClock(input: z.output<typeof AdvanceClock>, call: Call): Promise<Once<{ moved: number }>>;
  get(input: z.output<typeof OnePost>, call: Call): Promise<Post>;
  list(input: z.output<typeof ListPosts>, call: Call): Promise<z.infer<typeof PostsPage>>;
  /** `post_not_editable` once sending began, `precondition_failed` when the version moved on. */
  update(input: z.output<typeof UpdatePost>, call: Call): Promise<Once<Post>>;
  /** Cancels and returns the post; again: the same answer. `post_not_editable` once sending began. */
  cancel(input: z.output<typeof CancelPost>, call: Call): Promise<Once<Post>>;
  events(input: z.output<typeof ListEvents>, call: Call): Promise<z.infer<typeof PostEventsPage>>;
  /** For operators: whether the timeline of a post is as it was written. */
  verify(input: { post_id: string }, call: Call): Promise<Verification>;
  dailyUse(input: z.output<typeof DailyUseRequest>, call: Call): Promise<DailyUse[]>;
  /** The use of each local day from `from` to `to`. */
  dayUses(input: z.output<typeof DayUsesRequest>, call: Call): Promise<DayUse[]>;
  /** For accounts: how many live posts of the user are still to go out, and what is to follow them. */
  upcoming(input: { user_id: string }, call: Call): Promise<z.infer<typeof Upcoming>>;
  pricing(call: Call): Promise<Pricing>;
  /** For accounts alone: what to read back or to follow up. */
  content(input: { post_id: string }, call: Call): Promise<PostContent>;
  /** For accounts alone: begins the sending of a post if it may go out now; idempotent. */
  begin(input: { post_id: string }, call: Call): Promise<Begin>;
  /** For accounts alone: charges for a post whose tweets all stand, and marks it posted; idempotent. */
  settle(input: z.output<typeof SettlePost>, call: Call): Promise<{ posted_at_ms: number }>;
  health(call: Call): Promise<Health>;
}

/** The wire form of {@link Posts}. */
export const postsRouter = (posts: Posts) =>
  router({
    create: procedure
      .input(CreatePost)
      .output(onceOf(Post))
      .mutation(({ input, ctx }) => posts.create(input, ctx)),
    rehearse: procedure
      .input(RehearsePosts)
      .output(z.array(Rehearsal))
      .query(({ input, ctx }) => posts.rehearse(input, ctx)),
    advanceClock: procedure
      .input(AdvanceClock)
      .output(onceOf(Moved))
      .mutation(({ input, ctx }) => posts.advanceClock(input, ctx)),
    get: procedure
      .input(OnePost)
      .output(Post)
      .query(({ input, ctx }) => posts.get(input, ctx)),
    list: procedure
      .input(ListPosts)
      .output(PostsPage)
      .query(({ input, ctx }) => posts.list(input, ctx)),
    update: procedure
      .input(UpdatePost)
      .output(onceOf(Post))
      .mutation(({ input, ctx }) => posts.update(input, ctx)),
    cancel: procedure
      .input(CancelPost)
      .output(onceOf(Post))
      .mutation(({ input, ctx }) => posts.cancel(input, ctx)),
    events: procedure
      .input(ListEvents)
      .output(PostEventsPage)
      .query(({ input, ctx }) => posts.events(input, ctx)),
    verify: procedure
      .input(PostRef)
      .output(Verification)
      .query(({ input, ctx }) => posts.verify(input, ctx)),
    dailyUse: procedure
      .input(DailyUseRequest)
      .output(z.array(DailyUse))
      .query(({ input, ctx }) => posts.dailyUse(input, ctx)),
    dayUses: procedure
      .input(DayUsesRequest)
      .output(z.array(DayUse))
      .query(({ input, ctx }) => posts.dayUses(input, ctx)),
    upcoming: procedure
      .input(z.object({ user_id: UserId }))
      .output(Upcoming)
      .query(({ input, ctx }) => posts.upcoming(input, ctx)),
    pricing: procedure.output(Pricing).query(({ ctx }) => posts.pricing(ctx)),
    content: procedure
      .input(PostRef)
      .output(PostContent)
      .query(({ input, ctx }) => posts.content(input, ctx)),
    begin: procedure
      .input(PostRef)
      .output(Begin)
      .mutation(({ input, ctx }) => posts.begin(input, ctx)),
    settle: procedure
      .input(SettlePost)
      .output(z.object({ posted_at_ms: z.number() }))
      .mutation(({ input, ctx }) => posts.settle(input, ctx)),
    health: procedure.output(Health).query(({ ctx }) => posts.health(ctx)),
  });
export type PostsRouter = ReturnType<typeof postsRouter>;

function mediaCount(tweet: {
  media_ids?: string[] | undefined;
  media_urls?: string[] | undefined;
}): number {
  return (tweet.media_ids?.length ?? 0) + (tweet.media_urls?.length ?? 0);
}
