import type { FollowUp, PublishedPart } from './posts.ts';

/** What the post workflow and the platform activities say to each other. Ids and outcomes only, never text. */

/** Temporal task queues: one per kind of worker. */
export const taskQueues = {
  /** The post workflows and their local activities, in the posts service. */
  posts: 'posts',
  /** The sending of posts, in the accounts service, so that no token leaves it. */
  platforms: 'platforms',
  /** What follows posts up, there too; apart, so that no post waits for it. */
  followUps: 'follow-ups',
} as const;

/** The one workflow of a post: starting it again finds the running one. */
export function postWorkflowId(postId: string): string {
  return `post/${postId}`;
}

/** The workflow of one delivery of a webhook; each replay has its own. */
export function deliveryWorkflowId(deliveryId: string, run: number): string {
  return `webhook/${deliveryId}/${run}`;
}

/** Which post an activity is about. */
export interface PostRef {
  post_id: string;
}

/** A tweet that stands on the platform. */
export type { PublishedPart } from './posts.ts';

/** What the workflow of a post is started with; recorded in its history. */
export interface PublishPost extends PostRef {
  due_at_ms: number;
  /** How long a post that surely was not sent is tried again. */
  retry_for_ms: number;
  /** How long an unknown outcome is looked up before the post fails with it. */
  reconcile_for_ms: number;
}

/**
 * How an attempt at a post ended. `posted`: all tweets stand, it is charged and recorded. `stopped`: there
 * is nothing to send, for the post was cancelled or has failed by its own rules. `wait`: not before that
 * time. `unsettled`: all tweets stand, but charging or recording must be tried again. The others as in
 * {@link TweetsOutcome}.
 */
export type PublishOutcome =
  | { kind: 'posted'; posted_at_ms: number; follow_up: FollowUp }
  | { kind: 'stopped' }
  | { kind: 'wait'; until_ms: number }
  | { kind: 'unsettled'; at_ms: number }
  | Exclude<TweetsOutcome, { kind: 'published' }>;

/**
 * How the sending of a post's tweets ended. `published`: all tweets stand. `rejected`: the platform will
 * never take tweet `index`. `retry`: surely not sent, try again at that time. `unknown`: tweet `index` may
 * or may not stand; only `reconcile` may say. `parts` are the tweets that surely stand.
 */
export type TweetsOutcome =
  | { kind: 'published'; parts: PublishedPart[] }
  | { kind: 'rejected'; index: number; code: RejectionCode; detail: string; parts: PublishedPart[] }
  | { kind: 'retry'; index: number; at_ms: number; detail: string; parts: PublishedPart[] }
  | { kind: 'unknown'; index: number; detail: string; parts: PublishedPart[] };

/**
 * Why a send was refused for good; each is also a post's failure code. `not_summoned`: only of replies, to
 * someone who did not mention the account.
 */
export type RejectionCode =
  | 'platform_rejected'
  | 'account_disconnected'
  | 'duplicate_content'
  | 'media_rejected'
  | 'not_summoned';

/**
 * What reading back told. `resolved`: every journaled send is now known to stand or to be absent, so
 * publishing may go on where it stopped. `undecided`: ask again at that time.
 */
export type ReconcileOutcome =
  | { kind: 'resolved'; found: boolean }
  | { kind: 'undecided'; again_at_ms: number };

/** How a repost ended. `gone`: the post or its account is no longer there. */
export type RepostOutcome =
  | { kind: 'done' }
  | { kind: 'retry'; at_ms: number }
  | { kind: 'gone'; detail: string };

/** One round of auto-replies: what was answered, what was passed over and why, and where to go on. */
export interface ReplyRound {
  sent: { to: string; platform_id: string }[];
  skipped: { to: string; reason: string }[];
  /** Set when there is nothing more to answer, ever. */
  gone: string | null;
  /** Where the next round goes on. */
  cursor: string | null;
}

/** The activities of the accounts service, on `taskQueues.platforms` and `taskQueues.followUps`. */
export interface PlatformActivities {
  /**
   * One attempt at a post, from its due time to its charge: begins it in posts, sends the tweets that do not
   * stand yet, in order, each journaled before it is sent, and settles it in posts.
   */
  publish(post: PostRef): Promise<PublishOutcome>;
  /** Reads the platform back for sends whose outcome is unknown. */
  reconcile(post: PostRef): Promise<ReconcileOutcome>;
  /** Reposts the first tweet; again: nothing more happens. */
  repost(post: PostRef): Promise<RepostOutcome>;
  /** Answers at most `max` people who replied and were not answered yet, over all rounds. */
  reply(input: PostRef & { max: number; cursor?: string | null }): Promise<ReplyRound>;
}
