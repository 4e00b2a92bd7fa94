import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import type { Billing } from '@perch/proto/billing';
import { type Database, openDatabase } from '@perch/proto/database';
import { newId } from '@perch/proto/ids';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase, testCall, testClients } from '@perch/proto/testing';
import { Stripe } from 'stripe';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { entities } from '../entities.ts';
import { migrations } from '../migrations.ts';
import { createBilling } from './billing.ts';
import type { BillingDeps } from './deps.ts';
import { grantMonth } from './monthly-grant.ts';
import { openStripe } from './open-stripe.ts';

const call = testCall();
const webhookSecret = 'whsec_test';
let db: Database;
let server: Server;
let deps: BillingDeps;
let billing: Billing;
let nowMs = Date.parse('2026-03-15T12:00:00.000Z');
let events = 0;
/** What was granted, by user and key: a ledger as credits keeps it. */
const granted = new Map<string, number>();
/** How subscriptions stand at Stripe, and what it was asked. */
const subscriptions = new Map<string, { customer: string; status: string; cancel_at?: number }>();
const asked: { path: string; body: URLSearchParams; idempotencyKey: string | undefined }[] = [];

beforeAll(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities, migrations, poolSize: 10 });
  server = stripeStandIn();
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const clients = testClients({
    credits: {
      grant: async ({ user_id, credits, idempotency_key }) => {
        granted.set(`${user_id} ${idempotency_key}`, credits);
        return { balance: 0, reserved: 0, available: 0 };
      },
    },
    posts: {
      upcoming: async () => ({ scheduled: 3, with_auto_reply: 1, with_auto_retweet: 2 }),
    },
  });
  deps = {
    db,
    clients,
    clock: () => nowMs,
    log: createLogger('test', 'silent'),
    publicUrl: 'https://perch.example',
    stripe: {
      client: openStripe('sk_test_1', `http://127.0.0.1:${port}`),
      webhookSecret,
      price: 'price_paid',
      topUpPrice: 'price_credits',
    },
    demoPlan: true,
    monthlyCredits: { free: 20, paid: 500 },
    topUpCredits: 300,
  };
  billing = createBilling(deps);
});
afterAll(async () => {
  server?.close();
  await db?.close();
});

/** As much of Stripe as Perch asks of it, with its state; the official mock has none. */
function stripeStandIn(): Server {
  return createServer((request, response) => {
    let text = '';
    request.on('data', (chunk) => {
      text += String(chunk);
    });
    request.on('end', () => {
      const path = new URL(request.url ?? '/', 'http://stripe').pathname;
      const idempotencyKey = request.headers['idempotency-key'];
      asked.push({
        path,
        body: new URLSearchParams(text),
        idempotencyKey: typeof idempotencyKey === 'string' ? idempotencyKey : undefined,
      });
      response.setHeader('content-type', 'application/json');
      response.end(JSON.stringify(answerTo(path)));
    });
  });
}

function answerTo(path: string): unknown {
  if (path === '/v1/customers') return { id: `cus_${asked.length}`, object: 'customer' };
  if (path === '/v1/checkout/sessions')
    return { id: 'cs_1', object: 'checkout.session', url: 'https://checkout.stripe.test/1' };
  if (path === '/v1/billing_portal/sessions')
    return { object: 'billing_portal.session', url: 'https://billing.stripe.test/1' };
  const id = path.split('/').at(-1) ?? '';
  const { cancel_at = null, ...subscription } = subscriptions.get(id) ?? {};
  const items = { data: [{ current_period_end: Math.floor(nowMs / 1_000) + 86_400 }] };
  return { id, object: 'subscription', ...subscription, cancel_at, items };
}

async function user(plan: 'free' | 'paid' = 'free'): Promise<string> {
  const id = newId('user', () => nowMs);
  await db.execute(
    "insert into app_user (id, email, plan, created_at, password_hash) values (?, ?, ?, now(), 'x')",
    [id, `${id}@example.com`, plan],
  );
  return id;
}

/** The user's customer at Stripe, as the way to Checkout made it. */
async function customer(user_id: string): Promise<string> {
  await billing.checkout({ user_id }, call);
  const [row] = await db.execute<{ stripe_customer: string }>(
    'select stripe_customer from subscription where user_id = ?',
    [user_id],
  );
  return row?.stripe_customer ?? 'none';
}

async function tell(type: string, object: object, id = `evt_${++events}`): Promise<void> {
  const payload = JSON.stringify({ id, object: 'event', type, data: { object } });
  const timestamp = Math.floor(nowMs / 1_000);
  const signature = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: webhookSecret,
    timestamp,
  });
  await billing.stripeEvent({ payload, signature }, call);
}

const planOf = async (user_id: string) => (await billing.status({ user_id }, call)).plan;

test('subscribing at Stripe pays the plan, and its credits come once a month', async () => {
  const user_id = await user();
  const cus = await customer(user_id);
  expect(await planOf(user_id)).toBe('free');
  subscriptions.set('sub_a', { customer: cus, status: 'active' });
  await tell('checkout.session.completed', { mode: 'subscription', subscription: 'sub_a' });
  expect(await billing.status({ user_id }, call)).toMatchObject({ plan: 'paid', source: 'stripe' });
  expect(granted.get(`${user_id} monthly:2026-03:paid`)).toBe(500);
  await expect(billing.checkout({ user_id }, call)).rejects.toMatchObject({
    code: 'already_exists',
  });
  nowMs += 31 * 86_400_000;
  const invoice = { parent: { subscription_details: { subscription: 'sub_a' } } };
  await tell('invoice.paid', invoice);
  expect(granted.get(`${user_id} monthly:2026-04:paid`)).toBe(500);
});

test('two clicks on subscribe make one customer', async () => {
  const user_id = await user();
  await Promise.all([billing.checkout({ user_id }, call), billing.checkout({ user_id }, call)]);
  const keys = asked
    .filter((one) => one.path === '/v1/customers' && one.idempotencyKey?.endsWith(user_id))
    .map((one) => one.idempotencyKey);
  expect(new Set(keys)).toEqual(new Set([`customer:${user_id}`]));
  const page = asked.findLast((one) => one.path === '/v1/checkout/sessions');
  expect(page?.body.get('line_items[0][price]')).toBe('price_paid');
  expect(page?.body.get('success_url')).toBe('https://perch.example/app/plan?checkout=done');
});

test('a subscription that ends ends the plan, whatever the order of the events', async () => {
  const user_id = await user();
  const cus = await customer(user_id);
  subscriptions.set('sub_b', { customer: cus, status: 'active' });
  await tell('customer.subscription.updated', { id: 'sub_b' });
  const endsAt = Math.floor(nowMs / 1_000) + 1_000;
  subscriptions.set('sub_b', { customer: cus, status: 'active', cancel_at: endsAt });
  await tell('customer.subscription.updated', { id: 'sub_b' });
  expect(await billing.status({ user_id }, call)).toMatchObject({
    plan: 'paid',
    renews_at: null,
    ends_at: new Date(endsAt * 1_000).toISOString(),
  });
  subscriptions.set('sub_b', { customer: cus, status: 'canceled' });
  await tell('customer.subscription.deleted', { id: 'sub_b' });
  expect(await planOf(user_id)).toBe('free');
  // Late, and told by an event that says something else.
  await tell('customer.subscription.updated', { id: 'sub_b', status: 'active' });
  expect(await planOf(user_id)).toBe('free');
});

test('the end of an old subscription does not end the one after it', async () => {
  const user_id = await user();
  const cus = await customer(user_id);
  subscriptions.set('sub_new', { customer: cus, status: 'active' });
  subscriptions.set('sub_old', { customer: cus, status: 'canceled' });
  await tell('customer.subscription.updated', { id: 'sub_new' });
  await tell('customer.subscription.deleted', { id: 'sub_old' });
  expect(await planOf(user_id)).toBe('paid');
});

test('a top-up counts once, when it is paid, for who paid', async () => {
  const user_id = await user();
  await billing.topUp({ user_id, idempotency_key: 'click-1' }, call);
  const page = asked.findLast((one) => one.path === '/v1/checkout/sessions');
  expect(page?.idempotencyKey).toBe(`${user_id}:click-1`);
  const [row] = await db.execute<{ stripe_customer: string }>(
    'select stripe_customer from subscription where user_id = ?',
    [user_id],
  );
  const session = {
    id: 'cs_topup',
    mode: 'payment',
    customer: row?.stripe_customer,
    metadata: { user_id: 'usr_of_someone_else', top_up_credits: '300' },
  };
  await tell('checkout.session.completed', { ...session, payment_status: 'unpaid' });
  expect(granted.has(`${user_id} stripe:cs_topup`)).toBe(false);
  await tell('checkout.session.async_payment_succeeded', { ...session, payment_status: 'paid' });
  await tell('checkout.session.completed', { ...session, payment_status: 'paid' });
  expect(granted.get(`${user_id} stripe:cs_topup`)).toBe(300);
});

test('an event is taken once, and only with the signature of Stripe, of just now', async () => {
  const user_id = await user();
  subscriptions.set('sub_c', { customer: await customer(user_id), status: 'active' });
  await tell('customer.subscription.updated', { id: 'sub_c' }, 'evt_once');
  subscriptions.set('sub_c', { customer: 'cus_nobody', status: 'canceled' });
  const before = asked.length;
  await tell('customer.subscription.updated', { id: 'sub_c' }, 'evt_once');
  expect(asked.length).toBe(before);

  const payload = JSON.stringify({ id: 'evt_x', type: 'customer.subscription.updated', data: {} });
  const forged = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: 'whsec_other',
    timestamp: Math.floor(nowMs / 1_000),
  });
  const old = await Stripe.webhooks.generateTestHeaderStringAsync({
    payload,
    secret: webhookSecret,
    timestamp: Math.floor(nowMs / 1_000) - 301,
  });
  for (const signature of [forged, old, 't=1,v1=00', 'nonsense'])
    await expect(billing.stripeEvent({ payload, signature }, call)).rejects.toMatchObject({
      code: 'invalid_request',
    });
});

test('leaving the demo plan says what becomes of keys and scheduled posts', async () => {
  const user_id = await user();
  expect(await billing.activateDemoPlan({ user_id }, call)).toMatchObject({
    plan: 'paid',
    source: 'demo',
  });
  expect(await billing.endDemoPlan({ user_id }, call)).toEqual({
    plan: 'free',
    refused_keys: 0,
    scheduled_posts: 3,
    without_auto_reply: 1,
    without_auto_retweet: 2,
  });
  const paid = await user('paid');
  await expect(billing.endDemoPlan({ user_id: paid }, call)).rejects.toMatchObject({
    code: 'not_available',
  });
  expect(await planOf(paid)).toBe('paid');
});

test('changing plans to and fro grants each plan’s credits of the month once', async () => {
  const user_id = await user();
  await grantMonth(deps, user_id);
  for (let n = 0; n < 3; n++) {
    await billing.activateDemoPlan({ user_id }, call);
    await billing.endDemoPlan({ user_id }, call);
    await grantMonth(deps, user_id);
  }
  const own = [...granted].filter(([key]) => key.startsWith(user_id));
  expect(own.map(([, credits]) => credits).sort()).toEqual([20, 500]);
});

test('without Stripe and without the demo nothing of it can be had', async () => {
  const user_id = await user();
  const bare = createBilling({ ...deps, stripe: null, demoPlan: false });
  const tries = [
    bare.checkout({ user_id }, call),
    bare.portal({ user_id }, call),
    bare.topUp({ user_id, idempotency_key: 'key-12345' }, call),
    bare.activateDemoPlan({ user_id }, call),
    bare.endDemoPlan({ user_id }, call),
    bare.demoTopUp({ user_id, idempotency_key: 'key-12345' }, call),
    bare.stripeEvent({ payload: '{}', signature: 'x' }, call),
  ];
  for (const one of tries) await expect(one).rejects.toMatchObject({ code: 'not_available' });
});
