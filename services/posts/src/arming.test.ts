import { type Database, openDatabase } from '@perch/proto/database';
import { newId } from '@perch/proto/ids';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase } from '@perch/proto/testing';
import { postWorkflowId } from '@perch/proto/workflows';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createArming } from './arming.ts';
import { migrations } from './migrations.ts';
import { PostEntity } from './post.ts';

const hourMs = 3_600_000;
const log = createLogger('test', 'silent');
let db: Database;
let connection: Connection;
let temporal: Client;
let nowMs: number;
const clock = () => nowMs;

beforeAll(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities: [PostEntity], migrations, poolSize: 5 });
  connection = await Connection.connect({ address: inject('temporalAddress') });
  temporal = new Client({ connection });
});
afterAll(async () => {
  await connection?.close();
  await db?.close();
});
beforeEach(() => {
  nowMs = Date.now();
});

/** A post that was written a while ago, as a creation that died right after left it. */
async function written(dueMs: number) {
  const at = new Date(nowMs - 60_000);
  const post = db.fork().create(PostEntity, {
    id: newId('post', clock),
    user_id: newId('user', clock),
    account_id: newId('account', clock),
    status: 'scheduled',
    version: 1,
    scheduled_at: new Date(dueMs),
    tweets: [{ text: 'x', media_ids: [] }],
    tweet_count: 1,
    parts: [],
    credits: 1,
    contains_url: false,
    charged: false,
    created_at: at,
    updated_at: at,
  });
  await db.fork().insert(PostEntity, post);
  return post;
}

const arming = (client = temporal) =>
  createArming({
    db,
    temporal: client,
    clock,
    log,
    armAheadMs: hourMs,
    policy: { retryForMs: hourMs, reconcileForMs: hourMs },
  });
const runs = (id: string) =>
  temporal.workflow
    .getHandle(postWorkflowId(id))
    .describe()
    .then(
      (run) => run.status.name,
      () => 'NONE',
    );
const armedAt = async (id: string) => (await db.fork().findOneOrFail(PostEntity, { id })).armed_at;

test('a post that nobody armed is armed by the next sweep, once', async () => {
  const post = await written(nowMs + 1_000_000);
  expect(await arming().sweep()).toBe(1);
  expect([await runs(post.id), await armedAt(post.id)]).toEqual(['RUNNING', new Date(nowMs)]);
  expect(await arming().sweep()).toBe(0);
});

test('a post stays a row until an hour before its time', async () => {
  const post = await written(nowMs + 2 * hourMs);
  const one = arming();
  one.soon(post);
  expect(await one.sweep()).toBe(0);
  expect(await runs(post.id)).toBe('NONE');
  nowMs += hourMs + 1;
  expect(await one.sweep()).toBe(1);
  expect(await runs(post.id)).toBe('RUNNING');
});

test('while Temporal is away nothing is lost: the sweep arms it later', async () => {
  const away = Connection.lazy({ address: '127.0.0.1:9', connectTimeout: 200 });
  const post = await written(nowMs + 1_000_000);
  const without = arming(new Client({ connection: away }));
  without.soon(post);
  await without.stop();
  expect(await armedAt(post.id)).toBeNull();
  expect(await arming().sweep()).toBe(1);
  expect(await runs(post.id)).toBe('RUNNING');
  await away.close();
});

test('two replicas that sweep at the same moment start one workflow', async () => {
  const post = await written(nowMs + 1_000_000);
  await Promise.all([arming().sweep(), arming().sweep()]);
  expect(await runs(post.id)).toBe('RUNNING');
  expect(await arming().sweep()).toBe(0);
});
