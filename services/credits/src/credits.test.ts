import type { CreditsService } from '@perch/proto/credits';
import { type Database, openDatabase } from '@perch/proto/database';
import { faultCodeOf } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import { healthOf } from '@perch/proto/rpc';
import { createTestDatabase, testCall } from '@perch/proto/testing';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createCredits } from './credits.ts';
import { Entry, Hold, Wallet } from './ledger.ts';
import { migrations } from './migrations.ts';

let db: Database;
let credits: CreditsService;
const call = testCall();
/** As many statements as can be under way at once. */
const clients = 64;
const clock = () => Date.parse('2026-03-01T12:00:00.000Z');

beforeAll(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities: [Wallet, Hold, Entry], migrations, poolSize: clients });
  credits = createCredits({ db, clock, health });
});
afterAll(() => db?.close());

async function userWith(amount: number): Promise<string> {
  const user_id = newId('user', clock);
  await credits.grant({ user_id, credits: amount, reason: 'test', idempotency_key: 'first' }, call);
  return user_id;
}

const health = async () => healthOf([]);
const post = () => newId('post', clock);

test('a grant counts once per key', async () => {
  const user_id = await userWith(5);
  const again = { user_id, credits: 5, reason: 'test', idempotency_key: 'first' };
  expect(await credits.grant(again, call)).toEqual({ balance: 5, reserved: 0, available: 5 });
  expect(await credits.grant({ ...again, idempotency_key: 'second' }, call)).toMatchObject({
    balance: 10,
  });
});

test('a reservation is no charge, and a capture charges once', async () => {
  const user_id = await userWith(10);
  const post_id = post();
  await credits.reserve({ user_id, post_id, credits: 9 }, call);
  expect(await credits.balance({ user_id }, call)).toEqual({
    balance: 10,
    reserved: 9,
    available: 1,
  });
  await Promise.all(Array.from({ length: 8 }, () => credits.capture({ post_id }, call)));
  expect(await credits.balance({ user_id }, call)).toEqual({
    balance: 1,
    reserved: 0,
    available: 1,
  });
  const page = await credits.entries({ user_id, limit: 10 }, call);
  expect(page.data.map((entry) => [entry.kind, entry.credits, entry.post_id])).toEqual([
    ['charge', -9, post_id],
    ['grant', 10, null],
  ]);
});

test('a released post is never charged, a charged one never given back', async () => {
  const user_id = await userWith(2);
  const [one, two] = [post(), post()];
  await credits.reserve({ user_id, post_id: one, credits: 1 }, call);
  await credits.reserve({ user_id, post_id: two, credits: 1 }, call);
  await credits.release({ post_id: one }, call);
  expect(await credits.capture({ post_id: one }, call)).toMatchObject({ state: 'released' });
  await credits.capture({ post_id: two }, call);
  expect(await credits.release({ post_id: two }, call)).toMatchObject({ state: 'captured' });
  expect(await credits.reserve({ user_id, post_id: one, credits: 1 }, call)).toMatchObject({
    state: 'released',
  });
  expect(await credits.balance({ user_id }, call)).toEqual({
    balance: 1,
    reserved: 0,
    available: 1,
  });
});

test('says how much is missing', async () => {
  const user_id = await userWith(1);
  const failed = credits.reserve({ user_id, post_id: post(), credits: 9 }, call);
  await expect(failed).rejects.toMatchObject({
    code: 'insufficient_credits',
    details: { available: 1, reserved: 0, required: 9 },
  });
  await expect(credits.capture({ post_id: post() }, call)).rejects.toMatchObject({
    code: 'not_found',
  });
  expect(await credits.release({ post_id: post() }, call)).toBeNull();
});

test('what a run gave back a later one may hold again, and the post is charged once', async () => {
  const { user_id, post_id } = { user_id: await userWith(3), post_id: post() };
  await credits.reserve({ user_id, post_id, credits: 2 }, call);
  await credits.release({ post_id }, call);
  const again = await credits.reserve({ user_id, post_id, credits: 2, run: 2 }, call);
  expect(again.state).toBe('held');
  // Whoever is late from the first run gives nothing back.
  await credits.release({ post_id }, call);
  expect(await credits.balance({ user_id }, call)).toMatchObject({ balance: 3, reserved: 2 });
  await credits.capture({ post_id }, call);
  await credits.reserve({ user_id, post_id, credits: 2, run: 3 }, call);
  await credits.capture({ post_id }, call);
  expect(await credits.balance({ user_id }, call)).toEqual({
    balance: 1,
    reserved: 0,
    available: 1,
  });
});

test('a later run that can not pay is refused', async () => {
  const { user_id, post_id } = { user_id: await userWith(2), post_id: post() };
  await credits.reserve({ user_id, post_id, credits: 2 }, call);
  await credits.release({ post_id }, call);
  await credits.reserve({ user_id, post_id: post(), credits: 1 }, call);
  const again = credits.reserve({ user_id, post_id, credits: 2, run: 2 }, call);
  await expect(again).rejects.toMatchObject({ code: 'insufficient_credits' });
  expect(await credits.balance({ user_id }, call)).toMatchObject({ balance: 2, reserved: 1 });
});

test('50 posts racing for 10 credits get 10', async () => {
  const user_id = await userWith(10);
  const races = Array.from({ length: 50 }, () => {
    const post_id = post();
    return credits
      .reserve({ user_id, post_id, credits: 1 }, call)
      .then(() => credits.capture({ post_id }, call).then(() => 'charged'), faultCodeOf);
  });
  const ends = await Promise.all(races);
  expect(ends.filter((end) => end === 'charged')).toHaveLength(10);
  expect(ends.filter((end) => end === 'insufficient_credits')).toHaveLength(40);
  expect(await credits.balance({ user_id }, call)).toEqual({
    balance: 0,
    reserved: 0,
    available: 0,
  });
});

test('the same post reserved at the same moment holds once', async () => {
  const user_id = await userWith(10);
  const post_id = post();
  await Promise.all(
    Array.from({ length: 20 }, () => credits.reserve({ user_id, post_id, credits: 2 }, call)),
  );
  expect(await credits.balance({ user_id }, call)).toEqual({
    balance: 10,
    reserved: 2,
    available: 8,
  });
});

test('the ledger can not be rewritten', async () => {
  await userWith(1);
  await expect(db.fork().execute('update entry set credits = 99')).rejects.toThrow('append-only');
  await expect(db.fork().execute('delete from entry')).rejects.toThrow('append-only');
});

test('the list goes on where the page ended', async () => {
  const user_id = await userWith(1);
  for (const idempotency_key of ['b', 'c']) {
    await credits.grant({ user_id, credits: 1, reason: idempotency_key, idempotency_key }, call);
  }
  const first = await credits.entries({ user_id, limit: 2 }, call);
  const rest = await credits.entries({ user_id, limit: 2, cursor: first.next_cursor ?? '' }, call);
  expect([...first.data, ...rest.data].map((entry) => entry.reason)).toEqual(['c', 'b', 'test']);
  expect([first.has_more, rest.has_more]).toEqual([true, false]);
  await expect(credits.entries({ user_id, limit: 2, cursor: 'x' }, call)).rejects.toMatchObject({
    code: 'invalid_cursor',
  });
});

test('64 clients repeating the same steps at once never block each other for good', async () => {
  const user_id = await userWith(1_000);
  for (let round = 0; round < 5; round++) {
    const posts = Array.from({ length: 4 }, post);
    const reserve = (post_id: string) => credits.reserve({ user_id, post_id, credits: 1 }, call);
    // A failure here, as PostgreSQL's of a deadlock, fails the test.
    await Promise.all(
      Array.from({ length: clients }, async (_, client) => {
        const post_id = posts[client % 4] ?? '';
        await reserve(post_id);
        if (client % 3 === 0) await credits.capture({ post_id }, call);
        if (client % 3 === 1) await credits.release({ post_id }, call);
      }),
    );
  }
  const { data } = await credits.entries({ user_id, limit: 100 }, call);
  const sum = data.reduce((total, entry) => total + entry.credits, 0);
  expect(await credits.balance({ user_id }, call)).toEqual({
    balance: sum,
    reserved: 0,
    available: sum,
  });
}, 10_000);

test('in any order of any steps: never negative, the entries add up, one charge per post', async () => {
  const step = fc.record({
    verb: fc.constantFrom(...(['grant', 'reserve', 'capture', 'release'] as const)),
    post: fc.integer({ min: 0, max: 4 }),
    credits: fc.integer({ min: 1, max: 9 }),
    key: fc.integer({ min: 0, max: 3 }),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      const user_id = await userWith(10);
      const posts = Array.from({ length: 5 }, post);
      const model = createModel(10);
      for (const { verb, post: which, credits: amount, key } of steps) {
        const post_id = posts[which] ?? '';
        const happened =
          verb === 'grant'
            ? credits.grant(
                { user_id, credits: amount, reason: 'test', idempotency_key: `key ${key}` },
                call,
              )
            : verb === 'reserve'
              ? credits.reserve({ user_id, post_id, credits: amount }, call)
              : credits[verb]({ post_id }, call);
        const end = await happened.then(
          (done) => (done && 'state' in done ? done.state : null),
          (error: unknown) => faultCodeOf(error) ?? error,
        );
        expect(end).toBe(model[verb](verb === 'grant' ? key : which, amount));
        expect(await credits.balance({ user_id }, call)).toEqual(model.wallet());
      }
      const { data } = await credits.entries({ user_id, limit: 100 }, call);
      expect(data.reduce((sum, entry) => sum + entry.credits, 0)).toBe(model.wallet().balance);
      const charged = data.flatMap((entry) => (entry.kind === 'charge' ? [entry.post_id] : []));
      expect(new Set(charged).size).toBe(charged.length);
    }),
    { numRuns: 60 },
  );
}, 60_000);

/** The ledger as anyone would do it in memory, one step after the other; each step says how it ends. */
function createModel(granted: number) {
  let balance = granted;
  const keys = new Set<number>();
  const holds = new Map<number, { credits: number; state: 'held' | 'captured' | 'released' }>();
  const reserved = () =>
    [...holds.values()].reduce((sum, hold) => sum + (hold.state === 'held' ? hold.credits : 0), 0);
  const wallet = () => ({ balance, reserved: reserved(), available: balance - reserved() });
  return {
    wallet,
    grant(key: number, credits: number) {
      if (!keys.has(key)) balance += credits;
      keys.add(key);
      return null;
    },
    reserve(post: number, credits: number) {
      if (!holds.has(post) && wallet().available < credits) return 'insufficient_credits';
      const hold = holds.get(post) ?? { credits, state: 'held' as const };
      holds.set(post, hold);
      return hold.state;
    },
    capture(post: number) {
      const hold = holds.get(post);
      if (!hold) return 'not_found';
      if (hold.state !== 'held') return hold.state;
      hold.state = 'captured';
      balance -= hold.credits;
      return hold.state;
    },
    release(post: number) {
      const hold = holds.get(post);
      if (hold?.state === 'held') hold.state = 'released';
      return hold?.state ?? null;
    },
  };
}
