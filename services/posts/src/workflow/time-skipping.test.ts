import { readdir, readFile, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import type { Account } from '@perch/proto/accounts';
import { type Database, openDatabase } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase, testClients } from '@perch/proto/testing';
import {
  type PlatformActivities,
  postWorkflowId,
  type ReconcileOutcome,
  type TweetsOutcome,
  taskQueues,
} from '@perch/proto/workflows';
import { temporal } from '@temporalio/proto';
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { DefaultLogger, Runtime, Worker } from '@temporalio/worker';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import type { Deps } from '../deps.ts';
import { readEvents } from '../events.ts';
import { migrations } from '../migrations.ts';
import { PostEntity } from '../post.ts';
import { begin } from '../verbs/begin.ts';
import { settle } from '../verbs/settle.ts';
import type { WebhookActivities } from '../webhooks/deliver.ts';
import { createActivities } from './activities.ts';
import type { deliverWebhook } from './deliver-webhook.ts';
import type { publishPost } from './publish-post.ts';

// The real workflow, its real local activities on a real database, and a server on which time is skipped.
const codePath = fileURLToPath(new URL('../../dist/workflows.js', import.meta.url));
const histories = fileURLToPath(new URL('histories/', import.meta.url));
const { History } = temporal.api.history.v1;
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;

let env: TestWorkflowEnvironment;
let db: Database;
let workers: Worker[];
let running: Promise<void>[];
let nowMs = 0;

// What the other services are at the moment.
let account: Account;
let outcomes: TweetsOutcome[];
let reconciles: ReconcileOutcome[];
let unsettled: number[];
let deliveries: number[];
let endpointBackMs: number;
let givenUpMs: number | null;
let sends: number[];
let reposts: number[];
let ledger: string[];

beforeAll(async () => {
  Runtime.install({ logger: new DefaultLogger('ERROR') });
  const path = inject('timeSkippingServer');
  env = await TestWorkflowEnvironment.createTimeSkipping(
    path ? { server: { executable: { type: 'existing-path', path } } } : {},
  );
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities: [PostEntity], migrations, poolSize: 5 });
  workers = await Promise.all([
    Worker.create({
      connection: env.nativeConnection,
      taskQueue: taskQueues.posts,
      workflowBundle: { codePath },
      activities: onTime({
        ...createActivities({ db, clients, clock: () => nowMs }),
        ...webhooks,
      }),
    }),
    ...[taskQueues.platforms, taskQueues.followUps].map((taskQueue) =>
      Worker.create({
        connection: env.nativeConnection,
        taskQueue,
        activities: onTime(platform),
      }),
    ),
  ]);
  running = workers.map((worker) => worker.run());
}, 120_000);

afterAll(async () => {
  for (const worker of workers ?? []) worker.shutdown();
  await Promise.all(running ?? []);
  await env?.teardown();
  await db?.close();
});

beforeEach(async () => {
  nowMs = await env.currentTimeMs();
  account = {
    account_id: newId('account', () => nowMs),
    platform: 'sandbox',
    handle: 'test',
    display_name: 'Test',
    time_zone: 'UTC',
    posting_window: { opens: '00:00', closes: '24:00' },
    outside_window: 'fail',
    reply_template: null,
    status: 'connected',
    created_at: new Date(nowMs).toISOString(),
  };
  outcomes = [];
  [reconciles, unsettled, deliveries] = [[], [], []];
  [endpointBackMs, givenUpMs] = [0, null];
  [sends, reposts, ledger] = [[], [], []];
});

const clients = testClients({
  credits: {
    reserve: async ({ post_id, credits }) => {
      if (credits > 1_000) throw new Fault('insufficient_credits');
      // Asked again for the same post it holds what it held.
      if (!ledger.includes('held')) ledger.push('held');
      return { post_id, credits, state: 'held', balance_after: null };
    },
    capture: async ({ post_id }) => {
      ledger.push('captured');
      return { post_id, credits: 1, state: 'captured', balance_after: 5 };
    },
    release: async () => {
      ledger.push('released');
      return null;
    },
  },
});

/** An endpoint that is away until some instant. */
const webhooks: WebhookActivities = {
  attemptDelivery: async () => {
    deliveries.push(nowMs);
    return nowMs < endpointBackMs ? 'again' : 'done';
  },
  giveUpDelivery: async () => {
    givenUpMs = nowMs;
  },
};

/** What the verbs that accounts calls work on. */
function deps(): Deps {
  return {
    db,
    clients,
    readAccount: async () => account,
    clock: () => nowMs,
    faultPoint: async () => {},
    policy: { replyEveryMs: hourMs, replyForMs: 24 * hourMs, creditsLow: 0 },
    pricing: { per_post: 1, url_surcharge: 8 },
    log: createLogger('test', 'silent'),
    arming: { soon() {}, wake() {}, sweep: async () => 0, start() {}, stop: async () => {} },
  };
}

/** Accounts, as it publishes, with the outcomes that a test wants of its platform. */
const platform: PlatformActivities = {
  publish: async (ref) => {
    const begun = await begin(deps(), ref);
    if (begun.next === 'stop') return { kind: 'stopped' };
    if (begun.next === 'wait') return { kind: 'wait', until_ms: begun.until_ms };
    sends.push(nowMs);
    const outcome = outcomes.shift() ?? published();
    if (outcome.kind !== 'published') return outcome;
    const at_ms = unsettled.shift();
    if (at_ms !== undefined) return { kind: 'unsettled', at_ms };
    const { posted_at_ms } = await settle(deps(), { ...ref, parts: outcome.parts });
    return { kind: 'posted', posted_at_ms, follow_up: begun.follow_up };
  },
  reconcile: async () => reconciles.shift() ?? { kind: 'resolved', found: true },
  repost: async () => {
    reposts.push(nowMs);
    return { kind: 'done' };
  },
  reply: async () => ({ sent: [], skipped: [], gone: null, cursor: null }),
};

function published(): TweetsOutcome {
  return {
    kind: 'published',
    parts: [{ index: 0, platform_id: '1', url: 'https://x.example/1', published_at_ms: nowMs }],
  };
}

/** Activities that see the server's time, as a process would see its machine's. */
function onTime<T extends object>(activities: T): T {
  const seeing = Object.entries(activities).map(([name, activity]) => [
    name,
    async (...input: unknown[]) => {
      nowMs = Math.max(nowMs, await env.currentTimeMs());
      return activity(...input);
    },
  ]);
  return Object.fromEntries(seeing);
}

interface Wanted {
  dueMs: number;
  auto_retweet?: { enabled: boolean; after_hours: number };
  credits?: number;
}

/** A scheduled post with its workflow started. */
async function schedule(wanted: Wanted) {
  const id = newId('post', () => nowMs);
  const at = new Date(nowMs);
  await db.fork().insert(PostEntity, {
    id,
    user_id: newId('user', () => nowMs),
    account_id: account.account_id,
    status: 'scheduled',
    version: 1,
    scheduled_at: new Date(wanted.dueMs),
    tweets: [{ text: 'x', media_ids: [] }],
    tweet_count: 1,
    parts: [],
    auto_retweet: wanted.auto_retweet ?? null,
    credits: wanted.credits ?? 1,
    contains_url: false,
    charged: false,
    created_at: at,
    updated_at: at,
  });
  const handle = await env.client.workflow.start<typeof publishPost>('publishPost', {
    taskQueue: taskQueues.posts,
    workflowId: postWorkflowId(id),
    args: [
      {
        post_id: id,
        due_at_ms: wanted.dueMs,
        retry_for_ms: 24 * hourMs,
        reconcile_for_ms: hourMs,
      },
    ],
  });
  return { id, handle };
}

async function postOf(id: string) {
  const post = await db.fork().findOneOrFail(PostEntity, { id });
  const rows = await readEvents(db.fork(), { post_id: id, after: 0, limit: 100 });
  return { ...post, events: rows.map((row) => row.type) };
}

/** With UPDATE_HISTORIES=1 a run is saved, to be replayed by every later version of the workflow. */
async function keepHistory(
  name: string,
  handle: { fetchHistory(): Promise<temporal.api.history.v1.IHistory> },
): Promise<void> {
  if (process.env['UPDATE_HISTORIES'] !== '1') return;
  await writeFile(`${histories}${name}.bin`, History.encode(await handle.fetchHistory()).finish());
}

test('a post that is due in 30 days goes out then, and not before', async () => {
  const dueMs = nowMs + 30 * 24 * hourMs;
  const { id, handle } = await schedule({ dueMs });
  await handle.result();
  expect(sends).toHaveLength(1);
  expect(sends[0]).toBeGreaterThanOrEqual(dueMs);
  expect(sends[0]).toBeLessThan(dueMs + minuteMs);
  expect(await postOf(id)).toMatchObject({
    status: 'posted',
    charged: true,
    events: ['post.publishing', 'post.posted'],
  });
  expect(ledger).toEqual(['held', 'captured']);
  await keepHistory('published', handle);
});

test('outside the window it fails, and nothing is sent or charged', async () => {
  const dueMs = nowMs + 5 * hourMs;
  // The user moved the window after the post was scheduled.
  account.posting_window = { opens: hhmm(dueMs + hourMs), closes: hhmm(dueMs + 2 * hourMs) };
  const { id, handle } = await schedule({ dueMs });
  await handle.result();
  expect(await postOf(id)).toMatchObject({
    status: 'failed',
    failure: { code: 'outside_posting_window' },
  });
  expect([sends, ledger]).toEqual([[], ['released']]);
});

test('a post that fell due while all was down is judged by the window of the time when it is back', async () => {
  const dueMs = nowMs - 3 * hourMs;
  account.posting_window = { opens: hhmm(dueMs - hourMs), closes: hhmm(dueMs + hourMs) };
  const { id, handle } = await schedule({ dueMs });
  await handle.result();
  expect(await postOf(id)).toMatchObject({
    status: 'failed',
    failure: { code: 'outside_posting_window' },
  });
  expect(sends).toEqual([]);
});

test('where the account defers, it goes out when the window opens', async () => {
  const dueMs = nowMs + 5 * hourMs;
  const opensMs = Math.ceil((dueMs + hourMs) / 60_000) * 60_000;
  Object.assign(account, {
    outside_window: 'defer',
    posting_window: { opens: hhmm(opensMs), closes: hhmm(opensMs + hourMs) },
  });
  const { id, handle } = await schedule({ dueMs });
  await handle.result();
  expect(await postOf(id)).toMatchObject({
    status: 'posted',
    events: ['post.deferred', 'post.publishing', 'post.posted'],
  });
  expect(sends[0]).toBeGreaterThanOrEqual(opensMs);
  expect(sends[0]).toBeLessThan(opensMs + minuteMs);
  await keepHistory('deferred', handle);
});

test('local opening times keep their wall clock over a change of clocks', async () => {
  // Held from the evening before to 06:00 in Paris, on the next day whose clocks change.
  const change = nextParisChange(nowMs);
  const eveningMs = change - 3 * hourMs;
  Object.assign(account, {
    time_zone: 'Europe/Paris',
    outside_window: 'defer',
    posting_window: { opens: '06:00', closes: '22:00' },
  });
  const { handle } = await schedule({ dueMs: eveningMs });
  await handle.result();
  const local = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Paris', timeStyle: 'short' });
  expect(local.format(sends[0])).toBe('06:00');
});

test('a moved post waits for its new time, also when nobody could tell the workflow', async () => {
  const { id, handle } = await schedule({ dueMs: nowMs + hourMs });
  const laterMs = nowMs + 50 * hourMs;
  await db.fork().nativeUpdate(PostEntity, { id }, { scheduled_at: new Date(laterMs), version: 2 });
  await handle.result();
  expect(sends).toHaveLength(1);
  expect(sends[0]).toBeGreaterThanOrEqual(laterMs);
  await keepHistory('moved', handle);
});

test('a cancelled post is not sent, also when nobody could tell the workflow', async () => {
  const { id, handle } = await schedule({ dueMs: nowMs + hourMs });
  await db.fork().nativeUpdate(PostEntity, { id }, { status: 'cancelled', version: 2 });
  await handle.result();
  expect([sends, ledger]).toEqual([[], []]);
  await keepHistory('cancelled', handle);
});

test('without credits it fails before anything is sent', async () => {
  const { id, handle } = await schedule({ dueMs: nowMs + hourMs, credits: 5_000 });
  await handle.result();
  expect(await postOf(id)).toMatchObject({
    status: 'failed',
    failure: { code: 'insufficient_credits' },
  });
  expect(sends).toEqual([]);
});

test('an unknown outcome is looked up until it is known, and only then sent again', async () => {
  outcomes = [{ kind: 'unknown', index: 0, detail: 'reset', parts: [] }];
  reconciles = [
    { kind: 'undecided', again_at_ms: nowMs + hourMs + 5_000 },
    { kind: 'resolved', found: false },
  ];
  const { id, handle } = await schedule({ dueMs: nowMs + hourMs });
  await handle.result();
  expect(sends).toHaveLength(2);
  expect((await postOf(id)).events).toEqual([
    'post.publishing',
    'post.outcome_unknown',
    'post.reconciled',
    'post.posted',
  ]);
  expect(ledger).toEqual(['held', 'captured']);
  await keepHistory('reconciled', handle);
});

test('what stays unknown is never sent again; the credits come back', async () => {
  outcomes = [{ kind: 'unknown', index: 0, detail: 'reset', parts: [] }];
  reconciles = Array.from({ length: 100 }, (_, n) => ({
    kind: 'undecided',
    again_at_ms: nowMs + hourMs + n * 300_000,
  }));
  const { id, handle } = await schedule({ dueMs: nowMs + hourMs });
  await handle.result();
  expect(sends).toHaveLength(1);
  expect(await postOf(id)).toMatchObject({
    status: 'failed',
    failure: { code: 'publish_outcome_unknown' },
    charged: false,
  });
  expect(ledger).toEqual(['held', 'released']);
  await keepHistory('unknown', handle);
});

test('what stands but is not charged yet is tried until it is, however long that takes', async () => {
  unsettled = Array.from({ length: 50 }, (_, n) => nowMs + (n + 1) * hourMs);
  const { id, handle } = await schedule({ dueMs: nowMs });
  await handle.result();
  expect(await postOf(id)).toMatchObject({ status: 'posted', charged: true });
  expect(ledger.filter((entry) => entry === 'captured')).toHaveLength(1);
  await keepHistory('unsettled', handle);
});

test('a rate-limited post goes out when the platform takes it', async () => {
  const dueMs = nowMs + hourMs;
  outcomes = [
    { kind: 'retry', index: 0, at_ms: dueMs + 2 * hourMs, detail: 'rate limit', parts: [] },
  ];
  const { id, handle } = await schedule({ dueMs });
  await handle.result();
  expect(sends[1]).toBeGreaterThanOrEqual(dueMs + 2 * hourMs);
  expect((await postOf(id)).events).toContain('post.waiting');
  await keepHistory('waited', handle);
});

test('a platform that stays away for a day fails the post', async () => {
  const dueMs = nowMs + hourMs;
  outcomes = Array.from({ length: 30 }, (_, n) => ({
    kind: 'retry',
    index: 0,
    at_ms: dueMs + (n + 1) * hourMs,
    detail: 'away',
    parts: [],
  }));
  const { id, handle } = await schedule({ dueMs });
  await handle.result();
  expect(await postOf(id)).toMatchObject({
    status: 'failed',
    failure: { code: 'platform_unavailable' },
  });
  expect(ledger).toEqual(['held', 'released']);
});

const deliver = () =>
  env.client.workflow.start<typeof deliverWebhook>('deliverWebhook', {
    taskQueue: taskQueues.posts,
    workflowId: `webhook/${newId('delivery', () => nowMs)}/1`,
    args: [{ delivery_id: 'whd_test' }],
  });

test('an endpoint that is away for a day gets its event when it is back', async () => {
  endpointBackMs = nowMs + 24 * hourMs;
  const handle = await deliver();
  await handle.result();
  const last = deliveries.at(-1) ?? 0;
  expect(last).toBeGreaterThanOrEqual(endpointBackMs);
  expect(last).toBeLessThan(endpointBackMs + 16 * hourMs);
  expect([deliveries.length, givenUpMs]).toEqual([8, null]);
  await keepHistory('webhook', handle);
});

test('an endpoint that is away for more than three days is given up', async () => {
  endpointBackMs = Number.MAX_SAFE_INTEGER;
  const startedMs = nowMs;
  await (await deliver()).result();
  expect(deliveries).toHaveLength(10);
  const givenUpAfterMs = (givenUpMs ?? 0) - startedMs;
  expect(givenUpAfterMs).toBeGreaterThanOrEqual(72 * hourMs);
  expect(givenUpAfterMs).toBeLessThan(90 * hourMs);
});

// Stands last: after an abandoned child the time-skipping server skips no more.
test('is reposted after the hours that were asked for', async () => {
  const { id, handle } = await schedule({
    dueMs: nowMs + hourMs,
    auto_retweet: { enabled: true, after_hours: 36 },
  });
  await handle.result();
  const retweet = env.client.workflow.getHandle(`post/${id}/retweet`);
  await retweet.result();
  expect(reposts).toHaveLength(1);
  expect((reposts[0] ?? 0) - (sends[0] ?? 0)).toBeGreaterThanOrEqual(36 * hourMs);
  expect((await postOf(id)).events).toEqual([
    'post.publishing',
    'post.posted',
    'auto_retweet.scheduled',
    'auto_retweet.done',
  ]);
  await keepHistory('retweeted', handle);
  await keepHistory('retweet', retweet);
});

test('every saved run of an earlier version replays with this one', async () => {
  const files = await readdir(histories);
  expect(files.length).toBeGreaterThan(5);
  for (const file of files) {
    const history = History.decode(await readFile(histories + file));
    await Worker.runReplayHistory({ workflowBundle: { codePath } }, history);
  }
});

function hhmm(instantMs: number): string {
  return new Date(instantMs).toISOString().slice(11, 16);
}

/** 01:00 UTC of the last Sunday of March or October, whichever comes next. */
function nextParisChange(afterMs: number): number {
  const year = new Date(afterMs).getUTCFullYear();
  const changes = [year, year + 1].flatMap((y) => [lastSunday(y, 2), lastSunday(y, 9)]);
  return changes.find((change) => change - 6 * hourMs > afterMs) ?? 0;
}

function lastSunday(year: number, month: number): number {
  const last = new Date(Date.UTC(year, month + 1, 0, 1));
  return last.getTime() - last.getUTCDay() * 24 * hourMs;
}
