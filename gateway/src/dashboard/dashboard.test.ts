import { once } from 'node:events';
import { createServer, type Server } from 'node:http';
import { Fault } from '@perch/proto/faults';
import type { NewSession } from '@perch/proto/identity';
import { newId } from '@perch/proto/ids';
import { type Nats, openNats } from '@perch/proto/nats';
import { createLogger } from '@perch/proto/process';
import { testClients } from '@perch/proto/testing';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { createApp } from '../app.ts';
import { operations } from '../rest/operations.ts';

const at = '2026-03-01T12:00:00.000Z';
const signedIn: NewSession = {
  token: 't'.repeat(43),
  user: { id: newId('user', Date.now), email: 'a@example.com', plan: 'free', created_at: at },
  session: {
    id: newId('session', Date.now),
    ip: '127.0.0.1',
    user_agent: '',
    created_at: at,
    last_seen_at: at,
    expires_at: at,
  },
};
let nats: Nats;
let ai: Server;
let aiUrl: string;
let aiAsked: { authorization: string | undefined; body: string }[] = [];
let aiAnswer = { status: 200, text: '' };
let signIn: () => NewSession = () => signedIn;
let events: string[] = [];
const logged: unknown[] = [];
const apps: FastifyInstance[] = [];

beforeAll(async () => {
  const log = createLogger('test', 'silent');
  nats = await openNats({ url: inject('natsUrl'), name: 'test', log });
  ai = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk) => {
      body += String(chunk);
    });
    request.on('end', () => {
      aiAsked.push({ authorization: request.headers.authorization, body });
      response.writeHead(aiAnswer.status).end(aiAnswer.text);
    });
  });
  ai.listen(0, '127.0.0.1');
  await once(ai, 'listening');
  const address = ai.address();
  aiUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/v1`;
});
afterAll(async () => {
  for (const app of apps) await app.close();
  ai?.close();
  await nats?.close();
});
beforeEach(() => {
  signIn = () => signedIn;
  [aiAsked, events, logged.length] = [[], [], 0];
});

async function gateway(publicUrl: string, withAi = false): Promise<FastifyInstance> {
  const clients = testClients({
    identity: {
      mailMode: async () => 'smtp',
      signIn: async () => signIn(),
      session: async ({ token }) => {
        if (token !== signedIn.token) throw new Fault('not_signed_in');
        return signedIn;
      },
    },
    posts: {
      events: async ({ post_id, cursor }) => {
        const seen = cursor ? events.indexOf(cursor) + 1 : 0;
        const data = events.slice(seen).map((id, index) => ({
          ...{ id, post_id, seq: seen + index + 1, type: 'post.scheduled' as const, at },
          ...{ data: {}, hash: '' },
        }));
        return { data, has_more: false, next_cursor: null };
      },
    },
  });
  const log = createLogger('test', 'silent');
  log.error = (bug: unknown) => void logged.push(bug);
  const app = await createApp({
    ...{ clients, nats, log, clock: Date.now, authCacheMs: 0 },
    draining: new AbortController().signal,
    ...{ keyRatePerMinute: 1_000, ipRatePerMinute: 200, trustedProxies: 0 },
    dashboard: {
      publicUrl,
      ai: withAi ? { url: aiUrl, key: 'sk-secret', model: 'small' } : null,
    },
  });
  apps.push(app);
  return app;
}

const asPage = { 'content-type': 'application/json', 'sec-fetch-site': 'same-origin' };
const credentials = JSON.stringify({ email: 'a@example.com', password: 'secret password' });

function post(app: FastifyInstance, path: string, body: string, headers: object = {}) {
  const url = `/app/api/${path}`;
  return app.inject({ method: 'POST', url, headers: { ...asPage, ...headers }, body });
}

test('over https the cookie is bound to the host, for http alone, and not for other sites', async () => {
  const response = await post(await gateway('https://perch.example'), 'auth.signIn', credentials);
  const attributes = String(response.headers['set-cookie']).split('; ');
  expect(attributes[0]).toBe(`__Host-perch_session=${signedIn.token}`);
  expect(attributes).toEqual(
    expect.arrayContaining(['HttpOnly', 'Secure', 'SameSite=Lax', 'Path=/']),
  );
  expect(attributes.join()).not.toContain('Domain');
  expect(response.body).not.toContain(signedIn.token);
  expect(response.headers['strict-transport-security']).toContain('max-age=31536000');
});

test('on http the cookie has a plain name, which https does not take', async () => {
  const http = await gateway('http://localhost:3000');
  const response = await post(http, 'auth.signIn', credentials);
  const [cookie = ''] = String(response.headers['set-cookie']).split('; ');
  expect(cookie).toBe(`perch_session=${signedIn.token}`);
  const session = (app: FastifyInstance) =>
    app.inject({ url: '/app/api/auth.session', headers: { cookie } });
  expect((await session(http)).statusCode).toBe(200);
  expect((await session(await gateway('https://perch.example'))).statusCode).toBe(401);
});

test('every answer below /app says that no script or frame but our own may run', async () => {
  const app = await gateway('http://localhost:3000');
  for (const url of ['/app', '/app/', '/app/plan', '/app/api/config.get', '/app/api/none']) {
    const { headers } = await app.inject({ url });
    const policy = String(headers['content-security-policy']);
    expect([url, policy]).toEqual([url, expect.stringContaining("default-src 'none'")]);
    expect(policy).toContain("script-src 'self';");
    expect(policy).toContain("frame-ancestors 'none'");
    expect(policy).not.toMatch(/unsafe|\*|https?:/);
    expect(headers['x-content-type-options']).toBe('nosniff');
    expect(headers['referrer-policy']).toBe('no-referrer');
  }
  const answer = await app.inject({ url: '/app/api/config.get' });
  expect(answer.headers['cache-control']).toBe('no-store');
});

test('a bug in a procedure is masked and logged, and too much of it is rate limited', async () => {
  const app = await gateway('http://localhost:3000');
  signIn = () => {
    throw new Error('password of the database');
  };
  const response = await post(app, 'auth.signIn', credentials);
  expect(response.statusCode).toBe(500);
  expect(response.body).not.toMatch(/database|\.ts|at /);
  expect(response.json().error.data.fault.code).toBe('internal_error');
  let last = response;
  for (let n = 0; n < 200; n++) last = await post(app, 'auth.signIn', credentials);
  expect([last.statusCode, last.json().error.data.fault.code]).toEqual([429, 'rate_limited']);
  expect(Number(last.headers['retry-after'])).toBeGreaterThan(0);
});

test('input is named by its fields, as in the API', async () => {
  const app = await gateway('http://localhost:3000');
  const response = await post(
    app,
    'auth.signUp',
    JSON.stringify({ email: 'x', password: 'short' }),
  );
  const { fault } = response.json().error.data;
  expect(fault.code).toBe('validation_failed');
  expect(fault.details.errors.map((one: { pointer: string }) => one.pointer)).toEqual([
    '/email',
    '/password',
  ]);
});

test('drafts are written by AI where it is set up, in the dashboard alone', async () => {
  const app = await gateway('http://localhost:3000', true);
  const cookie = `perch_session=${signedIn.token}`;
  const wish = JSON.stringify({ prompt: 'about birds', tweets: 2 });
  const ask = (headers = {}) => post(app, 'ai.generate', wish, headers);
  expect((await ask()).statusCode).toBe(401);
  aiAnswer = {
    status: 200,
    text: JSON.stringify({ choices: [{ message: { content: 'One\n---\nTwo\n---\nThree' } }] }),
  };
  expect((await ask({ cookie })).json().result.data).toEqual({
    tweets: [{ text: 'One' }, { text: 'Two' }],
  });
  expect(aiAsked).toHaveLength(1);
  expect(aiAsked[0]?.authorization).toBe('Bearer sk-secret');
  expect(aiAsked[0]?.body).toContain('about birds');
  for (const answer of [
    { status: 500, text: 'sk-secret' },
    { status: 200, text: 'no json' },
    { status: 200, text: '{"choices":[]}' },
  ]) {
    aiAnswer = answer;
    const failed = await ask({ cookie });
    expect([failed.statusCode, failed.json().error.data.fault.code]).toEqual([
      503,
      'service_unavailable',
    ]);
    expect(failed.body).not.toContain('sk-secret');
  }
  const off = await post(await gateway('http://localhost:3000'), 'ai.generate', wish, { cookie });
  expect(off.json().error.data.fault.code).toBe('not_available');
  expect(operations.map((operation) => operation.path).join()).not.toMatch(/ai|preset/);
});

test('a timeline is told as it grows, goes on after what the browser has, and ends when Perch stops', async () => {
  const app = await gateway('http://localhost:3000');
  await app.listen({ port: 0, host: '127.0.0.1' });
  const post_id = newId('post', Date.now);
  events = ['evt_1', 'evt_2'];
  const input = encodeURIComponent(JSON.stringify({ post_id, lastEventId: 'evt_1' }));
  const response = await fetch(`${app.listeningOrigin}/app/api/posts.events?input=${input}`, {
    headers: { cookie: `perch_session=${signedIn.token}` },
  });
  expect(response.headers.get('content-type')).toMatch('text/event-stream');
  let told = '';
  const reading = (async () => {
    for await (const chunk of response.body ?? []) told += Buffer.from(chunk).toString();
  })();
  await expect.poll(() => told).toContain('id: evt_2');
  expect(told).not.toContain('id: evt_1');
  events.push('evt_3');
  await expect.poll(() => told).toContain('id: evt_3');
  await app.close();
  await reading;
});
