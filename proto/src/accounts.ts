import { z } from 'zod';
import { FieldErrors } from './field-errors.ts';
import { AccountId, KeyId, PostId, UserId } from './ids.ts';
import { limits } from './limits.ts';
import { Media, MediaType } from './media.ts';
import { type Call, Health, procedure, router } from './rpc.ts';
import { Tenant } from './tenant.ts';

/** What a user pays for; the whole API needs `paid` (seed §1). */
export const Plan = z.enum(['free', 'paid']);

/** A user as operators see one. */
export const User = z.object({
  id: UserId,
  email: z.email(),
  plan: Plan,
  created_at: z.iso.datetime(),
});
export type User = z.infer<typeof User>;

/** What an API key may do. */
export const Scope = z.enum([
  'posts:read',
  'posts:write',
  'accounts:read',
  'credits:read',
  'media:write',
  'webhooks:manage',
]);
export type Scope = z.infer<typeof Scope>;

/** What an API key is for: test keys see only sandbox accounts and never spend credits. */
export const KeyMode = z.enum(['live', 'test']);
export type KeyMode = z.infer<typeof KeyMode>;

/** An API key without its secret. */
export const ApiKey = z.object({
  id: KeyId,
  name: z.string(),
  mode: KeyMode,
  hint: z.string().describe('The beginning and the last four characters of the secret.'),
  scopes: z.array(Scope),
  account_ids: z.array(AccountId).nullable().describe('The only accounts it may touch; null: all.'),
  created_at: z.iso.datetime(),
  expires_at: z.iso.datetime().nullable(),
  last_used_at: z.iso.datetime().nullable().describe('To the minute.'),
  revoked_at: z.iso.datetime().nullable(),
});
export type ApiKey = z.infer<typeof ApiKey>;

/** Whom a valid API key stands for. */
export const Principal = z.object({
  key_id: KeyId,
  tenant: Tenant,
  scopes: z.array(Scope),
});
export type Principal = z.infer<typeof Principal>;

/** The platforms that an account can be on. */
export const PlatformName = z.enum(['sandbox', 'x', 'bluesky', 'mastodon']);
export type PlatformName = z.infer<typeof PlatformName>;

/** What a platform takes in general; a draft's review has the last word. */
export const Capabilities = z.object({
  max_length: z.number().int().describe('Of one tweet, as the platform counts.'),
  length_unit: z.enum(['weighted', 'graphemes', 'characters']),
  url_length: z.number().int().nullable().describe('What any URL counts; null: its own length.'),
  media_types: z.array(MediaType),
  max_images: z.number().int().describe('On one tweet.'),
  max_media_bytes: z.object({
    image: z.number().int(),
    gif: z.number().int(),
    video: z.number().int(),
  }),
  max_alt_text: z.number().int().describe('Characters of an alt text.'),
});
export type Capabilities = z.infer<typeof Capabilities>;

const TimeOfDay = z
  .string()
  .regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'must be a time of day like 06:00')
  .describe('Local time of day, HH:MM.');

/** When an account may post, in its own local time; it wraps midnight where `closes` is earlier than `opens`. */
export const PostingWindow = z
  .object({
    opens: TimeOfDay,
    closes: z
      .union([TimeOfDay, z.literal('24:00')])
      .describe('The first minute outside; `24:00` is midnight.'),
  })
  .refine((window) => window.opens !== window.closes, 'opens and closes must differ');
export type PostingWindow = z.infer<typeof PostingWindow>;

/** The window of an account whose owner set none (design). */
export const defaultPostingWindow: PostingWindow = { opens: '06:00', closes: '23:00' };

/** A time zone of the IANA database. */
export const TimeZone = z
  .string()
  .max(64)
  .refine(isTimeZone, 'must be an IANA time zone like Europe/Paris')
  .describe('IANA time zone, for example `Europe/Paris`.');

/** What becomes of a post that is due while the window is closed: fail it, or hold it until it opens. */
export const OutsideWindow = z.enum(['fail', 'defer']);

/** What the user can set on an account in the dashboard. */
export const AccountSettings = z.object({
  time_zone: TimeZone,
  posting_window: PostingWindow,
  outside_window: OutsideWindow,
  reply_template: z
    .string()
    .max(limits.textChars)
    .nullable()
    .describe('The text of auto-replies that bring none.'),
});
export type AccountSettings = z.infer<typeof AccountSettings>;

/** A connected social account (seed §2). */
export const Account = z.object({
  account_id: AccountId,
  platform: PlatformName,
  handle: z.string(),
  display_name: z.string(),
  ...AccountSettings.shape,
  status: z.enum(['connected', 'disconnected']),
  created_at: z.iso.datetime(),
});
export type Account = z.infer<typeof Account>;

/** Connecting a sandbox account: no credentials, anyone can. */
export const NewSandboxAccount = z.object({
  user_id: UserId,
  handle: z.string().regex(/^[A-Za-z0-9_]{1,30}$/, 'must be 1 to 30 letters, digits or _'),
  display_name: z.string().min(1).max(80).optional(),
  settings: AccountSettings.partial().default({}),
});

/** A tweet as the platform would get it, for its rules to be checked. */
export const DraftTweet = z.object({
  text: z.string(),
  media: z.array(
    Media.pick({
      id: true,
      type: true,
      bytes: true,
      alt_text: true,
      width: true,
      height: true,
      duration_ms: true,
    }),
  ),
});
export type DraftTweet = z.infer<typeof DraftTweet>;

/** What the account and its platform say of a draft. */
export const Review = z.object({
  account: Account,
  errors: FieldErrors.describe('Empty when the platform would take the draft.'),
  contains_url: z
    .boolean()
    .describe('Whether any tweet holds a URL, found as the platform finds it.'),
  lengths: z
    .array(z.object({ length: z.number().int(), max_length: z.number().int() }))
    .describe('Of each tweet, as the platform counts.'),
});
export type Review = z.infer<typeof Review>;

/** A post as it stands on the sandbox platform's public feed. */
export const SandboxPost = z.object({
  ref: z.string(),
  account_id: AccountId,
  kind: z.enum(['post', 'reply', 'repost']),
  text: z.string(),
  media: z.array(z.string()),
  in_reply_to: z.string().nullable(),
  url: z.string(),
  created_at: z.iso.datetime(),
});
export type SandboxPost = z.infer<typeof SandboxPost>;

const NewKey = z.object({
  user_id: UserId,
  name: z.string().trim().min(1).max(80),
  mode: KeyMode.default('live'),
  scopes: z
    .array(Scope)
    .min(1)
    .default([...Scope.options]),
  account_ids: z.array(AccountId).min(1).nullable().default(null),
  expires_at: z.iso.datetime({ precision: 3 }).nullable().default(null),
});
const CreatedKey = z.object({
  key: ApiKey,
  secret: z.string().describe('Shown this once only (seed §5).'),
});
const NewUser = z.object({ email: z.email().max(254).toLowerCase(), plan: Plan.default('free') });
const UserLookup = z.union([
  z.object({ user_id: UserId }),
  z.object({ email: z.email().toLowerCase() }),
]);
const SetPlan = z.object({ user_id: UserId, plan: Plan });
const OfUser = z.object({ user_id: UserId });
const OneKey = z.object({ user_id: UserId, key_id: KeyId });
const OneAccount = z.object({ tenant: Tenant, account_id: AccountId });
const OfTenant = z.object({ tenant: Tenant });
const ReviewRequest = z.object({
  tenant: Tenant,
  account_id: AccountId,
  tweets: z.array(DraftTweet),
});
const ChangeSettings = z.object({
  tenant: Tenant,
  account_id: AccountId,
  settings: AccountSettings.partial(),
});

const LeaseRequest = z.object({
  key_id: KeyId,
  window_start: z.iso.datetime(),
  want: z.number().int().min(1),
  limit: z.number().int().min(1),
});
const RequestLease = z.object({
  granted: z.number().int(),
  used: z.number().int().describe('Taken by all replicas so far.'),
});
export type RequestLease = z.infer<typeof RequestLease>;

const TakenDown = z.object({
  removed: z.array(z.string()).describe("The platform's ids of what stands no more."),
});
export type TakenDown = z.infer<typeof TakenDown>;

/** The accounts service: users, plans, API keys and connected accounts. Tokens never leave it. */
export interface Accounts {
  /** A new user. `already_exists` when the address is taken. */
  createUser(input: z.output<typeof NewUser>, call: Call): Promise<User>;
  /** One user by id or address, or `not_found`. */
  getUser(input: z.output<typeof UserLookup>, call: Call): Promise<User>;
  setPlan(input: z.output<typeof SetPlan>, call: Call): Promise<User>;
  /** A new key. `api_key_limit_reached` at the sixth active one, `paid_plan_required` on the free plan. */
  createKey(input: z.output<typeof NewKey>, call: Call): Promise<z.infer<typeof CreatedKey>>;
  /** All keys of the user, newest first, revoked ones too. */
  listKeys(input: z.output<typeof OfUser>, call: Call): Promise<ApiKey[]>;
  /** Revokes at once; revoking again changes nothing. */
  revokeKey(input: z.output<typeof OneKey>, call: Call): Promise<ApiKey>;
  /** Whom a secret stands for. `invalid_api_key` for any bad one, `paid_plan_required` on the free plan. */
  authenticate(input: { secret: string }, call: Call): Promise<Principal>;
  /** For the gateway: a part of the requests that a key may make in a window, shared by all replicas. */
  leaseRequests(input: z.output<typeof LeaseRequest>, call: Call): Promise<RequestLease>;
  connectSandbox(input: z.output<typeof NewSandboxAccount>, call: Call): Promise<Account>;
  list(input: z.output<typeof OfTenant>, call: Call): Promise<Account[]>;
  get(input: z.output<typeof OneAccount>, call: Call): Promise<Account>;
  changeSettings(input: z.output<typeof ChangeSettings>, call: Call): Promise<Account>;
  disconnect(input: z.output<typeof OneAccount>, call: Call): Promise<Account>;
  /** The account together with what its platform says of the draft; `account_disconnected` if it is. */
  review(input: z.output<typeof ReviewRequest>, call: Call): Promise<Review>;
  /** For operators: takes down what stands of a post on its platform, replies too; again: what is left. */
  takeDown(input: { post_id: string }, call: Call): Promise<TakenDown>;
  /** The account's posts on the sandbox platform, newest first. */
  sandboxFeed(input: z.output<typeof OneAccount>, call: Call): Promise<SandboxPost[]>;
  health(call: Call): Promise<Health>;
}

/** The wire form of {@link Accounts}. */
export const accountsRouter = (accounts: Accounts) =>
  router({
    createUser: procedure
      .input(NewUser)
      .output(User)
      .mutation(({ input, ctx }) => accounts.createUser(input, ctx)),
    getUser: procedure
      .input(UserLookup)
      .output(User)
      .query(({ input, ctx }) => accounts.getUser(input, ctx)),
    setPlan: procedure
      .input(SetPlan)
      .output(User)
      .mutation(({ input, ctx }) => accounts.setPlan(input, ctx)),
    createKey: procedure
      .input(NewKey)
      .output(CreatedKey)
      .mutation(({ input, ctx }) => accounts.createKey(input, ctx)),
    listKeys: procedure
      .input(OfUser)
      .output(z.array(ApiKey))
      .query(({ input, ctx }) => accounts.listKeys(input, ctx)),
    revokeKey: procedure
      .input(OneKey)
      .output(ApiKey)
      .mutation(({ input, ctx }) => accounts.revokeKey(input, ctx)),
    authenticate: procedure
      .input(z.object({ secret: z.string().max(512) }))
      .output(Principal)
      .query(({ input, ctx }) => accounts.authenticate(input, ctx)),
    leaseRequests: procedure
      .input(LeaseRequest)
      .output(RequestLease)
      .mutation(({ input, ctx }) => accounts.leaseRequests(input, ctx)),
    connectSandbox: procedure
      .input(NewSandboxAccount)
      .output(Account)
      .mutation(({ input, ctx }) => accounts.connectSandbox(input, ctx)),
    list: procedure
      .input(OfTenant)
      .output(z.array(Account))
      .query(({ input, ctx }) => accounts.list(input, ctx)),
    get: procedure
      .input(OneAccount)
      .output(Account)
      .query(({ input, ctx }) => accounts.get(input, ctx)),
    changeSettings: procedure
      .input(ChangeSettings)
      .output(Account)
      .mutation(({ input, ctx }) => accounts.changeSettings(input, ctx)),
    disconnect: procedure
      .input(OneAccount)
      .output(Account)
      .mutation(({ input, ctx }) => accounts.disconnect(input, ctx)),
    review: procedure
      .input(ReviewRequest)
      .output(Review)
      .query(({ input, ctx }) => accounts.review(input, ctx)),
    takeDown: procedure
      .input(z.object({ post_id: PostId }))
      .output(TakenDown)
      .mutation(({ input, ctx }) => accounts.takeDown(input, ctx)),
    sandboxFeed: procedure
      .input(OneAccount)
      .output(z.array(SandboxPost))
      .query(({ input, ctx }) => accounts.sandboxFeed(input, ctx)),
    health: procedure.output(Health).query(({ ctx }) => accounts.health(ctx)),
  });
export type AccountsRouter = ReturnType<typeof accountsRouter>;

const knownTimeZones = new Set<string>();

function isTimeZone(name: string): boolean {
  if (knownTimeZones.has(name)) return true;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    // Offsets such as +02:00 pass Intl, but a place's days need its DST rules.
    if (/^[+-]/.test(name)) return false;
    knownTimeZones.add(name);
    return true;
  } catch {
    return false;
  }
}
