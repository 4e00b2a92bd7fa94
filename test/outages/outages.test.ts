import { postWorkflowId } from '@perch/proto/workflows';
import { Client, Connection } from '@temporalio/client';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { logged, type OperatorView, operatorView, type ProcessName } from '../operator-view.ts';
import { type Perch, startPerch, type TestUser } from '../perch.ts';
import { type Engines, startEngines } from './engines.ts';

let engines: Engines;
let view: OperatorView;
let perch: Perch;
let user: TestUser;

beforeAll(async () => {
  [engines, view] = await Promise.all([startEngines(), operatorView()]);
  perch = await startPerch({ ...engines.env, ...view.env });
  user = await perch.user(1_000);
  await allReady();
}, 180_000);
afterAll(async () => {
  for (const road of Object.values(engines?.roads ?? {})) road.open();
  await perch?.stop();
  await engines?.stop();
}, 90_000);

const processes = ['gateway', 'accounts', 'credits', 'media', 'posts'] as const;
const waitLong = { timeout: 60_000, interval: 300 };

/** A post that is due in a moment. */
async function schedule(inMs: number): Promise<string> {
  const { account_id } = await user.account();
  const scheduled_at = new Date(Date.now() + inMs).toISOString();
  const body = { account_id, tweets: [{ text: `outage ${scheduled_at}` }], scheduled_at };
  const answer = await user.api('POST', '/posts', body);
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

/** Everybody is ready again, and the post stands once, charged once. */
async function expectRecovery(id: string): Promise<void> {
  await allReady();
  const statusOf = () => user.api('GET', `/posts/${id}`).then(({ body }) => body.status);
  await expect.poll(() => statusOf().catch(() => 'away'), waitLong).toBe('posted');
  const { body: post } = await user.api('GET', `/posts/${id}`);
  const { account_id } = post;
  const feed = await perch.clients.accounts.sandboxFeed.query({
    tenant: { user_id: user.id, account_ids: null },
    account_id,
  });
  expect(feed).toHaveLength(1);
  const { body: ledger } = await user.api('GET', '/credits/entries?limit=100');
  const charges = ledger.data.filter((entry: { post_id: string }) => entry.post_id === id);
  expect(charges).toHaveLength(1);
}

async function allReady(): Promise<void> {
  await vi.waitFor(async () => {
    const all = await Promise.all(processes.map((name) => view.ready(name)));
    const bad = all.map((health) => health?.checks.filter((one) => !one.ok));
    expect(bad).toEqual(processes.map(() => []));
  }, waitLong);
}

/** What a process says that it lacks, by its probe, its metric and its log. */
async function expectLacks(name: ProcessName, check: string): Promise<void> {
  const bad = async () =>
    (await view.ready(name))?.checks.flatMap((one) => (one.ok ? [] : [one.name]));
  await expect.poll(bad, waitLong).toContain(check);
  expect((await view.ready(name))?.ok).toBe(false);
  expect((await view.metrics(name)).get(`perch_check_ok{check="${check}"}`)).toBe(0);
  await expect
    .poll(() => logged(perch, name), waitLong)
    .toEqual(expect.arrayContaining([expect.stringMatching(`^not ready: .*${check}`)]));
  // A restart would mend nothing, so nobody is told to make one.
  expect(await view.alive(name)).toBe(200);
}

const outages: ['postgres' | 'nats' | 'temporal', string, ProcessName[]][] = [
  ['postgres', 'database', ['posts', 'accounts', 'credits', 'media']],
  ['nats', 'nats', ['gateway', 'posts', 'accounts', 'credits', 'media']],
  ['temporal', 'temporal', ['posts', 'accounts']],
];

test.for(outages)(
  '%s away: whoever needs it says so by probe, metric and log, lives on, and recovers',
  { timeout: 150_000 },
  async ([engine, check, needing]) => {
    const id = await schedule(6_000);
    engines.roads[engine].close();
    try {
      for (const name of needing) await expectLacks(name, check);
      const others = processes.filter((name) => !needing.includes(name));
      for (const name of others) expect((await view.ready(name))?.ok, name).toBe(true);
    } finally {
      engines.roads[engine].open();
    }
    await expectRecovery(id);
  },
);

test('a service that hangs: its callers count it, the gateway names it, and posts go out later', {
  timeout: 150_000,
}, async () => {
  const { pid } = (await perch.state()).parts['credits'] ?? {};
  if (!pid) throw new Error('credits does not run');
  process.kill(pid, 'SIGSTOP');
  let id = '';
  try {
    id = await schedule(1_000);
    const readyz = async () => (await fetch(`${perch.url}/readyz`)).json();
    await expect.poll(readyz, waitLong).toMatchObject({ services: { credits: { ok: false } } });
    const metric =
      'perch_rpc_asked_seconds_count{service="credits",procedure="reserve",code="outcome_unknown"}';
    await expect
      .poll(async () => (await view.metrics('posts')).get(metric), waitLong)
      .toBeGreaterThan(0);
    await expect.poll(() => logged(perch, 'accounts'), waitLong).toContain('attempt broke off');
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expectRecovery(id);
});

test('no worker polls for posts to send: the metric falls to zero, and rises again', {
  timeout: 300_000,
}, async () => {
  const { pid } = (await perch.state()).parts['accounts'] ?? {};
  if (!pid) throw new Error('accounts does not run');
  const pollers = async () => (await view.metrics('posts')).get('perch_pollers{queue="platforms"}');
  await expect.poll(pollers, waitLong).toBeGreaterThan(0);
  const id = await schedule(90_000);
  process.kill(pid, 'SIGSTOP');
  try {
    // Its last polls run out after a minute; later than another and a quarter, nobody counts it.
    await expect.poll(pollers, { timeout: 170_000, interval: 1_000 }).toBe(0);
    const readyz = async () => (await fetch(`${perch.url}/readyz`)).json();
    expect(await readyz()).toMatchObject({ services: { accounts: { ok: false } } });
  } finally {
    process.kill(pid, 'SIGCONT');
  }
  await expect.poll(pollers, waitLong).toBeGreaterThan(0);
  await expectRecovery(id);
});

test('a workflow that someone terminates or deletes behind our back: its post goes out all the same, once', {
  timeout: 150_000,
}, async () => {
  const [terminated, deleted] = [await schedule(6_000), await schedule(6_000)];
  const connection = await Connection.connect({ address: engines.env.TEMPORAL_ADDRESS });
  try {
    const { workflow } = new Client({ connection });
    // Armed a moment after the answer.
    const handles = [terminated, deleted].map((id) => workflow.getHandle(postWorkflowId(id)));
    for (const handle of handles) await expect.poll(() => isRunning(handle), waitLong).toBe(true);
    await handles[0]?.terminate('by an operator');
    await connection.workflowService.deleteWorkflowExecution({
      namespace: 'default',
      workflowExecution: { workflowId: postWorkflowId(deleted) },
    });
  } finally {
    await connection.close();
  }
  await expectRecovery(terminated);
  await expectRecovery(deleted);
  const metrics = await view.metrics('posts');
  expect(metrics.get('perch_posts_revived_total{found="terminated"}')).toBe(1);
  // Lines are written in blocks, at the latest after a second.
  await expect
    .poll(() => logged(perch, 'posts'), waitLong)
    .toContain('workflow of a late post was gone; started it again');
});

const isRunning = (handle: { describe(): Promise<{ status: { name: string } }> }) =>
  handle.describe().then(
    (run) => run.status.name === 'RUNNING',
    () => false,
  );

test('Temporal on an empty database: what was armed is armed anew before it is due', {
  timeout: 150_000,
}, async () => {
  const id = await schedule(45_000);
  const soon = await schedule(2_000);
  await engines.loseTemporal();
  await expectRecovery(soon);
  await expectRecovery(id);
  await expect
    .poll(() => logged(perch, 'posts'), waitLong)
    .toContain('Temporal has lost its workflows; arming all anew');
});
