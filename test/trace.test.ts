import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Collector, type ExportedSpan, startCollector } from './collector.ts';
import { type Perch, startPerch, type TestUser } from './perch.ts';

let collector: Collector;
let perch: Perch;
let user: TestUser;

beforeAll(async () => {
  collector = await startCollector();
  perch = await startPerch({
    OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
    OTEL_BSP_SCHEDULE_DELAY: '200',
  });
  user = await perch.user(100);
}, 120_000);
afterAll(async () => {
  await perch?.stop();
  await collector?.close();
}, 60_000);

/** Schedules a post and waits until it stands. */
async function publish(text: string, inMs: number): Promise<{ id: string; requestId: string }> {
  const { account_id } = await user.account();
  const scheduled_at = new Date(Date.now() + inMs).toISOString();
  const { body, headers } = await user.api('POST', '/posts', {
    account_id,
    tweets: [{ text }],
    scheduled_at,
    auto_retweet: { enabled: true, after_hours: 1 },
  });
  await expect
    .poll(async () => (await user.api('GET', `/posts/${body.id}`)).body.status, { timeout: 30_000 })
    .toBe('posted');
  return { id: body.id, requestId: headers.get('x-request-id') ?? '' };
}

/** The trace that a request began, once it holds all these steps. */
async function traceOf(requestId: string, steps: string[]): Promise<ExportedSpan[]> {
  const find = () => {
    const root = collector.spans.find((span) => span.attributes['perch.request_id'] === requestId);
    return collector.spans.filter((span) => root && span.traceId === root.traceId);
  };
  await expect
    .poll(() => find().map(nameOf), { timeout: 45_000 })
    .toEqual(expect.arrayContaining(steps));
  return find();
}

const nameOf = (span: ExportedSpan) => `${span.service} ${span.name}`;

test('one trace of one post shows every hop, from the request to the platform and the charge', {
  timeout: 90_000,
}, async () => {
  const { id, requestId } = await publish('never in a trace', 3_000);
  const steps = [
    'perch-gateway POST /api/v1/posts',
    'perch-gateway ask accounts.authenticate',
    'perch-accounts accounts.authenticate',
    'perch-gateway ask posts.create',
    'perch-posts posts.create',
    'perch-posts arm',
    'perch-accounts publish',
    'perch-accounts ask posts.begin',
    'perch-posts posts.begin',
    'perch-posts ask credits.reserve',
    'perch-credits credits.reserve',
    'perch-accounts send: sandbox',
    'perch-accounts ask posts.settle',
    'perch-posts posts.settle',
    'perch-credits credits.capture',
  ];
  const trace = await traceOf(requestId, steps);
  // Each hop hangs below the one that caused it.
  const parentOf = (name: string) => {
    const span = trace.find((one) => nameOf(one) === name);
    const parent = trace.find((one) => one.spanId === span?.parentId);
    return parent && nameOf(parent);
  };
  expect(parentOf('perch-posts posts.create')).toBe('perch-gateway ask posts.create');
  expect(parentOf('perch-posts arm')).toBe('perch-posts posts.create');
  expect(parentOf('perch-accounts publish')).toBe('perch-posts arm');
  expect(parentOf('perch-accounts send: sandbox')).toBe('perch-accounts publish');
  expect(parentOf('perch-credits credits.capture')).toBe('perch-posts ask credits.capture');
  expect(trace.filter((span) => span.parentId === '').map(nameOf)).toEqual([steps[0]]);
  for (const name of ['perch-posts posts.create', 'perch-accounts publish'])
    expect(trace.find((span) => nameOf(span) === name)?.attributes['perch.post_id']).toBe(id);
  expect(trace.find((span) => span.name === 'send: sandbox')?.attributes).toMatchObject({
    'perch.platform': 'sandbox',
    'perch.step': 'tweet:0',
    'perch.outcome': 'published',
  });
});

test('a post that another process arms, much later, goes on with the trace that created it', {
  timeout: 120_000,
}, async () => {
  const { account_id } = await user.account();
  const scheduled_at = new Date(Date.now() + 3 * 3_600_000).toISOString();
  const body = { account_id, tweets: [{ text: 'much later' }], scheduled_at };
  const created = await user.api('POST', '/posts', body);
  // Beyond the horizon nothing was armed yet.
  await perch.halt();
  await perch.start();
  const soon = new Date(Date.now() + 2_000).toISOString();
  await user.api('PATCH', `/posts/${created.body.id}`, { scheduled_at: soon });
  const requestId = created.headers.get('x-request-id') ?? '';
  await traceOf(requestId, ['perch-posts arm', 'perch-accounts send: sandbox']);
});

test('no span tells a text, a key or a token, and strangers can not choose our traces', async () => {
  const stranger = '0af7651916cd43dd8448eb211c80319c';
  const traceparent = `00-${stranger}-b7ad6b7169203331-01`;
  const answer = await user.api('GET', '/accounts', undefined, { traceparent });
  await traceOf(answer.headers.get('x-request-id') ?? '', ['perch-accounts accounts.list']);
  const told = JSON.stringify(collector.spans);
  expect(told).not.toContain(stranger);
  expect(told).not.toMatch(/never in a trace|perch_live_|Bearer|@perch\.example/);
});
