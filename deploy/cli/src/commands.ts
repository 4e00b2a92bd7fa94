import { setTimeout } from 'node:timers/promises';
import type { Account, AccountSettings, User } from '@perch/proto/accounts';
import {
  KeyMode,
  OutsideWindow,
  Plan,
  PlatformName,
  PostingWindow,
  Scope,
  TimeZone,
} from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import { AccountId, PostId } from '@perch/proto/ids';
import { z } from 'zod';

/** What was given on the command line: words, and options by name. */
export interface Given {
  words: string[];
  options: Record<string, string | undefined>;
  env: Readonly<Record<string, string | undefined>>;
}

/** One thing that an operator can do. */
export interface Command {
  /** As it is typed; words in angle brackets are given by the operator. */
  usage: string;
  says: string;
  /** `tell` is for what cannot wait for the result. */
  run(clients: Clients, given: Given, tell: (line: string) => void): Promise<unknown>;
}

/** Every command but `doctor`, by its first words. */
export const commands: Record<string, Command> = {
  'user create': {
    usage: 'user create <email> [--plan free|paid]',
    says: 'Makes a user.',
    run: (clients, { words, options }) =>
      clients.accounts.createUser.mutate({
        email: word(words, 0, 'email'),
        plan: parsed(Plan, options['plan'] ?? 'free', '--plan'),
      }),
  },
  'user show': {
    usage: 'user show <email>',
    says: 'Shows a user with keys, accounts and credits.',
    run: async (clients, { words }) => {
      const user = await userOf(clients, words);
      const [keys, accounts, credits] = await Promise.all([
        clients.accounts.listKeys.query({ user_id: user.id }),
        clients.accounts.list.query({ tenant: tenantOf(user) }),
        clients.credits.balance.query({ user_id: user.id }),
      ]);
      return { ...user, credits, accounts, keys };
    },
  },
  'plan set': {
    usage: 'plan set <email> free|paid',
    says: 'Changes the plan; on the free one no API key works.',
    run: async (clients, { words }) => {
      const user = await userOf(clients, words);
      return clients.accounts.setPlan.mutate({
        user_id: user.id,
        plan: parsed(Plan, word(words, 1, 'plan'), '<plan>'),
      });
    },
  },
  'credits grant': {
    usage: 'credits grant <email> <credits> --reason <text> [--key <text>]',
    says: 'Adds credits; repeated with the same --key it adds them once.',
    run: async (clients, { words, options }) => {
      const user = await userOf(clients, words);
      return clients.credits.grant.mutate({
        user_id: user.id,
        credits: parsed(WholeNumber, word(words, 1, 'credits'), '<credits>'),
        reason: required(options, 'reason'),
        idempotency_key: options['key'] ?? crypto.randomUUID(),
      });
    },
  },
  'credits show': {
    usage: 'credits show <email>',
    says: 'Shows what a user has, and the latest lines of the ledger.',
    run: async (clients, { words }) => {
      const { id: user_id } = await userOf(clients, words);
      const [balance, entries] = await Promise.all([
        clients.credits.balance.query({ user_id }),
        clients.credits.entries.query({ user_id }),
      ]);
      return { ...balance, entries: entries.data };
    },
  },
  'key create': {
    usage:
      'key create <email> --name <text> [--mode live|test] [--scopes posts:read,…] [--expires <instant>]',
    says: 'Makes an API key and shows its secret, this once.',
    run: async (clients, { words, options }) => {
      const user = await userOf(clients, words);
      return clients.accounts.createKey.mutate({
        user_id: user.id,
        name: required(options, 'name'),
        ...(options['mode'] && { mode: parsed(KeyMode, options['mode'], '--mode') }),
        ...(options['scopes'] && {
          scopes: parsed(z.array(Scope), options['scopes'].split(','), '--scopes'),
        }),
        ...(options['expires'] && { expires_at: parsed(Instant, options['expires'], '--expires') }),
      });
    },
  },
  'key list': {
    usage: 'key list <email>',
    says: "Shows a user's keys without their secrets, newest first.",
    run: async (clients, { words }) => {
      const user = await userOf(clients, words);
      return clients.accounts.listKeys.query({ user_id: user.id });
    },
  },
  'key revoke': {
    usage: 'key revoke <email> <key_id>',
    says: 'Ends a key at once.',
    run: async (clients, { words }) => {
      const user = await userOf(clients, words);
      return clients.accounts.revokeKey.mutate({
        user_id: user.id,
        key_id: word(words, 1, 'key_id'),
      });
    },
  },
  'account connect-sandbox': {
    usage:
      'account connect-sandbox <email> --handle <name> [--time-zone <zone>] [--window 06:00-23:00] [--outside fail|defer]',
    says: 'Connects an account on the sandbox platform.',
    run: async (clients, { words, options }) => {
      const user = await userOf(clients, words);
      return clients.accounts.connectSandbox.mutate({
        user_id: user.id,
        handle: required(options, 'handle'),
        settings: settingsOf(options),
      });
    },
  },
  connect: {
    usage:
      'connect [<email> x|bluesky|mastodon [--server <host or handle>] [--time-zone <zone>] [--window 06:00-23:00] [--outside fail|defer]]',
    says: 'Alone: the platforms, what an operator does for each, and the exact callback URLs. With a user: connects an account.',
    run: async (clients, { words, options }, tell) => {
      if (words.length === 0) return clients.connections.platforms.query();
      const user = await userOf(clients, words);
      const { ticket, url, expires_at } = await clients.connections.create.mutate({
        user_id: user.id,
        platform: parsed(PlatformName, word(words, 1, 'platform'), '<platform>'),
        server: options['server'] ?? null,
        settings: settingsOf(options),
      });
      tell(`Whoever owns the account opens this, before ${expires_at}:\n\n  ${url}\n`);
      return connected(clients, ticket);
    },
  },
  'connect sign-in': {
    usage:
      'connect sign-in <email> bluesky --handle <name> [--server <host>] [--time-zone <zone>] [--window 06:00-23:00] [--outside fail|defer]',
    says: 'Connects an account by an app password, which it takes from PERCH_APP_PASSWORD.',
    run: async (clients, { words, options, env }) => {
      const user = await userOf(clients, words);
      const password = env['PERCH_APP_PASSWORD'];
      if (!password) throw new UsageError('PERCH_APP_PASSWORD is not set');
      return clients.connections.signIn.mutate({
        user_id: user.id,
        platform: parsed(PlatformName, word(words, 1, 'platform'), '<platform>'),
        server: options['server'] ?? null,
        handle: required(options, 'handle'),
        password,
        settings: settingsOf(options),
      });
    },
  },
  'account disconnect': {
    usage: 'account disconnect <email> <account_id>',
    says: 'Ends the grant at the platform; posts that are due later fail with account_disconnected.',
    run: async (clients, { words }) => {
      const user = await userOf(clients, words);
      const account_id = parsed(AccountId, word(words, 1, 'account_id'), '<account_id>');
      return clients.accounts.disconnect.mutate({ tenant: tenantOf(user), account_id });
    },
  },
  'account list': {
    usage: 'account list <email>',
    says: "Shows a user's connected accounts.",
    run: async (clients, { words }) => {
      const user = await userOf(clients, words);
      return clients.accounts.list.query({ tenant: tenantOf(user) });
    },
  },
  'take-down': {
    usage: 'take-down <post_id>',
    says: 'Deletes what stands of a post on its platform, replies too. It stays charged, and in the journal.',
    run: (clients, { words }) =>
      clients.accounts.takeDown.mutate({
        post_id: parsed(PostId, word(words, 0, 'post_id'), '<post_id>'),
      }),
  },
  verify: {
    usage: 'verify <post_id>',
    says: 'Checks the timeline of a post against its chain of hashes.',
    run: (clients, { words }) =>
      clients.posts.verify.query({
        post_id: parsed(PostId, word(words, 0, 'post_id'), '<post_id>'),
      }),
  },
  feed: {
    usage: 'feed <email> <account_id>',
    says: 'Shows what an account has published on the sandbox platform.',
    run: async (clients, { words }) => {
      const user = await userOf(clients, words);
      const account_id = parsed(AccountId, word(words, 1, 'account_id'), '<account_id>');
      return clients.accounts.sandboxFeed.query({ tenant: tenantOf(user), account_id });
    },
  },
};

const pollMs = 1_000;

/** Waits until the person has been on the platform's page. */
async function connected(clients: Clients, ticket: string): Promise<Account> {
  for (;;) {
    const { status, account, failure } = await clients.connections.get.query({ ticket });
    if (account) return account;
    if (status === 'failed') throw new Error(failure ?? 'it failed');
    if (status === 'expired') throw new Error('nobody came back in time; begin again');
    await setTimeout(pollMs);
  }
}

function settingsOf(
  options: Given['options'],
): z.input<ReturnType<typeof AccountSettings.partial>> {
  const [opens, closes] = options['window']?.split('-') ?? [];
  return {
    ...(options['time-zone'] && {
      time_zone: parsed(TimeZone, options['time-zone'], '--time-zone'),
    }),
    ...(options['window'] && {
      posting_window: parsed(PostingWindow, { opens, closes }, '--window'),
    }),
    ...(options['outside'] && {
      outside_window: parsed(OutsideWindow, options['outside'], '--outside'),
    }),
  };
}

/** A mistake of the operator's; its message says what is missing or wrong. */
export class UsageError extends Error {}

const WholeNumber = z.string().regex(/^\d+$/, 'must be a whole number').transform(Number);
const Instant = z.iso
  .datetime({ offset: true, error: 'must be an instant like 2027-01-31T00:00:00Z' })
  .transform((text) => new Date(text).toISOString());

function parsed<T extends z.ZodType>(schema: T, given: unknown, name: string): z.output<T> {
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  throw new UsageError(`${name}: ${result.error.issues.map((issue) => issue.message).join('; ')}`);
}

function word(words: string[], index: number, name: string): string {
  const given = words[index];
  if (given === undefined) throw new UsageError(`<${name}> is missing`);
  return given;
}

function required(options: Given['options'], name: string): string {
  const given = options[name];
  if (given === undefined) throw new UsageError(`--${name} is missing`);
  return given;
}

function userOf(clients: Clients, words: string[]): Promise<User> {
  return clients.accounts.getUser.query({ email: word(words, 0, 'email') });
}

function tenantOf(user: User) {
  return { user_id: user.id, account_ids: null };
}
