import { randomBytes } from 'node:crypto';
import type { Accounts } from '@perch/proto/accounts';
import { createCipher } from '@perch/proto/cipher';
import { type Database, openDatabase } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase, testCall, testClients } from '@perch/proto/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createAccounts } from './accounts.ts';
import type { Deps } from './deps.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations.ts';
import { createPlatforms } from './platforms/platforms.ts';
import { publish, reconcile } from './publishing/publish.ts';
import { hashOf, isWellFormed, newSecret } from './secret.ts';

const call = testCall();
const platformSettings = {
  publicUrl: 'http://localhost:3000',
  sendTimeoutMs: 5_000,
  loopback: true,
  bluesky: null,
  mastodon: false,
  x: null,
};
let db: Database;
let deps: Deps;
let accounts: Accounts;
let nowMs = Date.parse('2026-03-01T12:00:00.000Z');
let texts: string[] = [];
let account_id = '';
let user_id = '';
let settleFails = false;
const told: string[] = [];

const follow_up = { auto_retweet: null, auto_reply: null };
const content = () => ({
  user_id,
  account_id,
  tweets: texts.map((text) => ({ text, media_ids: [] })),
  auto_reply_text: null,
});

beforeAll(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities, migrations, poolSize: 10 });
  const clock = () => nowMs;
  const log = createLogger('test', 'silent');
  const cipher = createCipher([{ id: 'k1', key: randomBytes(32) }]);
  deps = {
    db,
    clients: testClients({
      webhooks: { emit: async (event) => void told.push(event.type) },
      posts: {
        content: async () => content(),
        begin: async () => ({ next: 'publish', content: content(), follow_up }),
        settle: async ({ parts }) => {
          if (settleFails) throw new Fault('service_unavailable');
          return { posted_at_ms: parts[0]?.published_at_ms ?? 0 };
        },
      },
    }),
    cipher,
    publicUrl: platformSettings.publicUrl,
    platforms: createPlatforms(platformSettings, { db, clock, cipher, log }),
    clock,
    log,
    faultPoint: async () => {},
  };
  accounts = createAccounts(deps);
  user_id = (await accounts.createUser({ email: 'a@example.com', plan: 'paid' }, call)).id;
  account_id = (await accounts.connectSandbox({ user_id, handle: 'a', settings: {} }, call))
    .account_id;
});
afterAll(() => db?.close());

const tenant = () => ({ user_id, account_ids: null });
const feed = async () =>
  (await accounts.sandboxFeed({ tenant: tenant(), account_id }, call)).map((post) => post.text);

test('a secret carries its checksum, and only its hash is kept', async () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 46 }), fc.constantFrom('a', 'B', '7'), (at, letter) => {
      const secret = newSecret('live');
      expect(secret).toMatch(/^perch_live_[0-9A-Za-z]{36}$/);
      const typo = secret.slice(0, at) + letter + secret.slice(at + 1);
      expect([isWellFormed(secret), isWellFormed(typo)]).toEqual([true, typo === secret]);
    }),
  );
  const { secret, key } = await accounts.createKey(
    {
      user_id,
      name: 'one',
      mode: 'live',
      scopes: ['posts:read'],
      account_ids: null,
      expires_at: null,
    },
    call,
  );
  const rows = await db.execute<{ hash: string }>('select * from api_key where id = ?', [key.id]);
  expect(rows[0]?.hash).toBe(hashOf(secret));
  expect(JSON.stringify(rows)).not.toContain(secret);
  expect(key.hint).toBe(`perch_live_…${secret.slice(-4)}`);
});

test('an expired key no longer works, and gives its slot back', async () => {
  const { id } = await accounts.createUser({ email: 'b@example.com', plan: 'paid' }, call);
  const make = (expires_at: string | null) =>
    accounts.createKey(
      {
        user_id: id,
        name: 'k',
        mode: 'live',
        scopes: ['posts:read'],
        account_ids: null,
        expires_at,
      },
      call,
    );
  const short = await make(new Date(nowMs + 1_000).toISOString());
  for (let n = 0; n < 4; n++) await make(null);
  expect((await accounts.authenticate({ secret: short.secret }, call)).tenant.user_id).toBe(id);
  await expect(make(null)).rejects.toMatchObject({
    code: 'api_key_limit_reached',
    details: { limit: 5, active: 5 },
  });
  nowMs += 2_000;
  await expect(accounts.authenticate({ secret: short.secret }, call)).rejects.toMatchObject({
    code: 'invalid_api_key',
  });
  await make(null);
});

test('last use is kept to the minute', async () => {
  const { secret } = await accounts.createKey(
    {
      user_id,
      name: 'used',
      mode: 'live',
      scopes: ['posts:read'],
      account_ids: null,
      expires_at: null,
    },
    call,
  );
  const used = async () =>
    (await accounts.listKeys({ user_id }, call)).find((key) => key.name === 'used')?.last_used_at;
  expect(await used()).toBeNull();
  await accounts.authenticate({ secret }, call);
  const first = await used();
  nowMs += 30_000;
  await accounts.authenticate({ secret }, call);
  expect(await used()).toBe(first);
  nowMs += 31_000;
  await accounts.authenticate({ secret }, call);
  expect(await used()).toBe(new Date(nowMs).toISOString());
});

test('an address is one user', async () => {
  await expect(
    accounts.createUser({ email: 'a@example.com', plan: 'free' }, call),
  ).rejects.toMatchObject({ code: 'already_exists' });
});

test('tokens are sealed: to their row, against change, and readable after a rotation', () => {
  const [old, next] = [
    { id: 'k1', key: randomBytes(32) },
    { id: 'k2', key: randomBytes(32) },
  ];
  const sealed = createCipher([old]).encrypt('token', 'row 1');
  expect(sealed).not.toContain('token');
  expect(createCipher([next, old]).decrypt(sealed, 'row 1')).toBe('token');
  expect(createCipher([next, old]).encrypt('token', 'row 1')).toMatch(/^v1\.k2\./);
  expect(() => createCipher([old]).decrypt(sealed, 'row 2')).toThrow();
  expect(() => createCipher([next]).decrypt(sealed, 'row 1')).toThrow('no key k1');
  const tampered = sealed.slice(0, -2) + (sealed.endsWith('AA') ? 'BB' : 'AA');
  expect(() => createCipher([old]).decrypt(tampered, 'row 1')).toThrow();
});

test('credentials never leave: not in any answer, not in the clear', async () => {
  const answers = [
    await accounts.list({ tenant: tenant() }, call),
    await accounts.review({ tenant: tenant(), account_id, tweets: [] }, call),
  ];
  expect(JSON.stringify(answers)).not.toMatch(/credentials|sandbox-|v1\.k1/);
  const [row] = await db.execute<{ credentials: string }>(
    'select credentials from connected_account where id = ?',
    [account_id],
  );
  expect(row?.credentials).toMatch(/^v1\.k1\./);
});

test('connecting again keeps the account_id; disconnecting forgets the credentials', async () => {
  const first = await accounts.connectSandbox(
    { user_id, handle: 'again', settings: { time_zone: 'Asia/Tokyo' } },
    call,
  );
  const gone = await accounts.disconnect({ tenant: tenant(), account_id: first.account_id }, call);
  expect([gone.status, told]).toEqual(['disconnected', ['account.disconnected']]);
  const again = await accounts.connectSandbox({ user_id, handle: 'again', settings: {} }, call);
  expect(again).toMatchObject({
    account_id: first.account_id,
    status: 'connected',
    time_zone: 'Asia/Tokyo',
  });
});

test('20 attempts at the same post at the same moment send each tweet once', async () => {
  texts = ['together 1', 'together 2'];
  const ref = { post_id: newId('post', () => nowMs) };
  const outcomes = await Promise.all(Array.from({ length: 20 }, () => publish(deps, ref)));
  expect(new Set(outcomes.map((outcome) => outcome.kind))).toContain('unknown');
  expect((await publish(deps, ref)).kind).toBe('posted');
  expect((await feed()).filter((text) => text.startsWith('together')).sort()).toEqual(texts);
});

test('a send without an outcome is never repeated; its absence is believed only when it can no longer land', async () => {
  texts = ['[[sandbox:timeout-before-send]] patience'];
  const ref = { post_id: newId('post', () => nowMs) };
  expect((await publish(deps, ref)).kind).toBe('unknown');
  expect((await publish(deps, ref)).kind).toBe('unknown');
  expect((await reconcile(deps, ref)).kind).toBe('undecided');
  nowMs += 9_000;
  expect(await reconcile(deps, ref)).toEqual({ kind: 'resolved', found: false });
  expect((await publish(deps, ref)).kind).toBe('posted');
  expect((await feed()).filter((text) => text.includes('patience'))).toHaveLength(1);
});

test('a worker that was held up between journal and send does not send late', async () => {
  texts = ['late'];
  const ref = { post_id: newId('post', () => nowMs) };
  const heldUp = {
    ...deps,
    faultPoint: async (step: string) => {
      if (step === 'accounts:journaled') nowMs += 5_000;
    },
  };
  expect(await publish(heldUp, ref)).toMatchObject({ kind: 'retry' });
  expect(await feed()).not.toContain('late');
  expect((await publish(deps, ref)).kind).toBe('posted');
});

test('a thread that breaks in the middle goes on at the tweet that is missing', async () => {
  texts = ['part one', '[[sandbox:rate-limit]] part two', 'part three'];
  const ref = { post_id: newId('post', () => nowMs) };
  expect(await publish(deps, ref)).toMatchObject({
    kind: 'retry',
    index: 1,
    parts: [{ index: 0 }],
  });
  expect(await publish(deps, ref)).toMatchObject({ kind: 'posted' });
  expect((await feed()).filter((text) => text.includes('part ')).toReversed()).toEqual(texts);
});

test('what stands but could not be charged is settled later, and not sent again', async () => {
  texts = ['unsettled'];
  const ref = { post_id: newId('post', () => nowMs) };
  settleFails = true;
  expect(await publish(deps, ref)).toMatchObject({ kind: 'unsettled' });
  settleFails = false;
  expect(await publish(deps, ref)).toMatchObject({ kind: 'posted', posted_at_ms: nowMs });
  expect((await feed()).filter((text) => text === 'unsettled')).toHaveLength(1);
});

test('an attempt that broke off before it began leaves nothing to look up', async () => {
  const ref = { post_id: newId('post', () => nowMs) };
  expect(await reconcile(deps, ref)).toEqual({ kind: 'resolved', found: false });
});

test('an operator takes a post down, whole', async () => {
  texts = ['take me', 'down again'];
  const ref = { post_id: newId('post', () => nowMs) };
  await publish(deps, ref);
  expect(await feed()).toEqual(expect.arrayContaining(texts));
  expect((await accounts.takeDown(ref, call)).removed).toHaveLength(2);
  for (const text of texts) expect(await feed()).not.toContain(text);
  await expect(
    accounts.takeDown({ post_id: newId('post', () => nowMs) }, call),
  ).rejects.toMatchObject({
    code: 'not_found',
  });
});
