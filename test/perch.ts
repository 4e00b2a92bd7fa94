import { type ChildProcess, execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { freePorts } from '@perch/local/ports';
import { type RunState, readRunState } from '@perch/local/run-state';
import { loadSecrets } from '@perch/local/secrets';
import type { Account, AccountSettings, KeyMode } from '@perch/proto/accounts';
import { type Clients, connectClients } from '@perch/proto/clients';
import { type Nats, openNats } from '@perch/proto/nats';
import { createLogger } from '@perch/proto/process';
import type { z } from 'zod';

const main = fileURLToPath(new URL('../deploy/local/src/main.ts', import.meta.url));
const alwaysOpen = { opens: '00:00', closes: '24:00' };

/** All of Perch as `npm start` runs it, with real processes, in a folder of its own. */
export interface Perch {
  url: string;
  /** Where operators have their GraphQL. */
  operatorsUrl: string;
  /** Where it keeps its state. */
  home: string;
  clients: Clients;
  /** The processes that run now. */
  state(): Promise<RunState>;
  /** `kill -9` of one process. */
  kill(name: string): Promise<void>;
  /** `kill -9` of everything at once, the supervisor first. */
  killAll(): Promise<void>;
  /** Stops it in order, as Ctrl-C does. */
  halt(): Promise<void>;
  /** Starts it again on the same folder. */
  start(): Promise<void>;
  /** The embedded PostgreSQL. */
  postgresUrl(): Promise<string>;
  /** One request to `/api/v1` with any key. */
  api(secret: string, ...request: Parameters<TestUser['api']>): Promise<Answer>;
  /** A user on the paid plan with a key, a live one unless asked otherwise. */
  user(credits: number, mode?: KeyMode): Promise<TestUser>;
  stop(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

/** Someone who calls the API. */
export interface TestUser {
  id: string;
  secret: string;
  account(settings?: z.input<ReturnType<typeof AccountSettings.partial>>): Promise<Account>;
  /** One request to `/api/v1`. */
  api(
    method: string,
    path: string,
    body?: unknown,
    headers?: Record<string, string>,
    /** Another way to the gateway than the straight one. */
    via?: string,
  ): Promise<Answer>;
}

/** An answer, its JSON body not looked into. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a caller's script would.
  body: any;
}

/**
 * Starts Perch with these settings, in a new folder unless one is given; the first start in a folder also makes the
 * databases.
 */
export async function startPerch(
  env: Record<string, string> = {},
  given?: { home: string },
): Promise<Perch> {
  const home = given?.home ?? (await mkdtemp(join(tmpdir(), 'perch-e2e-')));
  await chmod(home, 0o711);
  const { port, operatorPort } = await freePorts({ port: 0, operatorPort: 0 });
  const url = `http://127.0.0.1:${port}`;
  let supervisor: ChildProcess;
  let nats: Nats;
  let handles = 0;

  async function start(): Promise<void> {
    supervisor = spawn(process.execPath, [main], {
      env: {
        ...process.env,
        PERCH_AUTH_CACHE_MS: '0',
        PERCH_KEY_RATE_PER_MINUTE: '1000000',
        PERCH_IP_RATE_PER_MINUTE: '1000000',
        PERCH_ATTEMPTS_PER_IP: '1000000',
        ...env,
        PERCH_HOME: home,
        PORT: String(port),
        PERCH_OPERATOR_PORT: String(operatorPort),
      },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await upLine(supervisor);
    const { natsUrl } = await state();
    nats = await openNats({ url: natsUrl, name: 'test', log: createLogger('test', 'silent') });
    Object.assign(clients, connectClients(nats));
  }

  async function state(): Promise<RunState> {
    const found = await readRunState(home);
    if (!found) throw new Error('Perch does not run');
    return found;
  }

  async function killAll(): Promise<void> {
    const { pid, parts } = await state();
    const ended = once(supervisor, 'exit');
    for (const victim of [pid, ...Object.values(parts).map((part) => part.pid)])
      process.kill(victim, 'SIGKILL');
    await ended;
    await nats.connection.close();
  }

  async function halt(): Promise<void> {
    await nats.close();
    if (supervisor.exitCode !== null || supervisor.signalCode !== null) return;
    const ended = once(supervisor, 'exit');
    supervisor.kill('SIGTERM');
    await ended;
  }

  async function user(credits: number, mode: KeyMode = 'live'): Promise<TestUser> {
    const name = `user-${process.pid}-${++handles}`;
    const { id } = await clients.accounts.createUser.mutate({
      email: `${name}@perch.example`,
      plan: 'paid',
    });
    const { secret } = await clients.accounts.createKey.mutate({ user_id: id, name, mode });
    if (credits > 0) {
      const grant = { user_id: id, credits, reason: 'test', idempotency_key: 'test' };
      await clients.credits.grant.mutate(grant);
    }
    const account: TestUser['account'] = (settings = {}) =>
      clients.accounts.connectSandbox.mutate({
        user_id: id,
        handle: `handle_${++handles}`,
        settings: { posting_window: alwaysOpen, ...settings },
      });
    return { id, secret, account, api: (...args) => api(url, secret, ...args) };
  }

  const clients = {} as Clients;
  await start();
  const perch: Perch = {
    url,
    operatorsUrl: `http://127.0.0.1:${operatorPort}/graphql`,
    home,
    clients,
    state,
    kill: async (name) => {
      const part = (await state()).parts[name];
      if (!part) throw new Error(`${name} does not run`);
      process.kill(part.pid, 'SIGKILL');
    },
    killAll,
    start,
    api: (secret, ...request) => api(url, secret, ...request),
    user,
    halt,
    postgresUrl: async () => {
      const { postgresPassword } = await loadSecrets(home);
      const port = /port=(\d+)/.exec(
        await commandLine((await state()).parts['postgres']?.pid),
      )?.[1];
      return `postgres://postgres:${postgresPassword}@127.0.0.1:${port}/postgres`;
    },
    stop: async () => {
      await halt();
      await rm(home, { recursive: true, force: true });
    },
    [Symbol.asyncDispose]: () => perch.stop(),
  };
  return perch;
}

async function api(
  url: string,
  secret: string,
  method: string,
  path: string,
  body?: unknown,
  headers: Record<string, string> = {},
  via = url,
): Promise<Answer> {
  const form = body instanceof FormData;
  const response = await fetch(`${via}/api/v1${path}`, {
    method,
    headers: {
      authorization: `Bearer ${secret}`,
      ...(body !== undefined && !form && { 'content-type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && {
      body: form || typeof body === 'string' ? body : JSON.stringify(body),
    }),
  });
  const text = await response.text();
  return {
    status: response.status,
    headers: response.headers,
    body: text ? JSON.parse(text) : null,
  };
}

async function commandLine(pid: number | undefined): Promise<string> {
  return (await promisify(execFile)('ps', ['-ww', '-o', 'command=', '-p', String(pid)])).stdout;
}

/** Resolves when the supervisor says that all is up; rejects with what it said when it ends instead. */
function upLine(supervisor: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    let said = '';
    supervisor.stdout?.on('data', (chunk) => {
      said += String(chunk);
      if (said.includes('Perch is up')) resolve();
    });
    supervisor.once('exit', () => reject(new Error(said)));
  });
}
