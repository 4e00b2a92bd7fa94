import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineSearch, readConfig } from '@perch/local/config';
import { stripeMockEngine } from '@perch/local/engine-list';
import { findEngine } from '@perch/local/engines';
import { type Part, startPart } from '@perch/local/part';
import { freePorts } from '@perch/local/ports';
import { type Database, openDatabase } from '@perch/proto/database';
import { newId } from '@perch/proto/ids';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase, testCall, testClients } from '@perch/proto/testing';
import { afterAll, beforeAll, expect, inject, test } from 'vitest';
import { createBilling } from '../services/accounts/src/billing/billing.ts';
import { openStripe } from '../services/accounts/src/billing/open-stripe.ts';
import { entities } from '../services/accounts/src/entities.ts';
import { migrations } from '../services/accounts/src/migrations.ts';

// Stripe's own mock refuses what Stripe's OpenAPI document does not have. It keeps no state; what follows from
// events is tested beside the code.
let dir: string;
let part: Part;
let url: string;
let db: Database;

beforeAll(async () => {
  const search = engineSearch(readConfig(process.env), (line) => console.log(line));
  const programs = await findEngine(stripeMockEngine, search);
  dir = await mkdtemp(join(tmpdir(), 'perch-stripe-'));
  const { port } = await freePorts({ port: 0 });
  url = `http://127.0.0.1:${port}`;
  part = await startPart({
    name: 'stripe-mock',
    command: programs['server'] ?? '',
    args: ['-http-addr', `127.0.0.1:${port}`],
    env: { PATH: process.env['PATH'] ?? '' },
    logFile: join(dir, 'log'),
    ready: answers,
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
  });
  const databaseUrl = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url: databaseUrl, entities, migrations, poolSize: 5 });
}, 900_000);
afterAll(async () => {
  await part?.stop();
  await db?.close();
  await rm(dir, { recursive: true, force: true });
});

async function answers(): Promise<void> {
  for (;;) {
    const up = await fetch(url).catch(() => null);
    if (up) return;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
}

test('what Perch asks of Stripe is what Stripe takes', async () => {
  const client = openStripe('sk_test_123', url);
  const billing = createBilling({
    db,
    clients: testClients({}),
    clock: Date.now,
    log: createLogger('test', 'silent'),
    publicUrl: 'https://perch.example',
    stripe: { client, webhookSecret: 'whsec', price: 'price_1', topUpPrice: 'price_2' },
    demoPlan: false,
    monthlyCredits: { free: 0, paid: 0 },
    topUpCredits: 100,
  });
  const user_id = newId('user', Date.now);
  await db.execute(
    "insert into app_user (id, email, plan, created_at) values (?, 'a@example.com', 'free', now())",
    [user_id],
  );
  const call = testCall();
  expect(await billing.checkout({ user_id }, call)).toEqual({ url: expect.any(String) });
  const top_up = { user_id, idempotency_key: 'click-1' };
  expect(await billing.topUp(top_up, call)).toEqual({ url: expect.any(String) });
  expect(await billing.portal({ user_id }, call)).toEqual({ url: expect.any(String) });
  const subscription = await client.subscriptions.retrieve('sub_1');
  expect(subscription).toMatchObject({
    status: expect.any(String),
    customer: expect.any(String),
    items: { data: [{ current_period_end: expect.any(Number) }] },
  });
});
