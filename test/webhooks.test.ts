import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type Server } from 'node:http';
import { text } from 'node:stream/consumers';
import { Webhook } from 'standardwebhooks';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { type Answer, type Perch, startPerch, type TestUser } from './perch.ts';

interface Received {
  path: string;
  headers: IncomingHttpHeaders;
  body: string;
  event: { type: string; timestamp: string; data: Record<string, unknown> };
}

let perch: Perch;
let receiver: Server;
let base = '';
let user: TestUser;
let account_id = '';
let received: Received[] = [];
/** What the receiver answers, by path. */
let answers: Record<string, number> = {};

beforeAll(async () => {
  receiver = createServer(async (request, response) => {
    const body = await text(request);
    const path = request.url ?? '';
    received.push({ path, headers: request.headers, body, event: JSON.parse(body) });
    const status = answers[path] ?? 204;
    if (status === 0) request.socket.destroy();
    else response.writeHead(status, { location: `${base}/elsewhere` }).end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const address = receiver.address();
  base = `http://localhost:${typeof address === 'object' ? address?.port : 0}`;
  perch = await startPerch();
}, 120_000);
afterAll(async () => {
  await perch?.stop();
  receiver?.close();
});
beforeEach(async () => {
  [received, answers] = [[], {}];
  user = await perch.user(30);
  ({ account_id } = await user.account());
});

const endpoint = async (path: string, more: object = {}): Promise<Answer['body']> => {
  const answer = await user.api('POST', '/webhook_endpoints', { url: base + path, ...more });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body;
};
const publish = (text: string) =>
  user.api('POST', '/posts', { account_id, tweets: [{ text }], publish_now: true });
const typesAt = (path: string) =>
  received.filter((one) => one.path === path).map((one) => one.event.type);
const deliveries = async (id: string): Promise<Answer['body'][]> =>
  (await user.api('GET', `/webhook_endpoints/${id}/deliveries`)).body.data;

/** Throws unless the official library takes the delivery. */
function verify(secret: string, one: Received | undefined): void {
  const headers = Object.fromEntries(
    ['webhook-id', 'webhook-timestamp', 'webhook-signature'].map((name) => [
      name,
      String(one?.headers[name]),
    ]),
  );
  new Webhook(secret).verify(one?.body ?? '', headers);
}

test('the life of a post is told, signed as Standard Webhooks has it', async () => {
  const { secret } = await endpoint('/all');
  const { body: post } = await publish('hello');
  await expect.poll(() => typesAt('/all').sort()).toEqual(['post.posted', 'post.scheduled']);
  for (const one of received) verify(secret, one);
  const posted = received.find((one) => one.event.type === 'post.posted');
  expect(posted?.event.data).toMatchObject({
    post_id: post.id,
    account_id,
    status: 'posted',
    charged_credits: 1,
    urls: [expect.stringContaining('https://')],
  });
  expect(posted?.headers['webhook-id']).toMatch(/^evt_[0-9a-z]{26}_3$/);
  expect(() => verify('whsec_AAAA', posted)).toThrow();
});

test('an endpoint hears what it asked for, and another user nothing', async () => {
  await endpoint('/failed', { events: ['post.failed'] });
  const stranger = await perch.user(1);
  await stranger.api('POST', '/webhook_endpoints', { url: `${base}/stranger` });
  await publish('fine');
  await publish('[[sandbox:reject]]');
  await expect.poll(() => typesAt('/failed')).toEqual(['post.failed']);
  expect(received).toHaveLength(1);
  expect(received[0]?.event.data).toMatchObject({ code: 'platform_rejected' });
});

test('after a rotation both secrets verify; the first is not told again', async () => {
  const { id, secret: old } = await endpoint('/rotated');
  const { secret } = (await user.api('POST', `/webhook_endpoints/${id}/rotate_secret`)).body;
  expect(secret).not.toBe(old);
  await user.api('POST', `/webhook_endpoints/${id}/test`);
  await expect.poll(() => typesAt('/rotated')).toEqual(['webhook.test']);
  verify(old, received[0]);
  verify(secret, received[0]);
  expect((await user.api('GET', `/webhook_endpoints/${id}`)).body).not.toHaveProperty('secret');
});

test('a repeated creation returns the same endpoint and secret', async () => {
  const key = { 'idempotency-key': 'webhook-1' };
  const body = { url: `${base}/once` };
  const first = await user.api('POST', '/webhook_endpoints', body, key);
  const second = await user.api('POST', '/webhook_endpoints', body, key);
  expect(second.body).toEqual(first.body);
  expect((await user.api('GET', '/webhook_endpoints')).body.data).toHaveLength(1);
});

test('what was refused is tried again; every attempt is in the log', {
  timeout: 30_000,
}, async () => {
  answers['/flaky'] = 500;
  const { id } = await endpoint('/flaky');
  const { body: sent } = await user.api('POST', `/webhook_endpoints/${id}/test`);
  await expect.poll(async () => (await deliveries(id))[0]?.attempts.length).toBe(1);
  answers['/flaky'] = 200;
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('delivered');
  const [delivery] = await deliveries(id);
  expect(delivery).toMatchObject({
    id: sent.id,
    type: 'webhook.test',
    attempts: [
      { status_code: 500, error: 'it answered 500' },
      { status_code: 200, error: null },
    ],
  });
  expect(new Set(received.map((one) => one.headers['webhook-id'])).size).toBe(1);
});

test('a delivery can be replayed, with the same id', async () => {
  const { id } = await endpoint('/replayed');
  const { body: sent } = await user.api('POST', `/webhook_endpoints/${id}/test`);
  await expect.poll(async () => (await deliveries(id))[0]?.status).toBe('delivered');
  expect((await user.api('POST', `/webhook_deliveries/${sent.id}/replay`)).status).toBe(200);
  await expect.poll(() => received.length).toBe(2);
  expect(received[1]?.headers['webhook-id']).toBe(received[0]?.headers['webhook-id']);
  expect(received[1]?.body).toBe(received[0]?.body);
});

test('an endpoint that is gone is disabled, the others are told, and it can be enabled again', async () => {
  answers['/gone'] = 410;
  const { id } = await endpoint('/gone');
  await endpoint('/other', { events: ['webhook_endpoint.disabled'] });
  await user.api('POST', `/webhook_endpoints/${id}/test`);
  await expect.poll(() => typesAt('/other')).toEqual(['webhook_endpoint.disabled']);
  const path = `/webhook_endpoints/${id}`;
  expect((await user.api('GET', path)).body).toMatchObject({
    status: 'disabled',
    disabled_reason: 'it answered 410 Gone',
  });
  expect((await user.api('PATCH', path, { status: 'enabled' })).body).toMatchObject({
    status: 'enabled',
    disabled_reason: null,
  });
});

test('a redirect is not followed', async () => {
  answers['/moved'] = 302;
  const { id } = await endpoint('/moved');
  await user.api('POST', `/webhook_endpoints/${id}/test`);
  await expect
    .poll(async () => (await deliveries(id))[0]?.attempts[0]?.error)
    .toBe('it answered 302');
  expect(typesAt('/elsewhere')).toEqual([]);
});

test('a disconnected account and low credits are told', async () => {
  const poor = await perch.user(10);
  const { account_id: own } = await poor.account();
  await poor.api('POST', '/webhook_endpoints', {
    url: `${base}/low`,
    events: ['credits.low', 'account.disconnected'],
  });
  const post = { account_id: own, tweets: [{ text: 'the tenth' }], publish_now: true };
  await poor.api('POST', '/posts', post);
  await expect.poll(() => typesAt('/low')).toEqual(['credits.low']);
  expect(received[0]?.event.data).toEqual({ balance: 9, below: 10 });
  const tenant = { user_id: poor.id, account_ids: null };
  await perch.clients.accounts.disconnect.mutate({ tenant, account_id: own });
  await expect.poll(() => typesAt('/low')).toEqual(['credits.low', 'account.disconnected']);
});

test('nothing is lost when posts is killed while events are told', {
  timeout: 60_000,
}, async () => {
  await endpoint('/killed', { events: ['post.scheduled'] });
  const days = Array.from({ length: 14 }, (_, n) => 2 + Math.floor(n / 7));
  const posts = await Promise.all(
    days.map((day, n) =>
      user.api('POST', '/posts', {
        account_id,
        tweets: [{ text: `event ${n}` }],
        scheduled_at: new Date(Date.now() + day * 86_400_000).toISOString(),
      }),
    ),
  );
  await perch.kill('posts');
  const told = () => new Set(received.map((one) => one.event.data['post_id']));
  await expect.poll(() => told().size, { timeout: 40_000 }).toBe(14);
  expect(told()).toEqual(new Set(posts.map((answer) => answer.body.id)));
});

test('422 webhook_url_rejected: never a private address', async () => {
  for (const url of ['https://127.0.0.1/x', 'https://10.0.0.1/x', 'http://example.com/x']) {
    const answer = await user.api('POST', '/webhook_endpoints', { url });
    expect([answer.status, answer.body.code]).toEqual([422, 'webhook_url_rejected']);
  }
});

test('409 webhook_endpoint_limit_reached, exact when all ask at once', async () => {
  const made = await Promise.all(
    Array.from({ length: 20 }, (_, n) =>
      user.api('POST', '/webhook_endpoints', { url: `${base}/many/${n}` }),
    ),
  );
  const counts = Map.groupBy(made, (answer) => answer.body.code ?? answer.status);
  expect(counts.get(201)?.length).toBe(10);
  expect(counts.get('webhook_endpoint_limit_reached')?.length).toBe(10);
});

test('404 not_found: another user’s endpoint and delivery', async () => {
  const { id } = await endpoint('/mine');
  const { body: sent } = await user.api('POST', `/webhook_endpoints/${id}/test`);
  const stranger = await perch.user(0);
  const path = `/webhook_endpoints/${id}`;
  const tries = [
    await stranger.api('GET', path),
    await stranger.api('PATCH', path, { status: 'disabled' }),
    await stranger.api('DELETE', path),
    await stranger.api('POST', `${path}/rotate_secret`),
    await stranger.api('POST', `${path}/test`),
    await stranger.api('GET', `${path}/deliveries`),
    await stranger.api('POST', `/webhook_deliveries/${sent.id}/replay`),
  ];
  expect(tries.map((answer) => answer.body.code)).toEqual(tries.map(() => 'not_found'));
});
