import { z } from 'zod';
import { Account, AccountSettings, Capabilities, PlatformName } from './accounts.ts';
import { UserId } from './ids.ts';
import { type Call, procedure, router } from './rpc.ts';

/** A platform beside the sandbox: how accounts are connected on it, or what the operator must do first. */
export const PlatformInfo = z.object({
  platform: PlatformName,
  set_up: z.boolean().describe('Whether accounts can be connected on it here.'),
  callback_url: z.string().describe('To be registered at the platform, to the letter.'),
  scopes: z.array(z.string()).describe('What Perch asks of the person.'),
  how: z.string().describe('What an operator does to set it up.'),
  consent: z.boolean().describe("Whether by the platform's own consent page."),
  sign_in: z.boolean().describe('Whether by a password that the platform made for apps.'),
  server: z
    .enum(['required', 'optional', 'none'])
    .describe('Whether the person must say where the account lives: an instance or a handle.'),
  capabilities: Capabilities.nullable().describe('Null where it is not set up.'),
});
export type PlatformInfo = z.infer<typeof PlatformInfo>;

const Server = z
  .string()
  .trim()
  .min(1)
  .max(253)
  .regex(/^@?[^\s/?#]+$/, 'must be a host like mastodon.social or a handle')
  .nullable()
  .default(null);

/** Connecting an account by its platform's consent page. */
export const NewConnection = z.object({
  user_id: UserId,
  platform: PlatformName,
  server: Server,
  settings: AccountSettings.partial().default({}),
});

/** Where a person goes on, once and soon. */
export const ConnectionTicket = z.object({
  ticket: z.string(),
  url: z.string().describe('Where the person who owns the account opens it.'),
  expires_at: z.iso.datetime(),
});
export type ConnectionTicket = z.infer<typeof ConnectionTicket>;

/** How far a connection has come. */
export const ConnectionState = z.object({
  platform: PlatformName,
  server: z.string().nullable(),
  user_id: UserId,
  user_email: z.string().describe('For whom the account will be connected.'),
  status: z.enum(['new', 'begun', 'connected', 'failed', 'expired']),
  account: Account.nullable(),
  failure: z.string().nullable().describe('Why it failed, for a person.'),
});
export type ConnectionState = z.infer<typeof ConnectionState>;

/** Connecting an account by a password that its platform made for apps. */
export const AppSignIn = z.object({
  user_id: UserId,
  platform: PlatformName,
  server: Server,
  handle: z.string().trim().min(1).max(253),
  password: z.string().min(1).max(512),
  settings: AccountSettings.partial().default({}),
});

const Ticket = z.string().max(100);
const OneTicket = z.object({ ticket: Ticket });
const Begin = z.object({
  ticket: Ticket,
  binding: z.string().min(32).max(100).describe('A secret of the browser that goes on with it.'),
});
const Finish = z.object({
  platform: PlatformName,
  binding: z.string().max(100).nullable(),
  params: z.record(z.string().max(100), z.string().max(4_096)),
});
const OneDocument = z.object({ platform: PlatformName, name: z.string().max(100) });

/** Connecting accounts of real platforms; served by the accounts service, which alone holds their tokens. */
export interface Connections {
  /** All platforms but the sandbox. */
  platforms(call: Call): Promise<PlatformInfo[]>;
  /** A ticket for one connection. `connection_failed` when the platform is not set up or has no consent page. */
  create(input: z.output<typeof NewConnection>, call: Call): Promise<ConnectionTicket>;
  /** How far it has come, or `not_found`. */
  get(input: z.output<typeof OneTicket>, call: Call): Promise<ConnectionState>;
  /** Uses the ticket up, and says where to send the browser, which must come back with the same binding. */
  begin(input: z.output<typeof Begin>, call: Call): Promise<{ authorize_url: string }>;
  /** Takes what the platform sent the browser back with, once: `connection_failed` with a sentence why. */
  finish(input: z.output<typeof Finish>, call: Call): Promise<Account>;
  /** Connects with an app password; `connection_failed` when the platform does not take it. */
  signIn(input: z.output<typeof AppSignIn>, call: Call): Promise<Account>;
  /** A document that a platform fetches from us, such as OAuth client metadata; `not_found` if there is none. */
  document(input: z.output<typeof OneDocument>, call: Call): Promise<unknown>;
}

/** The wire form of {@link Connections}. */
export const connectionsRouter = (connections: Connections) =>
  router({
    platforms: procedure
      .output(z.array(PlatformInfo))
      .query(({ ctx }) => connections.platforms(ctx)),
    create: procedure
      .input(NewConnection)
      .output(ConnectionTicket)
      .mutation(({ input, ctx }) => connections.create(input, ctx)),
    get: procedure
      .input(OneTicket)
      .output(ConnectionState)
      .query(({ input, ctx }) => connections.get(input, ctx)),
    begin: procedure
      .input(Begin)
      .output(z.object({ authorize_url: z.string() }))
      .mutation(({ input, ctx }) => connections.begin(input, ctx)),
    finish: procedure
      .input(Finish)
      .output(Account)
      .mutation(({ input, ctx }) => connections.finish(input, ctx)),
    signIn: procedure
      .input(AppSignIn)
      .output(Account)
      .mutation(({ input, ctx }) => connections.signIn(input, ctx)),
    document: procedure
      .input(OneDocument)
      .output(z.unknown())
      .query(({ input, ctx }) => connections.document(input, ctx)),
  });
export type ConnectionsRouter = ReturnType<typeof connectionsRouter>;
