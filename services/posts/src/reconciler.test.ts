import type { Reservation } from '@perch/proto/credits';
import { type Database, openDatabase } from '@perch/proto/database';
import { newId } from '@perch/proto/ids';
import type { PostStatus } from '@perch/proto/posts';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase, testClients } from '@perch/proto/testing';
import { postWorkflowId } from '@perch/proto/workflows';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createArming } from './arming.ts';
import { auditCharges } from './audit-charges.ts';
import { readBacklog } from './backlog.ts';
import { migrations } from './migrations.ts';
import { PostEntity } from './post.ts';
import { armAnewWhereLost, reviveLate } from './revive.ts';

const hourMs = 3_600_000;
let lines: { msg: string; postId?: string }[] = [];
const log = createLogger('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
let db: Database;
let connection: Connection;
let temporal: Client;
let nowMs: number;
const clock = () => nowMs;
// The ledger, as far as the reconciler asks it.
const holds = new Map<string, Reservation['state']>();
let captured: string[] = [];
let released: string[] = [];
const clients = testClients({
  credits: {
    reservations: async ({ post_ids }) =>
      post_ids.flatMap((post_id) => {
        const state = holds.get(post_id);
        return state ? [{ post_id, credits: 1, state, balance_after: null }] : [];
      }),
    capture: async ({ post_id }) => {
      captured.push(post_id);
      holds.set(post_id, 'captured');
      return { post_id, credits: 1, state: 'captured', balance_after: 1 };
    },
    release: async ({ post_id }) => {
      released.push(post_id);
      holds.set(post_id, 'released');
      return null;
    },
  },
});

beforeAll(async () => {
  connection = await Connection.connect({ address: inject('temporalAddress') });
  temporal = new Client({ connection });
});
afterAll(async () => {
  await connection?.close();
});
beforeEach(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  await db?.close();
  db = await openDatabase({ url, entities: [PostEntity], migrations, poolSize: 5 });
  nowMs = Date.now();
  [lines, captured, released] = [[], [], []];
  holds.clear();
});
afterAll(() => db?.close());

async function written(post: {
  dueMs: number;
  status?: PostStatus;
  armed?: boolean;
  heldUntil?: Date;
}): Promise<string> {
  const { dueMs, status = 'scheduled', armed = true } = post;
  const at = new Date(nowMs - hourMs);
  const row = db.fork().create(PostEntity, {
    id: newId('post', clock),
    user_id: newId('user', clock),
    account_id: newId('account', clock),
    status,
    version: 1,
    scheduled_at: new Date(dueMs),
    held_until: post.heldUntil ?? null,
    tweets: [{ text: 'x', media_ids: [] }],
    tweet_count: 1,
    parts: [],
    credits: 1,
    contains_url: false,
    charged: status === 'posted',
    posted_at: status === 'posted' ? at : null,
    failure: status === 'failed' ? { code: 'platform_rejected', detail: 'test' } : null,
    armed_at: armed ? at : null,
    created_at: at,
    updated_at: at,
  });
  await db.fork().insert(PostEntity, row);
  return row.id;
}

const arming = () =>
  createArming({
    db,
    temporal,
    clock,
    log,
    armAheadMs: hourMs,
    policy: { retryForMs: hourMs, reconcileForMs: hourMs },
  });
const deps = () => ({ db, clients, temporal, namespace: 'default', arming: arming(), clock, log });
const status = (id: string) =>
  temporal.workflow
    .getHandle(postWorkflowId(id))
    .describe()
    .then(
      (run) => run.status.name,
      () => 'NONE',
    );
const armedAt = async (id: string) => (await db.fork().findOneOrFail(PostEntity, { id })).armed_at;
const messages = (postId: string) =>
  lines.flatMap((line) => (line.postId === postId ? [line.msg] : []));

test.for(['scheduled', 'publishing'] as const)(
  'a late %s post whose workflow is missing or was terminated gets it back, once',
  async (state) => {
    const missing = await written({ dueMs: nowMs - 20_000, status: state });
    const ended = await written({ dueMs: nowMs - 20_000, status: state });
    await arming().arm({ ...(await db.fork().findOneOrFail(PostEntity, { id: ended })) });
    await temporal.workflow.getHandle(postWorkflowId(ended)).terminate('behind our back');
    // Two replicas at the same moment.
    const looked = await Promise.all([reviveLate(deps()), reviveLate(deps())]);
    expect(looked[0] + looked[1]).toBe(2);
    expect([await status(missing), await status(ended)]).toEqual(['RUNNING', 'RUNNING']);
    const message = 'workflow of a late post was gone; started it again';
    expect([messages(missing), messages(ended)]).toEqual([[message], [message]]);
  },
);

test('a late post whose workflow is at work is left alone, and looked at ever more seldom', async () => {
  const id = await written({ dueMs: nowMs - hourMs });
  await arming().arm({ ...(await db.fork().findOneOrFail(PostEntity, { id })) });
  expect(await reviveLate(deps())).toBe(1);
  expect(await reviveLate(deps())).toBe(0);
  nowMs += 9 * 60_000;
  expect(await reviveLate(deps())).toBe(0);
  nowMs += 61_000;
  expect(await reviveLate(deps())).toBe(1);
  expect(messages(id)).toEqual([]);
});

test('what is not late, held, unarmed or over is none of its business', async () => {
  await written({ dueMs: nowMs - 1_000 });
  await written({ dueMs: nowMs - hourMs, heldUntil: new Date(nowMs + hourMs) });
  await written({ dueMs: nowMs - hourMs, armed: false });
  await written({ dueMs: nowMs - hourMs, status: 'posted' });
  await written({ dueMs: nowMs - hourMs, status: 'cancelled' });
  expect(await reviveLate(deps())).toBe(0);
});

test('a Temporal that was started anew is armed anew with all that is due within the hour', async () => {
  const id = await written({ dueMs: nowMs + 1_000_000 });
  expect(await armAnewWhereLost(deps())).toBe(false);
  expect(await armedAt(id)).not.toBeNull();
  // As if all of this had been armed in another namespace of that name.
  await db.execute("update armed_in set namespace_id = 'of a database that is gone'");
  const both = await Promise.all([armAnewWhereLost(deps()), armAnewWhereLost(deps())]);
  expect(both.filter(Boolean)).toHaveLength(1);
  expect(await armedAt(id)).toBeNull();
  expect(await arming().sweep()).toBe(1);
  expect(await status(id)).toBe('RUNNING');
  expect(await armAnewWhereLost(deps())).toBe(false);
});

test('charges are audited once: what is held is captured or given back, what is wrong is told', async () => {
  const ids: Record<string, string> = {};
  for (const [name, state, hold] of [
    ['right', 'posted', 'captured'],
    ['forgotten', 'posted', 'held'],
    ['free', 'posted', null],
    ['failed', 'failed', 'released'],
    ['leaked', 'failed', 'held'],
    ['paid', 'failed', 'captured'],
  ] as const) {
    const id = await written({ dueMs: nowMs - hourMs, status: state });
    if (hold) holds.set(id, hold);
    ids[name] = id;
  }
  const looked = await Promise.all([auditCharges(deps()), auditCharges(deps())]);
  expect(Math.max(...looked)).toBe(6);
  expect([captured, released]).toEqual([[ids['forgotten']], [ids['leaked']]]);
  expect(messages(ids['free'] ?? '')).toEqual(['charge mismatch: posted_uncharged']);
  expect(messages(ids['paid'] ?? '')).toEqual(['charge mismatch: charged_unposted']);
  expect(await backlog()).toMatchObject({ postedUncharged: 1, chargedUnposted: 1 });
  expect(await auditCharges(deps())).toBe(0);
  // A person puts one right: it is closed by itself, and nothing is told twice.
  holds.set(ids['free'] ?? '', 'captured');
  await auditCharges(deps());
  expect(await backlog()).toMatchObject({ postedUncharged: 0, chargedUnposted: 1 });
  expect(messages(ids['paid'] ?? '')).toHaveLength(1);
});

const backlog = () => readBacklog({ db, clock, armAheadMs: hourMs });

test('the backlog tells what waits though it should not', async () => {
  expect(await backlog()).toEqual({
    ...{ overdue: 0, overdueId: null, overdueOldestMs: 0, publishing: 0, publishingOldestMs: 0 },
    ...{ unarmedOldestMs: 0, outbox: 0, outboxOldestMs: 0, postedUncharged: 0, chargedUnposted: 0 },
  });
  const overdueId = await written({ dueMs: nowMs - 100_000 });
  await written({ dueMs: nowMs - 30_000 });
  await written({ dueMs: nowMs - 50_000, status: 'publishing' });
  await written({ dueMs: nowMs + hourMs - 7_000, armed: false });
  await written({ dueMs: nowMs + hourMs + 7_000, armed: false });
  expect(await backlog()).toMatchObject({
    ...{ overdue: 1, overdueId, overdueOldestMs: 100_000 },
    ...{ publishing: 1, publishingOldestMs: 50_000, unarmedOldestMs: 7_000 },
  });
});
