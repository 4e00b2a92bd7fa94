import { readFile } from 'node:fs/promises';
import type { Principal } from '@perch/proto/accounts';
import { Fault, faults, unseenByCallers } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import { type Nats, openNats } from '@perch/proto/nats';
import { createLogger } from '@perch/proto/process';
import { testClients } from '@perch/proto/testing';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createApp } from './app.ts';
import { openApiDocument } from './rest/openapi.ts';
import { operations } from './rest/operations.ts';

let app: FastifyInstance;
let nats: Nats;
let asked = 0;
let nowMs = 0;
let answer: () => never | Principal;
let failure: () => never;
const logged: string[] = [];
const draining = new AbortController();

const principal: Principal = {
  key_id: newId('key', Date.now),
  tenant: { user_id: newId('user', Date.now), account_ids: null },
  scopes: ['posts:read', 'posts:write'],
};

beforeAll(async () => {
  nats = await openNats({
    url: inject('natsUrl'),
    name: 'test',
    log: createLogger('test', 'silent'),
  });
  const clients = testClients({
    accounts: {
      authenticate: async () => {
        asked += 1;
        return answer();
      },
      leaseRequests: async ({ want }) => ({ granted: want, used: want }),
    },
    posts: { get: async () => failure() },
  });
  const log = createLogger('test', 'silent');
  log.error = (bug: unknown) => void logged.push(String(bug));
  app = await createApp({
    draining: draining.signal,
    clients,
    nats,
    log,
    clock: () => nowMs,
    authCacheMs: 2_000,
    keyRatePerMinute: 1_000,
    ipRatePerMinute: 60,
    trustedProxies: 1,
    dashboard: { publicUrl: 'http://localhost:3000', ai: null },
  });
});
afterAll(async () => {
  await app?.close();
  await nats?.close();
});
beforeEach(() => {
  [asked, nowMs] = [0, nowMs + 10_000];
  answer = () => principal;
  failure = () => {
    throw new Fault('not_found');
  };
});

const get = (url: string, authorization = 'Bearer perch_live_x') =>
  app.inject({ url, headers: { authorization } });
const post = `/api/v1/posts/${newId('post', Date.now)}`;

test('a valid key is asked for once in a while, a bad one each time', async () => {
  await Promise.all([get(post), get(post), get(post)]);
  expect(asked).toBe(1);
  nowMs += 2_001;
  await get(post);
  expect(asked).toBe(2);
  answer = () => {
    throw new Fault('invalid_api_key');
  };
  for (let n = 0; n < 3; n++) expect((await get(post, 'Bearer other')).statusCode).toBe(401);
  expect(asked).toBe(5);
});

test('a header that is no bearer key asks nobody', async () => {
  for (const header of ['', 'Basic abc', 'Bearer', 'perch_live_x'])
    expect((await get(post, header)).statusCode).toBe(401);
  expect(asked).toBe(0);
});

const failures = [
  ['service_unavailable', 503, '1'],
  ['overloaded', 503, '1'],
  ['outcome_unknown', 504, undefined],
] as const;
test.for(failures)(
  '%s is told as such, and whether to come back',
  async ([code, status, retryAfter]) => {
    failure = () => {
      throw new Fault(code);
    };
    const response = await get(post);
    expect([response.statusCode, response.json().code, response.headers['retry-after']]).toEqual([
      status,
      code,
      retryAfter,
    ]);
    expect(response.json().retryable).toBe(status === 503);
  },
);

test('500 internal_error tells nothing but the id of the request', async () => {
  failure = () => {
    throw new Error('password of the database');
  };
  const response = await get(post);
  expect(response.statusCode).toBe(500);
  expect(response.json()).toMatchObject({
    code: 'internal_error',
    request_id: response.headers['x-request-id'],
  });
  expect(response.body).not.toMatch(/password|at |\.ts/);
  expect(logged).toHaveLength(1);
});

test('a scope that the key lacks is named', async () => {
  const response = await get('/api/v1/credits');
  expect([response.statusCode, response.json().required_scope]).toEqual([403, 'credits:read']);
});

test('readiness says which part is away', async () => {
  const response = await get('/readyz');
  expect(response.statusCode).toBe(503);
  expect(response.json().services.gateway.ok).toBe(true);
  expect(response.json().services.credits.ok).toBe(false);
});

test('every operation is routed, documented, and closed to those without a key', async () => {
  const document = openApiDocument();
  for (const { method, path, id } of operations) {
    expect(document.paths?.[path]).toHaveProperty(`${method.toLowerCase()}.operationId`, id);
    const response = await app.inject({ method, url: `/api/v1${path.replace('{id}', 'x')}` });
    expect([id, response.statusCode]).toEqual([id, 401]);
  }
});

test('the document tells every code, and shows each where it can come', () => {
  const document = openApiDocument();
  for (const [code, { status }] of Object.entries(faults)) {
    if (unseenByCallers.has(code)) continue;
    expect(document.info.description).toContain(`| ${status} | \`${code}\` |`);
  }
  for (const { path, method, errors } of operations) {
    const operation = Object.entries(document.paths?.[path] ?? {}).find(
      ([name]) => name === method.toLowerCase(),
    )?.[1];
    const text = JSON.stringify(operation);
    for (const code of errors) expect(text).toContain(`"code":"${code}"`);
    expect(text).toContain('perch.');
  }
});

test('the checked-in OpenAPI document is the one that is served', async () => {
  const kept = JSON.parse(await readFile(new URL('../openapi.json', import.meta.url), 'utf8'));
  expect(
    (await get('/api/v1/openapi.json')).json(),
    'run: npm run openapi -w @perch/gateway',
  ).toEqual(kept);
});

test('told to stop, it still answers, but sends balancers and kept connections elsewhere', async () => {
  expect((await get(post)).headers['connection']).not.toBe('close');
  draining.abort();
  const response = await get(post);
  expect([response.statusCode, response.headers['connection']]).toEqual([404, 'close']);
  expect((await get('/readyz')).statusCode).toBe(503);
});
