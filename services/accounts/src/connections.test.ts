import { randomBytes } from 'node:crypto';
import type { Accounts } from '@perch/proto/accounts';
import { createCipher } from '@perch/proto/cipher';
import type { Connections } from '@perch/proto/connections';
import { type Database, openDatabase } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase, testCall, testClients } from '@perch/proto/testing';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createAccounts } from './accounts.ts';
import { createConnections } from './connections.ts';
import type { Deps } from './deps.ts';
import { entities, type SendingAccount } from './entities.ts';
import { migrations } from './migrations.ts';
import { Later, type Platform, type Refreshed, Revoked } from './platforms/platform.ts';
import { createSandbox } from './platforms/sandbox/sandbox.ts';
import { openSession } from './platforms/session.ts';
import { markDisconnected } from './publishing/publish.ts';

const call = testCall();
let db: Database;
let deps: Deps;
let accounts: Accounts;
let connections: Connections;
let nowMs = Date.parse('2026-03-01T12:00:00.000Z');
let user_id = '';
const told: string[] = [];
/** What the played platform does. */
let person = { id: '1', handle: 'ann' };
let refreshes: string[] = [];
let refresh: (old: string) => Promise<Refreshed>;
let revoked: string[] = [];
let states = 0;

beforeAll(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities, migrations, poolSize: 20 });
  const clock = () => nowMs;
  const sandbox = createSandbox({ db, clock });
  deps = {
    db,
    clients: testClients({ webhooks: { emit: async (event) => void told.push(event.type) } }),
    cipher: createCipher([{ id: 'k1', key: randomBytes(32) }]),
    publicUrl: 'http://localhost:3000',
    platforms: { sandbox, x: playedPlatform(sandbox) },
    clock,
    log: createLogger('test', 'silent'),
    faultPoint: async () => {},
  };
  accounts = createAccounts(deps);
  connections = createConnections(deps);
  user_id = (await accounts.createUser({ email: 'a@example.com', plan: 'paid' }, call)).id;
});
afterAll(() => db?.close());
beforeEach(() => {
  person = { id: `${++states}`, handle: `ann${states}` };
  refreshes = [];
  revoked = [];
  told.length = 0;
  refresh = async (old) => ({ kind: 'fresh', credentials: `${old}+` });
});

/** A platform with a consent page whose tokens live for an hour; a stand-in for no real one. */
function playedPlatform(sandbox: Platform): Platform {
  return {
    ...sandbox,
    connection: {
      consent: {
        begin: async ({ redirectUri }) => ({
          authorizeUrl: `https://platform.example/authorize?redirect=${redirectUri}`,
          state: `state-${++states}`,
          secret: 'verifier',
        }),
        finish: async ({ secret, params }) => {
          if (secret !== 'verifier' || params['code'] !== 'good')
            throw new Fault('connection_failed', { detail: 'the code is not good' });
          return {
            remoteId: person.id,
            handle: person.handle,
            displayName: 'Ann',
            credentials: `${nowMs + 3_600_000}`,
            facts: { max: 500 },
          };
        },
      },
      expiresAtMs: (credentials) => Number.parseInt(credentials, 10),
      refresh: async (old) => {
        refreshes.push(old);
        return refresh(old);
      },
      revoke: async (credentials) => void revoked.push(credentials),
    },
  };
}

const binding = 'b'.repeat(43);
const newTicket = () =>
  connections.create({ user_id, platform: 'x', server: null, settings: {} }, call);
const failed = (reason?: string) => ({
  code: 'connection_failed',
  ...(reason && { details: expect.objectContaining({ reason }) }),
});

async function begun(): Promise<{ ticket: string; state: string }> {
  const { ticket } = await newTicket();
  await connections.begin({ ticket, binding }, call);
  return { ticket, state: `state-${states}` };
}

async function connect() {
  const { state } = await begun();
  const params = { state, code: 'good' };
  return connections.finish({ platform: 'x', binding, params }, call);
}

async function sendingAccount(id: string): Promise<SendingAccount> {
  const [row] = await db.execute<SendingAccount>('select * from connected_account where id = ?', [
    id,
  ]);
  if (!row) throw new Error('no account');
  return row;
}

test('an account is connected by its consent page, and the waiting side sees it', async () => {
  const { ticket, state } = await begun();
  expect(await connections.get({ ticket }, call)).toMatchObject({
    status: 'begun',
    user_email: 'a@example.com',
  });
  const params = { state, code: 'good' };
  const account = await connections.finish({ platform: 'x', binding, params }, call);
  expect(account).toMatchObject({ platform: 'x', handle: person.handle, status: 'connected' });
  expect(await connections.get({ ticket }, call)).toMatchObject({
    status: 'connected',
    account: { account_id: account.account_id },
  });
});

test('a link and a state work once', async () => {
  const { ticket, state } = await begun();
  await expect(connections.begin({ ticket, binding }, call)).rejects.toMatchObject(
    failed('expired'),
  );
  const finish = () =>
    connections.finish({ platform: 'x', binding, params: { state, code: 'good' } }, call);
  const ends = await Promise.allSettled([finish(), finish(), finish()]);
  expect(ends.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected', 'rejected']);
});

test('what comes back to another browser connects nothing, and the right one may still finish', async () => {
  const { state } = await begun();
  const params = { state, code: 'good' };
  for (const other of ['c'.repeat(43), null]) {
    await expect(
      connections.finish({ platform: 'x', binding: other, params }, call),
    ).rejects.toMatchObject(failed('state'));
  }
  await connections.finish({ platform: 'x', binding, params }, call);
});

test('a link that nobody opened in a quarter of an hour is of no use', async () => {
  const { ticket } = await newTicket();
  nowMs += 15 * 60_000;
  expect(await connections.get({ ticket }, call)).toMatchObject({ status: 'expired' });
  await expect(connections.begin({ ticket, binding }, call)).rejects.toMatchObject(
    failed('expired'),
  );
});

test('whoever waits is told why it came to nothing', async () => {
  const { ticket, state } = await begun();
  const params = { state, error: 'access_denied' };
  await expect(connections.finish({ platform: 'x', binding, params }, call)).rejects.toMatchObject(
    failed('refused'),
  );
  expect(await connections.get({ ticket }, call)).toMatchObject({
    status: 'failed',
    failure: 'it was not allowed on the platform’s page',
  });
});

test('a person who connects again keeps the account_id and settings, with a new handle too', async () => {
  const first = await connect();
  const tenant = { user_id, account_ids: null };
  const { account_id } = first;
  await accounts.changeSettings(
    { tenant, account_id, settings: { time_zone: 'Asia/Tokyo' } },
    call,
  );
  await accounts.disconnect({ tenant, account_id }, call);
  expect(revoked).toHaveLength(1);
  person = { ...person, handle: 'renamed' };
  expect(await connect()).toMatchObject({
    account_id,
    handle: 'renamed',
    time_zone: 'Asia/Tokyo',
    status: 'connected',
  });
});

test('of many that find a token stale one refreshes it, and all use what it got', async () => {
  const account = await sendingAccount((await connect()).account_id);
  nowMs += 3_600_000;
  refresh = async () => {
    await new Promise((resolve) => setImmediate(resolve));
    return { kind: 'fresh', credentials: `${nowMs + 3_600_000}` };
  };
  const sessions = await Promise.all(Array.from({ length: 12 }, () => openSession(deps, account)));
  expect(refreshes).toHaveLength(1);
  expect(new Set(sessions.map((session) => session?.credentials)).size).toBe(1);
  expect(await openSession(deps, await sendingAccount(account.id))).toMatchObject({
    credentials: sessions[0]?.credentials,
  });
});

test('a platform that is away disconnects nobody; a grant that is gone does, once, and tells the owner', async () => {
  const { account_id } = await connect();
  nowMs += 3_600_000;
  refresh = async () => ({ kind: 'later', detail: 'away' });
  const account = await sendingAccount(account_id);
  await expect(openSession(deps, account)).rejects.toBeInstanceOf(Later);
  expect((await sendingAccount(account_id)).status).toBe('connected');
  refresh = async () => ({ kind: 'revoked', detail: 'gone' });
  await expect(openSession(deps, account)).rejects.toBeInstanceOf(Revoked);
  const content = { user_id, account_id, tweets: [], auto_reply_text: null };
  await markDisconnected(deps, { account, content, session: null });
  expect((await sendingAccount(account_id)).status).toBe('disconnected');
  expect(told).toEqual(['account.disconnected']);
});

test('a refusal that was overtaken by connecting again disconnects nothing', async () => {
  const { account_id } = await connect();
  const stale = await sendingAccount(account_id);
  nowMs += 1;
  const { state } = await begun();
  await connections.finish({ platform: 'x', binding, params: { state, code: 'good' } }, call);
  const content = { user_id, account_id, tweets: [], auto_reply_text: null };
  await markDisconnected(deps, { account: stale, content, session: null });
  expect((await sendingAccount(account_id)).status).toBe('connected');
});

test('an operator sees what to register, also for what is not set up', async () => {
  const platforms = await connections.platforms(call);
  expect(platforms.map(({ platform, set_up }) => [platform, set_up])).toEqual([
    ['x', true],
    ['bluesky', false],
    ['mastodon', false],
  ]);
  expect(platforms[0]).toMatchObject({
    callback_url: 'http://127.0.0.1:3000/connect/x/callback',
    consent: true,
  });
});
