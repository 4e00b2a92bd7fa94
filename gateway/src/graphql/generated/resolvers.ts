// Made from proto/src/operators.graphql by `npm run graphql -w @perch/gateway`; not to be edited.
import type { GraphQLResolveInfo, GraphQLScalarType, GraphQLScalarTypeConfig } from 'graphql';
import type { OverseenAccount, OverseenKey, Send as SendModel } from '@perch/proto/accounts-oversight';
import type { Act as ActModel, Actor as ActorModel, Operator as OperatorModel } from '@perch/proto/operators';
import type { LedgerEntry } from '@perch/proto/credits';
import type { OverseenPost, PostWorkflow as PostWorkflowModel, Queues as QueuesModel, OverseenDelivery, OverseenEndpoint } from '@perch/proto/posts-oversight';
import type { PostEvent as PostEventModel } from '@perch/proto/posts';
import type { User as UserModel } from '@perch/proto/accounts';
import type { Context } from '../context.ts';
export type Maybe<T> = T | null;
export type InputMaybe<T> = T | null | undefined;
export type Omit<T, K extends keyof T> = Pick<T, Exclude<keyof T, K>>;
export type RequireFields<T, K extends keyof T> = Omit<T, K> & { [P in K]-?: NonNullable<T[P]> };
/** All built-in and custom scalars, mapped to their actual values */
export type Scalars = {
  ID: { input: string; output: string; }
  String: { input: string; output: string; }
  Boolean: { input: boolean; output: boolean; }
  Int: { input: number; output: number; }
  Float: { input: number; output: number; }
  /** ISO 8601, UTC, with milliseconds. */
  DateTime: { input: string; output: string; }
  /** Any JSON. */
  JSON: { input: unknown; output: unknown; }
};

/** What an operator may do; each role may do all that those before it may. */
export type Role =
  | 'viewer'
  | 'support'
  | 'admin';

export type Query = {
  __typename?: 'Query';
  /** Who you are to Perch. */
  me: Actor;
  /** Newest first. `emailPrefix` is the beginning of an address. */
  users: UserConnection;
  /** By id or by the whole address. */
  user?: Maybe<User>;
  plans: Array<PlanOffer>;
  /** Newest first. */
  accounts: AccountConnection;
  account?: Maybe<Account>;
  /**
   * Newest first. `overdue`: only those that should have gone out a minute ago and that nothing holds. `failure`: only
   * those that failed with that code.
   */
  posts: PostConnection;
  post?: Maybe<Post>;
  /** Newest first. */
  webhookDeliveries: WebhookDeliveryConnection;
  queues: Queues;
  /** Operators with a token, newest first, revoked ones too. */
  operators: Array<Operator>;
  /** What operators did, newest first. */
  audit: ActConnection;
};


export type QueryUsersArgs = {
  emailPrefix?: InputMaybe<Scalars['String']['input']>;
  plan?: InputMaybe<Plan>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


export type QueryUserArgs = {
  id?: InputMaybe<Scalars['ID']['input']>;
  email?: InputMaybe<Scalars['String']['input']>;
};


export type QueryAccountsArgs = {
  platform?: InputMaybe<Platform>;
  status?: InputMaybe<AccountStatus>;
  held?: InputMaybe<Scalars['Boolean']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


export type QueryAccountArgs = {
  id: Scalars['ID']['input'];
};


export type QueryPostsArgs = {
  status?: InputMaybe<PostStatus>;
  failure?: InputMaybe<Scalars['String']['input']>;
  overdue?: InputMaybe<Scalars['Boolean']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


export type QueryPostArgs = {
  id: Scalars['ID']['input'];
};


export type QueryWebhookDeliveriesArgs = {
  status?: InputMaybe<DeliveryStatus>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


export type QueryAuditArgs = {
  actorId?: InputMaybe<Scalars['ID']['input']>;
  subject?: InputMaybe<Scalars['ID']['input']>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

/** Every mutation is written to the audit log, with its reason, before it is made, and how it ended after. */
export type Mutation = {
  __typename?: 'Mutation';
  setPlan: User;
  /** Adds credits, once per idempotency key of the user. The user reads the reason in the ledger. */
  grantCredits: User;
  /** Ends a key; it may work for as long as the gateway believes a valid one (two seconds). */
  revokeKey: ApiKey;
  /**
   * From now on the account sends nothing: its posts wait, and fail with `account_held` where the hold outlasts the time
   * that posts are tried for. The reason is on their timelines, where the user reads it.
   */
  holdAccount: Account;
  /** Ends a hold; what waits for it goes out. */
  releaseAccount: Account;
  /**
   * Sends a failed post again, now, under today's rules; only one that surely stands nowhere on the platform
   * (`post_outcome_conflict` otherwise).
   */
  retryPost: Post;
  /**
   * Ends the doubt about a post that failed with `publish_outcome_unknown`. Published: it is posted and charged, once.
   * Not published: it stays failed and uncharged, and can be retried.
   */
  resolvePost: Post;
  /** Sends a delivery again, whatever became of it. */
  replayWebhook: WebhookDelivery;
};


/** Every mutation is written to the audit log, with its reason, before it is made, and how it ended after. */
export type MutationSetPlanArgs = {
  input: SetPlanInput;
};


/** Every mutation is written to the audit log, with its reason, before it is made, and how it ended after. */
export type MutationGrantCreditsArgs = {
  input: GrantCreditsInput;
};


/** Every mutation is written to the audit log, with its reason, before it is made, and how it ended after. */
export type MutationRevokeKeyArgs = {
  input: RevokeKeyInput;
};


/** Every mutation is written to the audit log, with its reason, before it is made, and how it ended after. */
export type MutationHoldAccountArgs = {
  input: HoldAccountInput;
};


/** Every mutation is written to the audit log, with its reason, before it is made, and how it ended after. */
export type MutationReleaseAccountArgs = {
  input: ReleaseAccountInput;
};


/** Every mutation is written to the audit log, with its reason, before it is made, and how it ended after. */
export type MutationRetryPostArgs = {
  input: RetryPostInput;
};


/** Every mutation is written to the audit log, with its reason, before it is made, and how it ended after. */
export type MutationResolvePostArgs = {
  input: ResolvePostInput;
};


/** Every mutation is written to the audit log, with its reason, before it is made, and how it ended after. */
export type MutationReplayWebhookArgs = {
  input: ReplayWebhookInput;
};

export type Subscription = {
  __typename?: 'Subscription';
  /**
   * The timeline of a post from its beginning, or from after the event of that id, each event once and in order. Ends
   * after an hour; go on with the last event's id.
   */
  postEvents: PostEvent;
};


export type SubscriptionPostEventsArgs = {
  postId: Scalars['ID']['input'];
  after?: InputMaybe<Scalars['ID']['input']>;
};

export type SetPlanInput = {
  userId: Scalars['ID']['input'];
  plan: Plan;
  reason: Scalars['String']['input'];
};

export type GrantCreditsInput = {
  userId: Scalars['ID']['input'];
  credits: Scalars['Int']['input'];
  idempotencyKey: Scalars['String']['input'];
  reason: Scalars['String']['input'];
};

export type RevokeKeyInput = {
  keyId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type HoldAccountInput = {
  accountId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type ReleaseAccountInput = {
  accountId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type RetryPostInput = {
  postId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type ResolvePostInput = {
  postId: Scalars['ID']['input'];
  outcome: Outcome;
  /** When published: where each tweet stands whose outcome is unknown. */
  tweets?: Array<SeenTweetInput>;
  reason: Scalars['String']['input'];
};

export type Outcome =
  | 'published'
  | 'not_published';

export type SeenTweetInput = {
  /** 0 is the first tweet. */
  index: Scalars['Int']['input'];
  /** The platform's own id of it. */
  platformId: Scalars['String']['input'];
  url: Scalars['String']['input'];
};

export type ReplayWebhookInput = {
  deliveryId: Scalars['ID']['input'];
  reason: Scalars['String']['input'];
};

export type PageInfo = {
  __typename?: 'PageInfo';
  hasNextPage: Scalars['Boolean']['output'];
  hasPreviousPage: Scalars['Boolean']['output'];
  startCursor?: Maybe<Scalars['String']['output']>;
  endCursor?: Maybe<Scalars['String']['output']>;
};

export type Actor = {
  __typename?: 'Actor';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  role: Role;
};

export type Operator = {
  __typename?: 'Operator';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  role: Role;
  /** The beginning and the last four characters of the token. */
  hint: Scalars['String']['output'];
  createdAt: Scalars['DateTime']['output'];
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  revokedAt?: Maybe<Scalars['DateTime']['output']>;
};

export type Plan =
  | 'free'
  | 'paid';

/** What a plan allows, and how many have it. */
export type PlanOffer = {
  __typename?: 'PlanOffer';
  plan: Plan;
  /** Whether the API may be called at all (the whole of it needs the paid plan). */
  api: Scalars['Boolean']['output'];
  users: Scalars['Int']['output'];
};

export type User = {
  __typename?: 'User';
  id: Scalars['ID']['output'];
  email: Scalars['String']['output'];
  plan: Plan;
  createdAt: Scalars['DateTime']['output'];
  credits: Balance;
  /** The ledger, newest first. */
  creditEntries: CreditEntryConnection;
  /** Oldest first. */
  accounts: Array<Account>;
  /** Newest first, revoked ones too; never a secret. */
  keys: Array<ApiKey>;
  webhookEndpoints: Array<WebhookEndpoint>;
  /** Newest first. */
  posts: PostConnection;
};


export type UserCreditEntriesArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};


export type UserPostsArgs = {
  status?: InputMaybe<PostStatus>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

export type UserConnection = {
  __typename?: 'UserConnection';
  edges: Array<UserEdge>;
  pageInfo: PageInfo;
};

export type UserEdge = {
  __typename?: 'UserEdge';
  cursor: Scalars['String']['output'];
  node: User;
};

export type Balance = {
  __typename?: 'Balance';
  /** Credits owned, including those reserved. */
  balance: Scalars['Int']['output'];
  /** Held by posts that are being sent. */
  reserved: Scalars['Int']['output'];
  available: Scalars['Int']['output'];
};

export type CreditEntry = {
  __typename?: 'CreditEntry';
  id: Scalars['ID']['output'];
  kind: EntryKind;
  credits: Scalars['Int']['output'];
  balanceAfter: Scalars['Int']['output'];
  reason: Scalars['String']['output'];
  /** The post that was charged for. */
  postId?: Maybe<Scalars['ID']['output']>;
  createdAt: Scalars['DateTime']['output'];
};

export type EntryKind =
  | 'grant'
  | 'charge';

export type CreditEntryConnection = {
  __typename?: 'CreditEntryConnection';
  edges: Array<CreditEntryEdge>;
  pageInfo: PageInfo;
};

export type CreditEntryEdge = {
  __typename?: 'CreditEntryEdge';
  cursor: Scalars['String']['output'];
  node: CreditEntry;
};

export type ApiKey = {
  __typename?: 'ApiKey';
  id: Scalars['ID']['output'];
  name: Scalars['String']['output'];
  mode: KeyMode;
  /** The beginning and the last four characters of the secret. */
  hint: Scalars['String']['output'];
  scopes: Array<Scalars['String']['output']>;
  /** The only accounts it may touch; null: all. */
  accountIds?: Maybe<Array<Scalars['ID']['output']>>;
  createdAt: Scalars['DateTime']['output'];
  expiresAt?: Maybe<Scalars['DateTime']['output']>;
  lastUsedAt?: Maybe<Scalars['DateTime']['output']>;
  revokedAt?: Maybe<Scalars['DateTime']['output']>;
  user: User;
};

export type KeyMode =
  | 'live'
  | 'test';

export type Platform =
  | 'sandbox'
  | 'x'
  | 'bluesky'
  | 'mastodon';

export type AccountStatus =
  | 'connected'
  | 'disconnected';

export type Account = {
  __typename?: 'Account';
  id: Scalars['ID']['output'];
  platform: Platform;
  handle: Scalars['String']['output'];
  displayName: Scalars['String']['output'];
  timeZone: Scalars['String']['output'];
  postingWindow: PostingWindow;
  /** What becomes of a post that is due while the window is closed: `fail` or `defer`. */
  outsideWindow: Scalars['String']['output'];
  replyTemplate?: Maybe<Scalars['String']['output']>;
  status: AccountStatus;
  /** Set while it is held back. */
  held?: Maybe<Hold>;
  createdAt: Scalars['DateTime']['output'];
  user: User;
  /** Newest first. */
  posts: PostConnection;
};


export type AccountPostsArgs = {
  status?: InputMaybe<PostStatus>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

export type PostingWindow = {
  __typename?: 'PostingWindow';
  opens: Scalars['String']['output'];
  closes: Scalars['String']['output'];
};

export type Hold = {
  __typename?: 'Hold';
  since: Scalars['DateTime']['output'];
  reason: Scalars['String']['output'];
};

export type AccountConnection = {
  __typename?: 'AccountConnection';
  edges: Array<AccountEdge>;
  pageInfo: PageInfo;
};

export type AccountEdge = {
  __typename?: 'AccountEdge';
  cursor: Scalars['String']['output'];
  node: Account;
};

export type PostStatus =
  | 'scheduled'
  | 'publishing'
  | 'posted'
  | 'cancelled'
  | 'failed';

export type Post = {
  __typename?: 'Post';
  id: Scalars['ID']['output'];
  mode: KeyMode;
  status: PostStatus;
  version: Scalars['Int']['output'];
  /** Grows with each retry by an operator. */
  run: Scalars['Int']['output'];
  scheduledAt: Scalars['DateTime']['output'];
  /** It is looked at again then. */
  heldUntil?: Maybe<Scalars['DateTime']['output']>;
  /** When its workflow was started. */
  armedAt?: Maybe<Scalars['DateTime']['output']>;
  postedAt?: Maybe<Scalars['DateTime']['output']>;
  createdAt: Scalars['DateTime']['output'];
  updatedAt: Scalars['DateTime']['output'];
  tweets: Array<Tweet>;
  cost: Cost;
  failure?: Maybe<Failure>;
  user: User;
  /** Null when it was removed. */
  account?: Maybe<Account>;
  /** What it holds or held of its user's credits. */
  reservation?: Maybe<Reservation>;
  /** Oldest first. */
  timeline: PostEventConnection;
  /** The journal: every attempt at a tweet, reply or repost, oldest first. */
  sends: Array<Send>;
  /** The workflow of its last run; null before it is armed, and long after its end. */
  workflow?: Maybe<PostWorkflow>;
};


export type PostTimelineArgs = {
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

export type PostConnection = {
  __typename?: 'PostConnection';
  edges: Array<PostEdge>;
  pageInfo: PageInfo;
};

export type PostEdge = {
  __typename?: 'PostEdge';
  cursor: Scalars['String']['output'];
  node: Post;
};

export type Tweet = {
  __typename?: 'Tweet';
  text: Scalars['String']['output'];
  mediaIds: Array<Scalars['ID']['output']>;
  /** Where it stands on the platform, once it does. */
  url?: Maybe<Scalars['String']['output']>;
  platformId?: Maybe<Scalars['String']['output']>;
};

export type Cost = {
  __typename?: 'Cost';
  credits: Scalars['Int']['output'];
  containsUrl: Scalars['Boolean']['output'];
  charged: Scalars['Boolean']['output'];
};

export type Failure = {
  __typename?: 'Failure';
  code: Scalars['String']['output'];
  detail: Scalars['String']['output'];
};

export type Reservation = {
  __typename?: 'Reservation';
  credits: Scalars['Int']['output'];
  state: ReservationState;
};

export type ReservationState =
  | 'held'
  | 'captured'
  | 'released';

export type PostEvent = {
  __typename?: 'PostEvent';
  id: Scalars['ID']['output'];
  postId: Scalars['ID']['output'];
  seq: Scalars['Int']['output'];
  type: Scalars['String']['output'];
  at: Scalars['DateTime']['output'];
  data: Scalars['JSON']['output'];
  hash: Scalars['String']['output'];
};

export type PostEventConnection = {
  __typename?: 'PostEventConnection';
  edges: Array<PostEventEdge>;
  pageInfo: PageInfo;
};

export type PostEventEdge = {
  __typename?: 'PostEventEdge';
  cursor: Scalars['String']['output'];
  node: PostEvent;
};

export type Send = {
  __typename?: 'Send';
  /** `tweet:0` is the first tweet. */
  step: Scalars['String']['output'];
  attempt: Scalars['Int']['output'];
  startedAt: Scalars['DateTime']['output'];
  finishedAt?: Maybe<Scalars['DateTime']['output']>;
  /** Null: it is under way, or whoever made it has died. */
  outcome?: Maybe<Scalars['String']['output']>;
  detail?: Maybe<Scalars['String']['output']>;
  platformId?: Maybe<Scalars['String']['output']>;
  url?: Maybe<Scalars['String']['output']>;
  /** Whether a person said so. */
  byOperator: Scalars['Boolean']['output'];
};

export type PostWorkflow = {
  __typename?: 'PostWorkflow';
  workflowId: Scalars['ID']['output'];
  /** Temporal's word: RUNNING, COMPLETED, … */
  status: Scalars['String']['output'];
  startedAt?: Maybe<Scalars['DateTime']['output']>;
  closedAt?: Maybe<Scalars['DateTime']['output']>;
  historyLength: Scalars['Int']['output'];
  /** Activities under way. */
  pending: Array<PendingActivity>;
};

export type PendingActivity = {
  __typename?: 'PendingActivity';
  activity: Scalars['String']['output'];
  attempt: Scalars['Int']['output'];
};

export type WebhookEndpoint = {
  __typename?: 'WebhookEndpoint';
  id: Scalars['ID']['output'];
  /** May hold a secret of the user's own. */
  url: Scalars['String']['output'];
  description: Scalars['String']['output'];
  /** The only events to be sent; null: all. */
  events?: Maybe<Array<Scalars['String']['output']>>;
  status: EndpointStatus;
  disabledReason?: Maybe<Scalars['String']['output']>;
  createdAt: Scalars['DateTime']['output'];
  user: User;
  /** Newest first. */
  deliveries: WebhookDeliveryConnection;
};


export type WebhookEndpointDeliveriesArgs = {
  status?: InputMaybe<DeliveryStatus>;
  first?: InputMaybe<Scalars['Int']['input']>;
  after?: InputMaybe<Scalars['String']['input']>;
};

export type EndpointStatus =
  | 'enabled'
  | 'disabled';

export type DeliveryStatus =
  | 'pending'
  | 'delivered'
  | 'failed';

export type WebhookDelivery = {
  __typename?: 'WebhookDelivery';
  id: Scalars['ID']['output'];
  /** The header `webhook-id`: the same in every attempt and replay. */
  eventId: Scalars['ID']['output'];
  type: Scalars['String']['output'];
  status: DeliveryStatus;
  /** The last ones, oldest first. */
  attempts: Array<WebhookAttempt>;
  /** The body that is sent. */
  payload: Scalars['JSON']['output'];
  createdAt: Scalars['DateTime']['output'];
  endpoint?: Maybe<WebhookEndpoint>;
  user: User;
};

export type WebhookDeliveryConnection = {
  __typename?: 'WebhookDeliveryConnection';
  edges: Array<WebhookDeliveryEdge>;
  pageInfo: PageInfo;
};

export type WebhookDeliveryEdge = {
  __typename?: 'WebhookDeliveryEdge';
  cursor: Scalars['String']['output'];
  node: WebhookDelivery;
};

export type WebhookAttempt = {
  __typename?: 'WebhookAttempt';
  at: Scalars['DateTime']['output'];
  statusCode?: Maybe<Scalars['Int']['output']>;
  error?: Maybe<Scalars['String']['output']>;
  durationMs: Scalars['Int']['output'];
};

export type Queues = {
  __typename?: 'Queues';
  taskQueues: Array<TaskQueue>;
  outboxes: Array<Outbox>;
};

export type TaskQueue = {
  __typename?: 'TaskQueue';
  name: Scalars['String']['output'];
  kind: TaskKind;
  pollers: Scalars['Int']['output'];
  /** Tasks that wait, about. */
  backlog: Scalars['Int']['output'];
  backlogAgeMs: Scalars['Int']['output'];
};

export type TaskKind =
  | 'workflow'
  | 'activity';

/** Rows that somebody is to take on. */
export type Outbox = {
  __typename?: 'Outbox';
  name: Scalars['String']['output'];
  waiting: Scalars['Int']['output'];
  oldestAt?: Maybe<Scalars['DateTime']['output']>;
};

/** What an operator did. */
export type Act = {
  __typename?: 'Act';
  id: Scalars['ID']['output'];
  at: Scalars['DateTime']['output'];
  actor: Actor;
  /** The name of the mutation. */
  action: Scalars['String']['output'];
  /** The id of what it was done to. */
  subject: Scalars['ID']['output'];
  input: Scalars['JSON']['output'];
  reason: Scalars['String']['output'];
  requestId: Scalars['String']['output'];
  outcome: ActOutcome;
  /** The code of the fault that it failed with. */
  code?: Maybe<Scalars['String']['output']>;
  endedAt?: Maybe<Scalars['DateTime']['output']>;
};

/** `unknown`: its end was never written down; it may or may not be done. */
export type ActOutcome =
  | 'done'
  | 'failed'
  | 'unknown';

export type ActConnection = {
  __typename?: 'ActConnection';
  edges: Array<ActEdge>;
  pageInfo: PageInfo;
};

export type ActEdge = {
  __typename?: 'ActEdge';
  cursor: Scalars['String']['output'];
  node: Act;
};



export type ResolverTypeWrapper<T> = Promise<T> | T;


export type ResolverWithResolve<TResult, TParent, TContext, TArgs> = {
  resolve: ResolverFn<TResult, TParent, TContext, TArgs>;
};
export type Resolver<TResult, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = ResolverFn<TResult, TParent, TContext, TArgs> | ResolverWithResolve<TResult, TParent, TContext, TArgs>;

export type ResolverFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => Promise<TResult> | TResult;

export type SubscriptionSubscribeFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => AsyncIterable<TResult> | Promise<AsyncIterable<TResult>>;

export type SubscriptionResolveFn<TResult, TParent, TContext, TArgs> = (
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;

export interface SubscriptionSubscriberObject<TResult, TKey extends string, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<{ [key in TKey]: TResult }, TParent, TContext, TArgs>;
  resolve?: SubscriptionResolveFn<TResult, { [key in TKey]: TResult }, TContext, TArgs>;
}

export interface SubscriptionResolverObject<TResult, TParent, TContext, TArgs> {
  subscribe: SubscriptionSubscribeFn<any, TParent, TContext, TArgs>;
  resolve: SubscriptionResolveFn<TResult, any, TContext, TArgs>;
}

export type SubscriptionObject<TResult, TKey extends string, TParent, TContext, TArgs> =
  | SubscriptionSubscriberObject<TResult, TKey, TParent, TContext, TArgs>
  | SubscriptionResolverObject<TResult, TParent, TContext, TArgs>;

export type SubscriptionResolver<TResult, TKey extends string, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> =
  | ((...args: any[]) => SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>)
  | SubscriptionObject<TResult, TKey, TParent, TContext, TArgs>;

export type TypeResolveFn<TTypes, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (
  parent: TParent,
  context: TContext,
  info: GraphQLResolveInfo
) => Maybe<TTypes> | Promise<Maybe<TTypes>>;

export type IsTypeOfResolverFn<T = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>> = (obj: T, context: TContext, info: GraphQLResolveInfo) => boolean | Promise<boolean>;

export type NextResolverFn<T> = () => Promise<T>;

export type DirectiveResolverFn<TResult = Record<PropertyKey, never>, TParent = Record<PropertyKey, never>, TContext = Record<PropertyKey, never>, TArgs = Record<PropertyKey, never>> = (
  next: NextResolverFn<TResult>,
  parent: TParent,
  args: TArgs,
  context: TContext,
  info: GraphQLResolveInfo
) => TResult | Promise<TResult>;





/** Mapping between all available schema types and the resolvers types */
export type ResolversTypes = {
  Role: Role;
  DateTime: ResolverTypeWrapper<Scalars['DateTime']['output']>;
  JSON: ResolverTypeWrapper<Scalars['JSON']['output']>;
  Query: ResolverTypeWrapper<Record<PropertyKey, never>>;
  String: ResolverTypeWrapper<Scalars['String']['output']>;
  Int: ResolverTypeWrapper<Scalars['Int']['output']>;
  ID: ResolverTypeWrapper<Scalars['ID']['output']>;
  Boolean: ResolverTypeWrapper<Scalars['Boolean']['output']>;
  Mutation: ResolverTypeWrapper<Record<PropertyKey, never>>;
  Subscription: ResolverTypeWrapper<Record<PropertyKey, never>>;
  SetPlanInput: SetPlanInput;
  GrantCreditsInput: GrantCreditsInput;
  RevokeKeyInput: RevokeKeyInput;
  HoldAccountInput: HoldAccountInput;
  ReleaseAccountInput: ReleaseAccountInput;
  RetryPostInput: RetryPostInput;
  ResolvePostInput: ResolvePostInput;
  Outcome: Outcome;
  SeenTweetInput: SeenTweetInput;
  ReplayWebhookInput: ReplayWebhookInput;
  PageInfo: ResolverTypeWrapper<PageInfo>;
  Actor: ResolverTypeWrapper<ActorModel>;
  Operator: ResolverTypeWrapper<OperatorModel>;
  Plan: Plan;
  PlanOffer: ResolverTypeWrapper<PlanOffer>;
  User: ResolverTypeWrapper<UserModel>;
  UserConnection: ResolverTypeWrapper<Omit<UserConnection, 'edges'> & { edges: Array<ResolversTypes['UserEdge']> }>;
  UserEdge: ResolverTypeWrapper<Omit<UserEdge, 'node'> & { node: ResolversTypes['User'] }>;
  Balance: ResolverTypeWrapper<Balance>;
  CreditEntry: ResolverTypeWrapper<LedgerEntry>;
  EntryKind: EntryKind;
  CreditEntryConnection: ResolverTypeWrapper<Omit<CreditEntryConnection, 'edges'> & { edges: Array<ResolversTypes['CreditEntryEdge']> }>;
  CreditEntryEdge: ResolverTypeWrapper<Omit<CreditEntryEdge, 'node'> & { node: ResolversTypes['CreditEntry'] }>;
  ApiKey: ResolverTypeWrapper<OverseenKey>;
  KeyMode: KeyMode;
  Platform: Platform;
  AccountStatus: AccountStatus;
  Account: ResolverTypeWrapper<OverseenAccount>;
  PostingWindow: ResolverTypeWrapper<PostingWindow>;
  Hold: ResolverTypeWrapper<Hold>;
  AccountConnection: ResolverTypeWrapper<Omit<AccountConnection, 'edges'> & { edges: Array<ResolversTypes['AccountEdge']> }>;
  AccountEdge: ResolverTypeWrapper<Omit<AccountEdge, 'node'> & { node: ResolversTypes['Account'] }>;
  PostStatus: PostStatus;
  Post: ResolverTypeWrapper<OverseenPost>;
  PostConnection: ResolverTypeWrapper<Omit<PostConnection, 'edges'> & { edges: Array<ResolversTypes['PostEdge']> }>;
  PostEdge: ResolverTypeWrapper<Omit<PostEdge, 'node'> & { node: ResolversTypes['Post'] }>;
  Tweet: ResolverTypeWrapper<Tweet>;
  Cost: ResolverTypeWrapper<Cost>;
  Failure: ResolverTypeWrapper<Failure>;
  Reservation: ResolverTypeWrapper<Reservation>;
  ReservationState: ReservationState;
  PostEvent: ResolverTypeWrapper<PostEventModel>;
  PostEventConnection: ResolverTypeWrapper<Omit<PostEventConnection, 'edges'> & { edges: Array<ResolversTypes['PostEventEdge']> }>;
  PostEventEdge: ResolverTypeWrapper<Omit<PostEventEdge, 'node'> & { node: ResolversTypes['PostEvent'] }>;
  Send: ResolverTypeWrapper<SendModel>;
  PostWorkflow: ResolverTypeWrapper<PostWorkflowModel>;
  PendingActivity: ResolverTypeWrapper<PendingActivity>;
  WebhookEndpoint: ResolverTypeWrapper<OverseenEndpoint>;
  EndpointStatus: EndpointStatus;
  DeliveryStatus: DeliveryStatus;
  WebhookDelivery: ResolverTypeWrapper<OverseenDelivery>;
  WebhookDeliveryConnection: ResolverTypeWrapper<Omit<WebhookDeliveryConnection, 'edges'> & { edges: Array<ResolversTypes['WebhookDeliveryEdge']> }>;
  WebhookDeliveryEdge: ResolverTypeWrapper<Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversTypes['WebhookDelivery'] }>;
  WebhookAttempt: ResolverTypeWrapper<WebhookAttempt>;
  Queues: ResolverTypeWrapper<QueuesModel>;
  TaskQueue: ResolverTypeWrapper<TaskQueue>;
  TaskKind: TaskKind;
  Outbox: ResolverTypeWrapper<Outbox>;
  Act: ResolverTypeWrapper<ActModel>;
  ActOutcome: ActOutcome;
  ActConnection: ResolverTypeWrapper<Omit<ActConnection, 'edges'> & { edges: Array<ResolversTypes['ActEdge']> }>;
  ActEdge: ResolverTypeWrapper<Omit<ActEdge, 'node'> & { node: ResolversTypes['Act'] }>;
};

/** Mapping between all available schema types and the resolvers parents */
export type ResolversParentTypes = {
  DateTime: Scalars['DateTime']['output'];
  JSON: Scalars['JSON']['output'];
  Query: Record<PropertyKey, never>;
  String: Scalars['String']['output'];
  Int: Scalars['Int']['output'];
  ID: Scalars['ID']['output'];
  Boolean: Scalars['Boolean']['output'];
  Mutation: Record<PropertyKey, never>;
  Subscription: Record<PropertyKey, never>;
  SetPlanInput: SetPlanInput;
  GrantCreditsInput: GrantCreditsInput;
  RevokeKeyInput: RevokeKeyInput;
  HoldAccountInput: HoldAccountInput;
  ReleaseAccountInput: ReleaseAccountInput;
  RetryPostInput: RetryPostInput;
  ResolvePostInput: ResolvePostInput;
  SeenTweetInput: SeenTweetInput;
  ReplayWebhookInput: ReplayWebhookInput;
  PageInfo: PageInfo;
  Actor: ActorModel;
  Operator: OperatorModel;
  PlanOffer: PlanOffer;
  User: UserModel;
  UserConnection: Omit<UserConnection, 'edges'> & { edges: Array<ResolversParentTypes['UserEdge']> };
  UserEdge: Omit<UserEdge, 'node'> & { node: ResolversParentTypes['User'] };
  Balance: Balance;
  CreditEntry: LedgerEntry;
  CreditEntryConnection: Omit<CreditEntryConnection, 'edges'> & { edges: Array<ResolversParentTypes['CreditEntryEdge']> };
  CreditEntryEdge: Omit<CreditEntryEdge, 'node'> & { node: ResolversParentTypes['CreditEntry'] };
  ApiKey: OverseenKey;
  Account: OverseenAccount;
  PostingWindow: PostingWindow;
  Hold: Hold;
  AccountConnection: Omit<AccountConnection, 'edges'> & { edges: Array<ResolversParentTypes['AccountEdge']> };
  AccountEdge: Omit<AccountEdge, 'node'> & { node: ResolversParentTypes['Account'] };
  Post: OverseenPost;
  PostConnection: Omit<PostConnection, 'edges'> & { edges: Array<ResolversParentTypes['PostEdge']> };
  PostEdge: Omit<PostEdge, 'node'> & { node: ResolversParentTypes['Post'] };
  Tweet: Tweet;
  Cost: Cost;
  Failure: Failure;
  Reservation: Reservation;
  PostEvent: PostEventModel;
  PostEventConnection: Omit<PostEventConnection, 'edges'> & { edges: Array<ResolversParentTypes['PostEventEdge']> };
  PostEventEdge: Omit<PostEventEdge, 'node'> & { node: ResolversParentTypes['PostEvent'] };
  Send: SendModel;
  PostWorkflow: PostWorkflowModel;
  PendingActivity: PendingActivity;
  WebhookEndpoint: OverseenEndpoint;
  WebhookDelivery: OverseenDelivery;
  WebhookDeliveryConnection: Omit<WebhookDeliveryConnection, 'edges'> & { edges: Array<ResolversParentTypes['WebhookDeliveryEdge']> };
  WebhookDeliveryEdge: Omit<WebhookDeliveryEdge, 'node'> & { node: ResolversParentTypes['WebhookDelivery'] };
  WebhookAttempt: WebhookAttempt;
  Queues: QueuesModel;
  TaskQueue: TaskQueue;
  Outbox: Outbox;
  Act: ActModel;
  ActConnection: Omit<ActConnection, 'edges'> & { edges: Array<ResolversParentTypes['ActEdge']> };
  ActEdge: Omit<ActEdge, 'node'> & { node: ResolversParentTypes['Act'] };
};

export type RequiresDirectiveArgs = {
  role: Role;
};

export type RequiresDirectiveResolver<Result, Parent, ContextType = Context, Args = RequiresDirectiveArgs> = DirectiveResolverFn<Result, Parent, ContextType, Args>;

export interface DateTimeScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['DateTime'], any> {
  name: 'DateTime';
}

export interface JsonScalarConfig extends GraphQLScalarTypeConfig<ResolversTypes['JSON'], any> {
  name: 'JSON';
}

export type QueryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Query'] = ResolversParentTypes['Query']> = {
  me?: Resolver<ResolversTypes['Actor'], ParentType, ContextType>;
  users?: Resolver<ResolversTypes['UserConnection'], ParentType, ContextType, RequireFields<QueryUsersArgs, 'first'>>;
  user?: Resolver<Maybe<ResolversTypes['User']>, ParentType, ContextType, Partial<QueryUserArgs>>;
  plans?: Resolver<Array<ResolversTypes['PlanOffer']>, ParentType, ContextType>;
  accounts?: Resolver<ResolversTypes['AccountConnection'], ParentType, ContextType, RequireFields<QueryAccountsArgs, 'first'>>;
  account?: Resolver<Maybe<ResolversTypes['Account']>, ParentType, ContextType, RequireFields<QueryAccountArgs, 'id'>>;
  posts?: Resolver<ResolversTypes['PostConnection'], ParentType, ContextType, RequireFields<QueryPostsArgs, 'overdue' | 'first'>>;
  post?: Resolver<Maybe<ResolversTypes['Post']>, ParentType, ContextType, RequireFields<QueryPostArgs, 'id'>>;
  webhookDeliveries?: Resolver<ResolversTypes['WebhookDeliveryConnection'], ParentType, ContextType, RequireFields<QueryWebhookDeliveriesArgs, 'first'>>;
  queues?: Resolver<ResolversTypes['Queues'], ParentType, ContextType>;
  operators?: Resolver<Array<ResolversTypes['Operator']>, ParentType, ContextType>;
  audit?: Resolver<ResolversTypes['ActConnection'], ParentType, ContextType, RequireFields<QueryAuditArgs, 'first'>>;
};

export type MutationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Mutation'] = ResolversParentTypes['Mutation']> = {
  setPlan?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationSetPlanArgs, 'input'>>;
  grantCredits?: Resolver<ResolversTypes['User'], ParentType, ContextType, RequireFields<MutationGrantCreditsArgs, 'input'>>;
  revokeKey?: Resolver<ResolversTypes['ApiKey'], ParentType, ContextType, RequireFields<MutationRevokeKeyArgs, 'input'>>;
  holdAccount?: Resolver<ResolversTypes['Account'], ParentType, ContextType, RequireFields<MutationHoldAccountArgs, 'input'>>;
  releaseAccount?: Resolver<ResolversTypes['Account'], ParentType, ContextType, RequireFields<MutationReleaseAccountArgs, 'input'>>;
  retryPost?: Resolver<ResolversTypes['Post'], ParentType, ContextType, RequireFields<MutationRetryPostArgs, 'input'>>;
  resolvePost?: Resolver<ResolversTypes['Post'], ParentType, ContextType, RequireFields<MutationResolvePostArgs, 'input'>>;
  replayWebhook?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType, RequireFields<MutationReplayWebhookArgs, 'input'>>;
};

export type SubscriptionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Subscription'] = ResolversParentTypes['Subscription']> = {
  postEvents?: SubscriptionResolver<ResolversTypes['PostEvent'], "postEvents", ParentType, ContextType, RequireFields<SubscriptionPostEventsArgs, 'postId'>>;
};

export type PageInfoResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PageInfo'] = ResolversParentTypes['PageInfo']> = {
  hasNextPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  hasPreviousPage?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  startCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endCursor?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type ActorResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Actor'] = ResolversParentTypes['Actor']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
};

export type OperatorResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Operator'] = ResolversParentTypes['Operator']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  role?: Resolver<ResolversTypes['Role'], ParentType, ContextType>;
  hint?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type PlanOfferResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PlanOffer'] = ResolversParentTypes['PlanOffer']> = {
  plan?: Resolver<ResolversTypes['Plan'], ParentType, ContextType>;
  api?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  users?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type UserResolvers<ContextType = Context, ParentType extends ResolversParentTypes['User'] = ResolversParentTypes['User']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  email?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  plan?: Resolver<ResolversTypes['Plan'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Balance'], ParentType, ContextType>;
  creditEntries?: Resolver<ResolversTypes['CreditEntryConnection'], ParentType, ContextType, RequireFields<UserCreditEntriesArgs, 'first'>>;
  accounts?: Resolver<Array<ResolversTypes['Account']>, ParentType, ContextType>;
  keys?: Resolver<Array<ResolversTypes['ApiKey']>, ParentType, ContextType>;
  webhookEndpoints?: Resolver<Array<ResolversTypes['WebhookEndpoint']>, ParentType, ContextType>;
  posts?: Resolver<ResolversTypes['PostConnection'], ParentType, ContextType, RequireFields<UserPostsArgs, 'first'>>;
};

export type UserConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UserConnection'] = ResolversParentTypes['UserConnection']> = {
  edges?: Resolver<Array<ResolversTypes['UserEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type UserEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['UserEdge'] = ResolversParentTypes['UserEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type BalanceResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Balance'] = ResolversParentTypes['Balance']> = {
  balance?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  reserved?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  available?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type CreditEntryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreditEntry'] = ResolversParentTypes['CreditEntry']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['EntryKind'], ParentType, ContextType>;
  credits?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  balanceAfter?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  postId?: Resolver<Maybe<ResolversTypes['ID']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
};

export type CreditEntryConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreditEntryConnection'] = ResolversParentTypes['CreditEntryConnection']> = {
  edges?: Resolver<Array<ResolversTypes['CreditEntryEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type CreditEntryEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['CreditEntryEdge'] = ResolversParentTypes['CreditEntryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['CreditEntry'], ParentType, ContextType>;
};

export type ApiKeyResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ApiKey'] = ResolversParentTypes['ApiKey']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mode?: Resolver<ResolversTypes['KeyMode'], ParentType, ContextType>;
  hint?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  scopes?: Resolver<Array<ResolversTypes['String']>, ParentType, ContextType>;
  accountIds?: Resolver<Maybe<Array<ResolversTypes['ID']>>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  expiresAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  lastUsedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  revokedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type AccountResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Account'] = ResolversParentTypes['Account']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  platform?: Resolver<ResolversTypes['Platform'], ParentType, ContextType>;
  handle?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  displayName?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  timeZone?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  postingWindow?: Resolver<ResolversTypes['PostingWindow'], ParentType, ContextType>;
  outsideWindow?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  replyTemplate?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['AccountStatus'], ParentType, ContextType>;
  held?: Resolver<Maybe<ResolversTypes['Hold']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  posts?: Resolver<ResolversTypes['PostConnection'], ParentType, ContextType, RequireFields<AccountPostsArgs, 'first'>>;
};

export type PostingWindowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PostingWindow'] = ResolversParentTypes['PostingWindow']> = {
  opens?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  closes?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type HoldResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Hold'] = ResolversParentTypes['Hold']> = {
  since?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type AccountConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AccountConnection'] = ResolversParentTypes['AccountConnection']> = {
  edges?: Resolver<Array<ResolversTypes['AccountEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type AccountEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['AccountEdge'] = ResolversParentTypes['AccountEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Account'], ParentType, ContextType>;
};

export type PostResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Post'] = ResolversParentTypes['Post']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  mode?: Resolver<ResolversTypes['KeyMode'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['PostStatus'], ParentType, ContextType>;
  version?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  run?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  scheduledAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  heldUntil?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  armedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  postedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  updatedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  tweets?: Resolver<Array<ResolversTypes['Tweet']>, ParentType, ContextType>;
  cost?: Resolver<ResolversTypes['Cost'], ParentType, ContextType>;
  failure?: Resolver<Maybe<ResolversTypes['Failure']>, ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  account?: Resolver<Maybe<ResolversTypes['Account']>, ParentType, ContextType>;
  reservation?: Resolver<Maybe<ResolversTypes['Reservation']>, ParentType, ContextType>;
  timeline?: Resolver<ResolversTypes['PostEventConnection'], ParentType, ContextType, RequireFields<PostTimelineArgs, 'first'>>;
  sends?: Resolver<Array<ResolversTypes['Send']>, ParentType, ContextType>;
  workflow?: Resolver<Maybe<ResolversTypes['PostWorkflow']>, ParentType, ContextType>;
};

export type PostConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PostConnection'] = ResolversParentTypes['PostConnection']> = {
  edges?: Resolver<Array<ResolversTypes['PostEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PostEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PostEdge'] = ResolversParentTypes['PostEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Post'], ParentType, ContextType>;
};

export type TweetResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Tweet'] = ResolversParentTypes['Tweet']> = {
  text?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  mediaIds?: Resolver<Array<ResolversTypes['ID']>, ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  platformId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
};

export type CostResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Cost'] = ResolversParentTypes['Cost']> = {
  credits?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  containsUrl?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
  charged?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type FailureResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Failure'] = ResolversParentTypes['Failure']> = {
  code?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  detail?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type ReservationResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Reservation'] = ResolversParentTypes['Reservation']> = {
  credits?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  state?: Resolver<ResolversTypes['ReservationState'], ParentType, ContextType>;
};

export type PostEventResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PostEvent'] = ResolversParentTypes['PostEvent']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  postId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  seq?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  data?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  hash?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
};

export type PostEventConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PostEventConnection'] = ResolversParentTypes['PostEventConnection']> = {
  edges?: Resolver<Array<ResolversTypes['PostEventEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type PostEventEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PostEventEdge'] = ResolversParentTypes['PostEventEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['PostEvent'], ParentType, ContextType>;
};

export type SendResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Send'] = ResolversParentTypes['Send']> = {
  step?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  attempt?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  startedAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  finishedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  outcome?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  detail?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  platformId?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  url?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  byOperator?: Resolver<ResolversTypes['Boolean'], ParentType, ContextType>;
};

export type PostWorkflowResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PostWorkflow'] = ResolversParentTypes['PostWorkflow']> = {
  workflowId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  startedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  closedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
  historyLength?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  pending?: Resolver<Array<ResolversTypes['PendingActivity']>, ParentType, ContextType>;
};

export type PendingActivityResolvers<ContextType = Context, ParentType extends ResolversParentTypes['PendingActivity'] = ResolversParentTypes['PendingActivity']> = {
  activity?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  attempt?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type WebhookEndpointResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookEndpoint'] = ResolversParentTypes['WebhookEndpoint']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  url?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  description?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  events?: Resolver<Maybe<Array<ResolversTypes['String']>>, ParentType, ContextType>;
  status?: Resolver<ResolversTypes['EndpointStatus'], ParentType, ContextType>;
  disabledReason?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
  deliveries?: Resolver<ResolversTypes['WebhookDeliveryConnection'], ParentType, ContextType, RequireFields<WebhookEndpointDeliveriesArgs, 'first'>>;
};

export type WebhookDeliveryResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDelivery'] = ResolversParentTypes['WebhookDelivery']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  eventId?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  type?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  status?: Resolver<ResolversTypes['DeliveryStatus'], ParentType, ContextType>;
  attempts?: Resolver<Array<ResolversTypes['WebhookAttempt']>, ParentType, ContextType>;
  payload?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  createdAt?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  endpoint?: Resolver<Maybe<ResolversTypes['WebhookEndpoint']>, ParentType, ContextType>;
  user?: Resolver<ResolversTypes['User'], ParentType, ContextType>;
};

export type WebhookDeliveryConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDeliveryConnection'] = ResolversParentTypes['WebhookDeliveryConnection']> = {
  edges?: Resolver<Array<ResolversTypes['WebhookDeliveryEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type WebhookDeliveryEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookDeliveryEdge'] = ResolversParentTypes['WebhookDeliveryEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['WebhookDelivery'], ParentType, ContextType>;
};

export type WebhookAttemptResolvers<ContextType = Context, ParentType extends ResolversParentTypes['WebhookAttempt'] = ResolversParentTypes['WebhookAttempt']> = {
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  statusCode?: Resolver<Maybe<ResolversTypes['Int']>, ParentType, ContextType>;
  error?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  durationMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type QueuesResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Queues'] = ResolversParentTypes['Queues']> = {
  taskQueues?: Resolver<Array<ResolversTypes['TaskQueue']>, ParentType, ContextType>;
  outboxes?: Resolver<Array<ResolversTypes['Outbox']>, ParentType, ContextType>;
};

export type TaskQueueResolvers<ContextType = Context, ParentType extends ResolversParentTypes['TaskQueue'] = ResolversParentTypes['TaskQueue']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  kind?: Resolver<ResolversTypes['TaskKind'], ParentType, ContextType>;
  pollers?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  backlog?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  backlogAgeMs?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
};

export type OutboxResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Outbox'] = ResolversParentTypes['Outbox']> = {
  name?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  waiting?: Resolver<ResolversTypes['Int'], ParentType, ContextType>;
  oldestAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type ActResolvers<ContextType = Context, ParentType extends ResolversParentTypes['Act'] = ResolversParentTypes['Act']> = {
  id?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  at?: Resolver<ResolversTypes['DateTime'], ParentType, ContextType>;
  actor?: Resolver<ResolversTypes['Actor'], ParentType, ContextType>;
  action?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  subject?: Resolver<ResolversTypes['ID'], ParentType, ContextType>;
  input?: Resolver<ResolversTypes['JSON'], ParentType, ContextType>;
  reason?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  requestId?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  outcome?: Resolver<ResolversTypes['ActOutcome'], ParentType, ContextType>;
  code?: Resolver<Maybe<ResolversTypes['String']>, ParentType, ContextType>;
  endedAt?: Resolver<Maybe<ResolversTypes['DateTime']>, ParentType, ContextType>;
};

export type ActConnectionResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ActConnection'] = ResolversParentTypes['ActConnection']> = {
  edges?: Resolver<Array<ResolversTypes['ActEdge']>, ParentType, ContextType>;
  pageInfo?: Resolver<ResolversTypes['PageInfo'], ParentType, ContextType>;
};

export type ActEdgeResolvers<ContextType = Context, ParentType extends ResolversParentTypes['ActEdge'] = ResolversParentTypes['ActEdge']> = {
  cursor?: Resolver<ResolversTypes['String'], ParentType, ContextType>;
  node?: Resolver<ResolversTypes['Act'], ParentType, ContextType>;
};

export type Resolvers<ContextType = Context> = {
  DateTime?: GraphQLScalarType;
  JSON?: GraphQLScalarType;
  Query?: QueryResolvers<ContextType>;
  Mutation?: MutationResolvers<ContextType>;
  Subscription?: SubscriptionResolvers<ContextType>;
  PageInfo?: PageInfoResolvers<ContextType>;
  Actor?: ActorResolvers<ContextType>;
  Operator?: OperatorResolvers<ContextType>;
  PlanOffer?: PlanOfferResolvers<ContextType>;
  User?: UserResolvers<ContextType>;
  UserConnection?: UserConnectionResolvers<ContextType>;
  UserEdge?: UserEdgeResolvers<ContextType>;
  Balance?: BalanceResolvers<ContextType>;
  CreditEntry?: CreditEntryResolvers<ContextType>;
  CreditEntryConnection?: CreditEntryConnectionResolvers<ContextType>;
  CreditEntryEdge?: CreditEntryEdgeResolvers<ContextType>;
  ApiKey?: ApiKeyResolvers<ContextType>;
  Account?: AccountResolvers<ContextType>;
  PostingWindow?: PostingWindowResolvers<ContextType>;
  Hold?: HoldResolvers<ContextType>;
  AccountConnection?: AccountConnectionResolvers<ContextType>;
  AccountEdge?: AccountEdgeResolvers<ContextType>;
  Post?: PostResolvers<ContextType>;
  PostConnection?: PostConnectionResolvers<ContextType>;
  PostEdge?: PostEdgeResolvers<ContextType>;
  Tweet?: TweetResolvers<ContextType>;
  Cost?: CostResolvers<ContextType>;
  Failure?: FailureResolvers<ContextType>;
  Reservation?: ReservationResolvers<ContextType>;
  PostEvent?: PostEventResolvers<ContextType>;
  PostEventConnection?: PostEventConnectionResolvers<ContextType>;
  PostEventEdge?: PostEventEdgeResolvers<ContextType>;
  Send?: SendResolvers<ContextType>;
  PostWorkflow?: PostWorkflowResolvers<ContextType>;
  PendingActivity?: PendingActivityResolvers<ContextType>;
  WebhookEndpoint?: WebhookEndpointResolvers<ContextType>;
  WebhookDelivery?: WebhookDeliveryResolvers<ContextType>;
  WebhookDeliveryConnection?: WebhookDeliveryConnectionResolvers<ContextType>;
  WebhookDeliveryEdge?: WebhookDeliveryEdgeResolvers<ContextType>;
  WebhookAttempt?: WebhookAttemptResolvers<ContextType>;
  Queues?: QueuesResolvers<ContextType>;
  TaskQueue?: TaskQueueResolvers<ContextType>;
  Outbox?: OutboxResolvers<ContextType>;
  Act?: ActResolvers<ContextType>;
  ActConnection?: ActConnectionResolvers<ContextType>;
  ActEdge?: ActEdgeResolvers<ContextType>;
};

export type DirectiveResolvers<ContextType = Context> = {
  requires?: RequiresDirectiveResolver<any, any, ContextType>;
};
