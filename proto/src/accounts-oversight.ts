import { z } from 'zod';
import { Account, ApiKey, Plan, PlatformName, User } from './accounts.ts';
import { AccountId, KeyId, PostId, UserId } from './ids.ts';
import { manyOf, PageRequest, pageOf } from './pages.ts';
import { PublishedPart } from './posts.ts';
import { type Call, procedure, router } from './rpc.ts';

/** An account together with whose it is. */
export const OverseenAccount = z.object({ ...Account.shape, user_id: UserId });
export type OverseenAccount = z.infer<typeof OverseenAccount>;

/** A key together with whose it is; never its secret. */
export const OverseenKey = z.object({ ...ApiKey.shape, user_id: UserId });
export type OverseenKey = z.infer<typeof OverseenKey>;

/** One attempt at one step of a post, as the journal has it. */
export const Send = z.object({
  post_id: PostId,
  step: z.string().describe('`tweet:0` is the first tweet.'),
  attempt: z.number().int(),
  started_at: z.iso.datetime(),
  finished_at: z.iso.datetime().nullable(),
  outcome: z.string().nullable().describe('Null: it is under way, or whoever made it has died.'),
  detail: z.string().nullable(),
  platform_id: z.string().nullable(),
  url: z.string().nullable(),
  by_operator: z.boolean().describe('Whether a person said so.'),
});
export type Send = z.infer<typeof Send>;

/** Where a tweet stands, by the word of a person who looked. */
export const SeenTweet = z.object({
  index: z.number().int().min(0),
  platform_id: z.string().trim().min(1).max(300),
  url: z.url({ protocol: /^https$/ }).max(2_000),
});
export type SeenTweet = z.infer<typeof SeenTweet>;

/** A page of users, newest first. */
export const UsersPage = pageOf(User);
/** A page of accounts, newest first. */
export const AccountsPage = pageOf(OverseenAccount);

const UserFilter = z.object({
  email_prefix: z.string().toLowerCase().max(254).optional(),
  plan: Plan.optional(),
  ...PageRequest.shape,
});
const AccountFilter = z.object({
  platform: PlatformName.optional(),
  status: Account.shape.status.optional(),
  held: z.boolean().optional(),
  ...PageRequest.shape,
});
const Hold = z.object({ account_id: AccountId, reason: z.string().min(1).max(500) });
const OneAccount = z.object({ account_id: AccountId });
const OneKey = z.object({ key_id: KeyId });
const OnePost = z.object({ post_id: PostId });
const ResolveSends = z.object({
  post_id: PostId,
  tweet_count: z.number().int().min(1),
  seen: z
    .array(SeenTweet)
    .nullable()
    .describe('Where the tweets of unknown outcome stand; null: none of them does.'),
});
const UsersOfPlan = z.object({ plan: Plan, users: z.number().int() });

/** What operators see and do in accounts, across all users; asked by the operators' part of the gateway alone. */
export interface AccountsOversight {
  users(input: z.output<typeof UserFilter>, call: Call): Promise<z.infer<typeof UsersPage>>;
  getUsers(input: string[], call: Call): Promise<User[]>;
  usersOfPlans(call: Call): Promise<z.infer<typeof UsersOfPlan>[]>;
  accounts(
    input: z.output<typeof AccountFilter>,
    call: Call,
  ): Promise<z.infer<typeof AccountsPage>>;
  getAccounts(input: string[], call: Call): Promise<OverseenAccount[]>;
  /** The accounts of these users, oldest first. */
  accountsOf(input: string[], call: Call): Promise<OverseenAccount[]>;
  /** The keys of these users, newest first, revoked ones too. */
  keysOf(input: string[], call: Call): Promise<OverseenKey[]>;
  /** The journal of these posts, oldest first. */
  sendsOf(input: string[], call: Call): Promise<Send[]>;
  /** Revokes at once; revoking again changes nothing. `not_found`. */
  revokeKey(input: z.output<typeof OneKey>, call: Call): Promise<OverseenKey>;
  /** From now on the account sends nothing. A hold that is there stays as it is. `not_found`. */
  hold(input: z.output<typeof Hold>, call: Call): Promise<OverseenAccount>;
  /** Ends the hold; what waits for it goes out. `not_found`. */
  release(input: z.output<typeof OneAccount>, call: Call): Promise<OverseenAccount>;
  /**
   * For posts alone: writes a person's word on sends of unknown outcome into the journal, and tells what stands.
   * The same word again changes nothing, another one is a `post_outcome_conflict`.
   */
  resolveSends(
    input: z.output<typeof ResolveSends>,
    call: Call,
  ): Promise<z.infer<typeof PublishedPart>[]>;
  /** For posts alone: lets refused sends be made again. `post_outcome_conflict` unless surely none of them stands. */
  reopenSends(input: z.output<typeof OnePost>, call: Call): Promise<void>;
}

/** The wire form of {@link AccountsOversight}. */
export const accountsOversightRouter = (accounts: AccountsOversight) =>
  router({
    users: procedure
      .input(UserFilter)
      .output(UsersPage)
      .query(({ input, ctx }) => accounts.users(input, ctx)),
    getUsers: procedure
      .input(manyOf(UserId))
      .output(z.array(User))
      .query(({ input, ctx }) => accounts.getUsers(input, ctx)),
    usersOfPlans: procedure
      .output(z.array(UsersOfPlan))
      .query(({ ctx }) => accounts.usersOfPlans(ctx)),
    accounts: procedure
      .input(AccountFilter)
      .output(AccountsPage)
      .query(({ input, ctx }) => accounts.accounts(input, ctx)),
    getAccounts: procedure
      .input(manyOf(AccountId))
      .output(z.array(OverseenAccount))
      .query(({ input, ctx }) => accounts.getAccounts(input, ctx)),
    accountsOf: procedure
      .input(manyOf(UserId))
      .output(z.array(OverseenAccount))
      .query(({ input, ctx }) => accounts.accountsOf(input, ctx)),
    keysOf: procedure
      .input(manyOf(UserId))
      .output(z.array(OverseenKey))
      .query(({ input, ctx }) => accounts.keysOf(input, ctx)),
    sendsOf: procedure
      .input(manyOf(PostId))
      .output(z.array(Send))
      .query(({ input, ctx }) => accounts.sendsOf(input, ctx)),
    revokeKey: procedure
      .input(OneKey)
      .output(OverseenKey)
      .mutation(({ input, ctx }) => accounts.revokeKey(input, ctx)),
    hold: procedure
      .input(Hold)
      .output(OverseenAccount)
      .mutation(({ input, ctx }) => accounts.hold(input, ctx)),
    release: procedure
      .input(OneAccount)
      .output(OverseenAccount)
      .mutation(({ input, ctx }) => accounts.release(input, ctx)),
    resolveSends: procedure
      .input(ResolveSends)
      .output(z.array(PublishedPart))
      .mutation(({ input, ctx }) => accounts.resolveSends(input, ctx)),
    reopenSends: procedure
      .input(OnePost)
      .mutation(({ input, ctx }) => accounts.reopenSends(input, ctx)),
  });
export type AccountsOversightRouter = ReturnType<typeof accountsOversightRouter>;
