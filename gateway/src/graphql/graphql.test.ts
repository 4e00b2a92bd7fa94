import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { Clients } from '@perch/proto/clients';
import { Fault, type FaultCode } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import type { Actor, OperatorRole } from '@perch/proto/operators';
import { createLogger } from '@perch/proto/process';
import { testClients } from '@perch/proto/testing';
import type { FastifyInstance } from 'fastify';
import { exportJWK, generateKeyPair, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createOperatorsServer } from './server.ts';
import { resolverTypes } from './types.ts';

const nowMs = Date.parse('2026-11-21T12:00:00.000Z');
const actor: Actor = { id: newId('operator', () => nowMs), name: 'Ada', role: 'admin' };
const user = {
  id: newId('user', () => nowMs),
  email: 'a@perch.example',
  plan: 'paid' as const,
  created_at: '2026-01-01T00:00:00.000Z',
};
let role: OperatorRole;
let usersFail: (() => never) | null;
let planFails: FaultCode | null;
const acts: unknown[] = [];
const logged: string[] = [];

const clients: Clients = testClients({
  operators: {
    authenticate: async ({ secret }) => {
      if (secret !== 'perch_oper_good') throw new Fault('invalid_operator_token');
      return { ...actor, role };
    },
    beginAct: async (act) => {
      acts.push(['begin', act.action, act.subject, act.reason, act.input]);
      return { act_id: newId('act', () => nowMs) };
    },
    endAct: async ({ code }) => void acts.push(['end', code]),
  },
  accounts: {
    setPlan: async ({ plan }) => {
      if (planFails) throw new Fault(planFails);
      acts.push('done');
      return { ...user, plan };
    },
  },
  accountsOversight: {
    users: async () => {
      usersFail?.();
      return { data: [user], has_more: false, next_cursor: null };
    },
  },
});

let app: FastifyInstance;
let withOidc: FastifyInstance;
let jwks: ReturnType<typeof createServer>;
let keys: Awaited<ReturnType<typeof generateKeyPair>>;

beforeAll(async () => {
  const log = createLogger('test', 'silent');
  log.error = (bug: unknown) => void logged.push(JSON.stringify(bug));
  const deps = { clients, log, clock: () => nowMs, introspection: false, graphiql: false };
  app = await createOperatorsServer({ ...deps, oidc: null });
  keys = await generateKeyPair('ES256');
  const jwk = { ...(await exportJWK(keys.publicKey)), kid: 'k1', alg: 'ES256' };
  jwks = createServer((_, response) =>
    response.setHeader('content-type', 'application/json').end(JSON.stringify({ keys: [jwk] })),
  );
  await once(jwks.listen(0, '127.0.0.1'), 'listening');
  const address = jwks.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const oidc = {
    issuer: 'https://id.example',
    audience: 'perch',
    jwksUrl: `http://127.0.0.1:${port}/`,
    roleClaim: 'groups',
  };
  withOidc = await createOperatorsServer({ ...deps, oidc, introspection: true, graphiql: true });
});
afterAll(async () => {
  await app?.close();
  await withOidc?.close();
  jwks?.close();
});
beforeEach(() => {
  [role, usersFail, planFails] = ['admin', null, null];
  acts.length = 0;
});

async function ask(
  query: string,
  options: { variables?: object; token?: string; of?: FastifyInstance; accept?: string } = {},
) {
  const { variables = {}, token = 'perch_oper_good', of = app, accept } = options;
  const response = await of.inject({
    method: 'POST',
    url: '/graphql',
    headers: {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      ...(accept && { accept }),
    },
    body: JSON.stringify({ query, variables }),
  });
  return { status: response.statusCode, ...response.json(), headers: response.headers };
}
const codesOf = (answer: { errors?: { extensions: { code: string } }[] }) =>
  (answer.errors ?? []).map(({ extensions }) => extensions.code);
const setPlan = (reason: string) =>
  `mutation { setPlan(input: { userId: "${user.id}", plan: free, reason: "${reason}" }) { plan } }`;

test('the checked-in types of resolvers are those of the SDL', async () => {
  const kept = await readFile(new URL('generated/resolvers.ts', import.meta.url), 'utf8');
  expect(kept, 'run: npm run graphql -w @perch/gateway').toBe(await resolverTypes());
});

test('members are found by their names in proto', async () => {
  const answer = await ask(
    '{ users { edges { cursor node { id createdAt } } pageInfo { hasNextPage endCursor } } me { name role } }',
  );
  expect(answer).toMatchObject({
    status: 200,
    data: {
      users: {
        edges: [{ cursor: user.id, node: { id: user.id, createdAt: user.created_at } }],
        pageInfo: { hasNextPage: false, endCursor: user.id },
      },
      me: { name: 'Ada', role: 'admin' },
    },
  });
});

test('a mutation is written down before it is made and how it ended after, refusals too', async () => {
  expect((await ask(setPlan('asked for'))).data).toEqual({ setPlan: { plan: 'free' } });
  const begun = ['begin', 'setPlan', user.id, 'asked for', { userId: user.id, plan: 'free' }];
  expect(acts).toEqual([begun, 'done', ['end', null]]);
  acts.length = 0;
  role = 'support';
  expect(codesOf(await ask(setPlan('asked for')))).toEqual(['insufficient_role']);
  expect(acts).toEqual([begun, ['end', 'insufficient_role']]);
});

test('a mutation of which nobody knows whether it was made is not written down as failed', async () => {
  planFails = 'outcome_unknown';
  expect(codesOf(await ask(setPlan('asked for')))).toEqual(['outcome_unknown']);
  expect(acts).toHaveLength(1);
});

test('a mutation without a reason is not made', async () => {
  expect(codesOf(await ask(setPlan(' ')))).toEqual(['validation_failed']);
  expect(acts).toEqual([]);
});

test('what can not be written down before is not done', async () => {
  const failing = testClients({
    operators: {
      authenticate: async () => actor,
      beginAct: async () => {
        throw new Fault('service_unavailable');
      },
    },
  });
  const log = createLogger('test', 'silent');
  const deps = { log, clock: () => nowMs, introspection: false, graphiql: false, oidc: null };
  const lame = await createOperatorsServer({
    ...deps,
    clients: { ...clients, operators: failing.operators },
  });
  expect(codesOf(await ask(setPlan('x'), { of: lame }))).toEqual(['service_unavailable']);
  expect(acts).toEqual([]);
  await lame.close();
});

test('a bug tells nothing but the id of the request', async () => {
  usersFail = () => {
    throw new Error('password of the database');
  };
  const answer = await ask('{ users { edges { cursor } } }');
  expect(codesOf(answer)).toEqual(['internal_error']);
  expect(answer.errors[0].extensions.request_id).toBe(answer.headers['x-request-id']);
  expect(JSON.stringify(answer)).not.toMatch(/password|\.ts/);
});

test('what is wrong with a query is told as it is', async () => {
  expect(codesOf(await ask('{ users {'))).toEqual(['invalid_request']);
  const unknown = await ask('{ usrs { edges { cursor } } }');
  expect(codesOf(unknown)).toEqual(['invalid_request']);
  expect(JSON.stringify(unknown)).not.toContain('Did you mean');
  expect(codesOf(await ask('{ users(first: 101) { edges { cursor } } }'))).toEqual([
    'validation_failed',
  ]);
});

const deep = (levels: number) =>
  `{ users { edges { node { ${'accounts { user { '.repeat(levels)} id ${'} }'.repeat(levels)} } } } }`;
test.for([
  ['depth', deep(6)],
  ['aliases', `{ ${Array.from({ length: 31 }, (_, n) => `a${n}: me { id }`).join(' ')} }`],
  [
    'cost',
    '{ users(first: 100) { edges { node { posts(first: 100) { edges { node { timeline(first: 100) { edges { cursor } } } } } } } } }',
  ],
  [
    'cost by fragments',
    `{ users { ...f0 } } ${Array.from({ length: 30 }, (_, n) => `fragment f${n} on UserConnection { ${n < 29 ? `...f${n + 1} ...f${n + 1}` : 'pageInfo { endCursor }'} }`).join(' ')}`,
  ],
  ['words', `{ ${'me { id } '.repeat(600)} }`],
])('a query of too much %s is refused before anything is asked', async ([, query]) => {
  usersFail = () => {
    throw new Error('it was asked');
  };
  expect(codesOf(await ask(query ?? ''))).toEqual(['invalid_request']);
});

test('one request is one operation', async () => {
  const response = await app.inject({
    method: 'POST',
    url: '/graphql',
    headers: { authorization: 'Bearer perch_oper_good', 'content-type': 'application/json' },
    body: JSON.stringify([{ query: '{ me { id } }' }, { query: '{ me { id } }' }]),
  });
  expect(response.json()).toMatchObject({
    errors: [{ extensions: { code: 'invalid_request' } }],
  });
});

test('the schema can be asked for only where that is set, and GraphiQL brings all its scripts', async () => {
  const query = '{ __schema { queryType { name } } }';
  expect(codesOf(await ask(query))).toContain('invalid_request');
  expect((await ask(query, { of: withOidc })).data).toEqual({
    __schema: { queryType: { name: 'Query' } },
  });
  expect((await app.inject({ url: '/graphql' })).statusCode).toBe(404);
  const page = await withOidc.inject({ url: '/graphql' });
  expect(page.headers['content-security-policy']).toContain("default-src 'none'");
  expect(page.body).not.toMatch(/<(script|link)[^>]+(src|href)="?https?:/);
});

test('without a good token nothing is said, not even what is wrong with the query', async () => {
  for (const token of ['', 'x', 'perch_live_x', 'perch_oper_bad'])
    expect(await ask('{ nonsense', { token })).toMatchObject({
      status: 401,
      errors: [{ extensions: { code: 'invalid_operator_token' } }],
    });
});

test('a JWT of the identity provider stands for whom and for what it says', async () => {
  const jwt = (claims: object, change: (jwt: SignJWT) => SignJWT = (same) => same) =>
    change(
      new SignJWT({ groups: ['staff', 'support'], email: 'ada@id.example', ...claims })
        .setProtectedHeader({ alg: 'ES256', kid: 'k1' })
        .setIssuer('https://id.example')
        .setAudience('perch')
        .setSubject('42')
        .setIssuedAt(nowMs / 1_000)
        .setExpirationTime(nowMs / 1_000 + 60),
    ).sign(keys.privateKey);
  const me = async (token: string) => ask('{ me { id name role } }', { token, of: withOidc });
  expect((await me(await jwt({}))).data).toEqual({
    me: { id: 'oidc:42', name: 'ada@id.example', role: 'support' },
  });
  expect(codesOf(await me(await jwt({ groups: ['staff'] })))).toEqual(['insufficient_role']);
  const bad = [
    await jwt({}, (one) => one.setIssuer('https://other.example')),
    await jwt({}, (one) => one.setAudience('other')),
    await jwt({}, (one) => one.setExpirationTime(nowMs / 1_000 - 60)),
    `${(await jwt({})).slice(0, -6)}AAAAAA`,
    // Whoever knows the public key can not sign by it as by a secret.
    `${btoa('{"alg":"none"}').replaceAll('=', '')}.${(await jwt({})).split('.')[1]}.`,
  ];
  for (const token of bad) expect(codesOf(await me(token))).toEqual(['invalid_operator_token']);
});
