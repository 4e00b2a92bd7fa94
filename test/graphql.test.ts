import { execFile } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:http';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { newId } from '@perch/proto/ids';
import { type Nats, openNats } from '@perch/proto/nats';
import { OperatorRole, roleCovers } from '@perch/proto/operators';
import { createLogger } from '@perch/proto/process';
import {
  buildSchema,
  type GraphQLField,
  type GraphQLObjectType,
  getNamedType,
  isObjectType,
} from 'graphql';
import pg from 'pg';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Perch, startPerch, type TestUser } from './perch.ts';

const cli = fileURLToPath(new URL('../deploy/cli/src/main.ts', import.meta.url));
const schema = buildSchema(
  await readFile(fileURLToPath(import.meta.resolve('@perch/proto/operators.graphql')), 'utf8'),
);

// Posts go through their whole lives here, some of them twice.
vi.setConfig({ testTimeout: 60_000 });

let perch: Perch;
let tap: Nats;
let receiver: Server;
let user: TestUser;
let accountId: string;
let postId: string;
let tokens: Record<OperatorRole, string>;
const received: string[] = [];
/** Everything that no answer may ever hold. */
const secrets: string[] = [];

beforeAll(async () => {
  perch = await startPerch({ PERCH_RECONCILE_FOR_SECONDS: '2' });
  const { natsUrl } = await perch.state();
  tap = await openNats({ url: natsUrl, name: 'tap', log: createLogger('tap', 'silent') });
  receiver = createServer((request, response) => {
    received.push(String(request.headers['webhook-id']));
    response.end();
  });
  await once(receiver.listen(0, '127.0.0.1'), 'listening');
  const made = await Promise.all(
    OperatorRole.options.map(async (role) => [role, (await operator(role)).secret]),
  );
  tokens = Object.fromEntries(made);
  user = await perch.user(20);
  accountId = (await user.account()).account_id;
  const address = receiver.address();
  const port = typeof address === 'object' ? address?.port : 0;
  const endpoint = await user.api('POST', '/webhook_endpoints', {
    url: `http://localhost:${port}/`,
  });
  postId = await publish('Hello');
  await status(postId, 'posted');
  await vi.waitFor(() => expect(received.length).toBeGreaterThan(0), { timeout: 30_000 });
  secrets.push(...Object.values(tokens), user.secret, endpoint.body.secret);
}, 120_000);
afterAll(async () => {
  await tap?.close();
  receiver?.close();
  await perch?.stop();
}, 60_000);

/** Makes an operator as a person would. */
async function operator(role: OperatorRole): Promise<{ operator: { id: string }; secret: string }> {
  const args = [cli, 'operator', 'create', `${role} person`, '--role', role, '--json'];
  const env = { ...process.env, PERCH_HOME: perch.home };
  return JSON.parse((await promisify(execFile)(process.execPath, args, { env })).stdout);
}

/** An answer, its data not looked into. */
interface Told {
  status: number;
  requestId: string;
  text: string;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as an operator's script would.
  data: any;
  codes: string[];
}

async function ask(
  token: string | OperatorRole | null,
  query: string,
  variables: object = {},
): Promise<Told> {
  const bearer = OperatorRole.options.find((role) => role === token);
  const response = await fetch(perch.operatorsUrl, {
    method: 'POST',
    headers: {
      'content-type': 'application/json',
      ...(token && { authorization: `Bearer ${bearer ? tokens[bearer] : token}` }),
    },
    body: JSON.stringify({ query, variables }),
  });
  const text = await response.text();
  for (const secret of secrets) expect(text).not.toContain(secret);
  expect(text).not.toMatch(/whsec_|perch_(live|test|oper)_[0-9A-Za-z]{8}|sandbox-[0-9a-f]{32}/);
  const { data = null, errors = [] } = JSON.parse(text);
  const codes = errors.map((one: { extensions: { code: string } }) => one.extensions.code);
  const requestId = response.headers.get('x-request-id') ?? '';
  return { status: response.status, requestId, text, data, codes };
}

/** One mutation by its input; the post, account or whatever comes back with the fields asked for. */
async function mutate(token: OperatorRole, name: string, input: object, fields = '{ id }') {
  const type = `${name[0]?.toUpperCase()}${name.slice(1)}Input!`;
  const told = await ask(
    token,
    `mutation ($input: ${type}) { it: ${name}(input: $input) ${fields} }`,
    {
      input: { reason: 'a test', ...input },
    },
  );
  return { ...told, it: told.data?.it };
}

async function publish(text: string, of = accountId): Promise<string> {
  const post = { account_id: of, tweets: [{ text }], publish_now: true };
  return (await user.api('POST', '/posts', post)).body.id;
}

async function status(id: string, wanted: string): Promise<void> {
  await vi.waitFor(
    async () => expect((await user.api('GET', `/posts/${id}`)).body.status).toBe(wanted),
    { timeout: 30_000, interval: 100 },
  );
}

async function timeline(id: string): Promise<string[]> {
  const { body } = await user.api('GET', `/posts/${id}/events`);
  return body.data.map((event: { type: string }) => event.type);
}

const balance = async () => (await user.api('GET', '/credits')).body.balance;

// Generated from the SDL: every root field is asked by nobody and by each role, with every field below it.

/** What to ask root fields with; ids of what there is, or of nothing. */
function argsOf(field: GraphQLField<unknown, unknown>, there: boolean): string {
  const ids = { post: postId, account: accountId, user: user.id };
  const idOf = (kind: 'post' | 'account' | 'user' | 'key' | 'delivery') => {
    const known = Object.entries(ids).find(([name]) => name === kind)?.[1];
    return JSON.stringify(there && known ? known : newId(kind, Date.now));
  };
  const inputs: Record<string, string> = {
    setPlan: `userId: ${idOf('user')}, plan: free`,
    grantCredits: `userId: ${idOf('user')}, credits: 5, idempotencyKey: "x"`,
    revokeKey: `keyId: ${idOf('key')}`,
    holdAccount: `accountId: ${idOf('account')}`,
    releaseAccount: `accountId: ${idOf('account')}`,
    retryPost: `postId: ${idOf('post')}`,
    resolvePost: `postId: ${idOf('post')}, outcome: not_published`,
    replayWebhook: `deliveryId: ${idOf('delivery')}`,
  };
  const given = field.args.flatMap(({ name }) => {
    if (name === 'input') return [`input: { ${inputs[field.name]}, reason: "a test" }`];
    if (name === 'first') return ['first: 2'];
    if (name === 'postId') return [`postId: ${idOf('post')}`];
    const kind = (['user', 'account', 'post'] as const).find((one) => one === field.name);
    return name === 'id' && kind ? [`id: ${idOf(kind)}`] : [];
  });
  return given.length > 0 ? `(${given.join(', ')})` : '';
}

/** All fields below a type; where it leads back to a type above, only the plain ones. Fills `reached`. */
function everything(
  type: GraphQLObjectType,
  above: string[],
  allowed: (field: GraphQLField<unknown, unknown>) => boolean,
  reached: Set<string> = new Set(),
): string {
  const fields = Object.values(type.getFields()).flatMap((field) => {
    const inner = getNamedType(field.type);
    if (!allowed(field)) return [];
    if (!isObjectType(inner)) {
      reached.add(`${type.name}.${field.name}`);
      return [field.name];
    }
    if (above.includes(inner.name)) {
      const plain = Object.values(inner.getFields()).filter(
        (one) => !isObjectType(getNamedType(one.type)) && allowed(one),
      );
      if (plain.length === 0) return [];
      reached.add(`${type.name}.${field.name}`);
      return [`${field.name} { ${plain.map(({ name }) => name).join(' ')} }`];
    }
    reached.add(`${type.name}.${field.name}`);
    const args = field.args.some(({ name }) => name === 'first') ? '(first: 2)' : '';
    return [`${field.name}${args} ${everything(inner, [...above, inner.name], allowed, reached)}`];
  });
  return `{ ${fields.join(' ')} }`;
}

/** What the SDL says, read by the test itself. */
function roleOf(field: GraphQLField<unknown, unknown>): OperatorRole | null {
  const directive = field.astNode?.directives?.find(({ name }) => name.value === 'requires');
  const value = directive?.arguments?.[0]?.value;
  return value?.kind === 'EnumValue' ? OperatorRole.parse(value.value) : null;
}

const roots = [schema.getQueryType(), schema.getMutationType(), schema.getSubscriptionType()];
const rootFields = roots.flatMap((root) =>
  Object.values(root?.getFields() ?? {}).map((field) => ({ root: root?.name ?? '', field })),
);

function document(
  root: string,
  field: GraphQLField<unknown, unknown>,
  options: { there: boolean; role: OperatorRole; reached?: Set<string> },
): string {
  const { there, role, reached } = options;
  const type = getNamedType(field.type);
  const allowed = (one: GraphQLField<unknown, unknown>) =>
    roleCovers(role, roleOf(one) ?? 'viewer');
  const below = isObjectType(type) ? everything(type, [type.name], allowed, reached) : '';
  return `${root.toLowerCase()} { ${field.name}${argsOf(field, there)} ${below} }`;
}

test.for(rootFields.map(({ root, field }) => [`${root}.${field.name}`, root, field] as const))(
  '%s is for those alone that the SDL names',
  async ([, root, field]) => {
    const needed = roleOf(field);
    expect(needed).not.toBeNull();
    const query = document(root, field, { there: false, role: 'viewer' });
    for (const token of [null, user.secret, 'perch_oper_nonsense', ''])
      expect((await ask(token, query)).status).toBe(401);
    for (const role of OperatorRole.options) {
      const told = await ask(role, query);
      const may = roleCovers(role, needed ?? 'admin');
      expect(told.codes.includes('insufficient_role'), `${role}: ${told.text}`).toBe(!may);
      expect(told.codes, told.text).not.toContain('internal_error');
      expect(told.codes, told.text).not.toContain('invalid_request');
      if (!may) expect(told.data?.[field.name] ?? null).toBeNull();
    }
  },
);

test('every field of every object can be asked for by an admin, and those above a role are refused to it', async () => {
  const reached = new Set<string>();
  for (const { root, field } of rootFields.filter((one) => one.root === 'Query')) {
    const told = await ask('admin', document(root, field, { there: true, role: 'admin', reached }));
    expect(told.codes, told.text).toEqual([]);
    if (!['user', 'account', 'post'].includes(field.name)) continue;
    expect(told.data[field.name], field.name).not.toBeNull();
  }
  const objects = Object.values(schema.getTypeMap()).filter(
    (type): type is GraphQLObjectType => isObjectType(type) && !type.name.startsWith('__'),
  );
  const fields = objects
    .filter((type) => !roots.includes(type))
    .flatMap((type) => Object.values(type.getFields()).map((field) => ({ type, field })));
  const missing = fields.map(({ type, field }) => `${type.name}.${field.name}`);
  expect(missing.filter((name) => !reached.has(name))).toEqual([]);
  const guarded = fields.filter(({ field }) => roleOf(field));
  expect(guarded.length).toBeGreaterThan(2);
  const asked = [
    `{ user(id: "${user.id}") { keys { id } } }`,
    `{ user(id: "${user.id}") { webhookEndpoints { url } } }`,
    '{ webhookDeliveries { edges { node { payload } } } }',
  ];
  for (const query of asked) {
    expect((await ask('viewer', query)).codes).toContain('insufficient_role');
    expect((await ask('support', query)).codes).toEqual([]);
  }
});

test('the public port knows nothing of operators, and their tokens are no API keys', async () => {
  expect((await fetch(`${perch.url}/graphql`, { method: 'POST' })).status).toBe(404);
  expect((await perch.api(tokens.admin, 'GET', '/posts')).status).toBe(401);
});

test('a revoked operator is out at once', async () => {
  const { operator: gone, secret } = await operator('admin');
  expect((await ask(secret, '{ me { id } }')).data.me.id).toBe(gone.id);
  await perch.clients.operators.revoke.mutate({ operator_id: gone.id });
  expect((await ask(secret, '{ me { id } }')).status).toBe(401);
});

test('what a query costs on the bus does not grow with what it finds', async () => {
  const counts = new Map<string, number>();
  tap.connection.subscribe('rpc.>', {
    callback: (_, message) => {
      const id = message.headers?.get('Perch-Request-Id') ?? '';
      counts.set(id, (counts.get(id) ?? 0) + 1);
    },
  });
  await tap.connection.flush();
  const query = `query ($first: Int!) { users(first: $first) { edges { node {
    email credits { available } creditEntries(first: 3) { edges { node { reason } } } keys { id }
    accounts { id user { email } posts(first: 3) { edges { node { id sends { outcome } } } } }
    webhookEndpoints { id deliveries(first: 3) { edges { node { id } } } }
    posts(first: 3) { edges { node { id account { id } reservation { state } workflow { status }
      timeline(first: 3) { edges { node { type } } } } } } } } } }`;
  const askFor = async (first: number) => {
    const told = await ask('admin', query, { first });
    expect(told.codes, told.text).toEqual([]);
    expect(told.data.users.edges).toHaveLength(first);
    await tap.connection.flush();
    return counts.get(told.requestId) ?? 0;
  };
  await askFor(1);
  for (let n = 0; n < 3; n++) {
    const other = await perch.user(3);
    await other.api('POST', '/webhook_endpoints', { url: 'http://localhost:9/' });
    for (let m = 0; m < 2; m++) {
      const { account_id } = await other.account();
      const post = { account_id, tweets: [{ text: 'one of many' }], publish_now: true };
      await other.api('POST', '/posts', post);
    }
  }
  const [few, many] = [await askFor(2), await askFor(4)];
  expect(many).toBe(few);
  expect(many).toBeLessThanOrEqual(16);
});

test('pages go on where the last one ended, each item once', async () => {
  const seen: string[] = [];
  let after: string | null = null;
  do {
    const told: Told = await ask(
      'viewer',
      'query ($after: String) { posts(first: 2, after: $after) { edges { node { id } } pageInfo { endCursor hasNextPage } } }',
      { after },
    );
    const { edges, pageInfo } = told.data.posts;
    seen.push(...edges.map((edge: { node: { id: string } }) => edge.node.id));
    after = pageInfo.hasNextPage ? pageInfo.endCursor : null;
  } while (after);
  expect(seen).toContain(postId);
  expect(new Set(seen).size).toBe(seen.length);
  expect(seen).toEqual(seen.toSorted().toReversed());
});

test('plans, credits and keys change, once, and the audit log says who and why', async () => {
  const other = await perch.user(0);
  const grant = { userId: other.id, credits: 7, idempotencyKey: 'a', reason: 'a lost post' };
  for (let n = 0; n < 2; n++) await mutate('admin', 'grantCredits', grant);
  const granted = await ask(
    'viewer',
    `{ user(id: "${other.id}") { credits { balance } creditEntries { edges { node { reason } } } } }`,
  );
  expect(granted.data.user).toEqual({
    credits: { balance: 7 },
    creditEntries: { edges: [{ node: { reason: 'a lost post' } }] },
  });
  expect((await mutate('support', 'setPlan', { userId: other.id, plan: 'free' })).codes).toEqual([
    'insufficient_role',
  ]);
  await mutate('admin', 'setPlan', { userId: other.id, plan: 'free' });
  expect((await other.api('GET', '/posts')).status).toBe(403);
  const keys = await ask('support', `{ user(id: "${user.id}") { keys { id } } }`);
  expect(keys.data.user.keys).toHaveLength(1);
  const [key] = await perch.clients.accounts.listKeys.query({ user_id: other.id });
  await mutate('admin', 'setPlan', { userId: other.id, plan: 'paid' });
  await mutate('support', 'revokeKey', { keyId: key?.id, reason: 'it was seen in a repository' });
  expect((await other.api('GET', '/posts')).status).toBe(401);

  const audit = await ask(
    'admin',
    `{ audit(subject: "${other.id}") { edges { node { action outcome code reason actor { name role } requestId } } } }`,
  );
  const acts = audit.data.audit.edges.map((edge: { node: { requestId: string } }) => edge.node);
  expect(acts).toHaveLength(5);
  expect(acts[2]).toMatchObject({
    ...{ action: 'setPlan', outcome: 'failed', code: 'insufficient_role' },
    ...{
      actor: { name: 'support person', role: 'support' },
      requestId: expect.stringMatching(/^req_/),
    },
  });
  expect(acts[4]).toMatchObject({ action: 'grantCredits', outcome: 'done', reason: 'a lost post' });
});

test('nobody can change the audit log, not even in the database', async () => {
  const url = new URL(await perch.postgresUrl());
  url.pathname = '/perch_accounts';
  const client = new pg.Client({ connectionString: url.href });
  await client.connect();
  try {
    for (const sql of [
      "update act set reason = 'x'",
      'delete from act_end',
      'truncate act cascade',
    ])
      await expect(client.query(sql)).rejects.toThrow('append-only');
  } finally {
    await client.end();
  }
});

test('an account that is held back sends nothing, says why, and goes on when it is released', async () => {
  const { account_id } = await user.account();
  const held = await mutate(
    'support',
    'holdAccount',
    { accountId: account_id, reason: 'it looks stolen' },
    '{ held { reason } }',
  );
  expect(held.it.held.reason).toBe('it looks stolen');
  const id = await publish('Not now', account_id);
  await expect.poll(() => timeline(id)).toEqual(['post.scheduled', 'post.deferred']);
  const [, deferred] = (await user.api('GET', `/posts/${id}/events`)).body.data;
  expect(deferred.data).toMatchObject({ code: 'account_held', detail: 'it looks stolen' });
  const feed = await perch.clients.accounts.sandboxFeed.query({
    ...{ tenant: { user_id: user.id, account_ids: null }, account_id },
  });
  expect(feed).toEqual([]);
  await mutate('support', 'releaseAccount', { accountId: account_id });
  await status(id, 'posted');
});

test('a post of unknown outcome is resolved by a person: not published, tried again, published, charged once', async () => {
  const before = await balance();
  const id = await publish('[[sandbox:unknown]] Is it there?');
  await status(id, 'failed');
  expect((await mutate('support', 'retryPost', { postId: id })).codes).toEqual([
    'post_outcome_conflict',
  ]);
  const absent = { postId: id, outcome: 'not_published' };
  const fields = '{ status failure { code } cost { charged } sends { outcome byOperator } }';
  for (let n = 0; n < 2; n++)
    expect((await mutate('support', 'resolvePost', absent, fields)).it).toEqual({
      status: 'failed',
      failure: { code: 'not_published' },
      cost: { charged: false },
      sends: [{ outcome: 'absent', byOperator: true }],
    });
  expect(await balance()).toBe(before);

  expect((await mutate('support', 'retryPost', { postId: id }, '{ run status }')).it).toEqual({
    run: 2,
    status: 'scheduled',
  });
  await status(id, 'failed');
  const tweets = [{ index: 0, platformId: 'p1', url: 'https://sandbox.perch.example/p1' }];
  const there = { postId: id, outcome: 'published', tweets };
  for (let n = 0; n < 2; n++)
    expect(
      (
        await mutate(
          'support',
          'resolvePost',
          there,
          '{ status failure { code } cost { charged } tweets { url } }',
        )
      ).it,
    ).toEqual({
      status: 'posted',
      failure: null,
      cost: { charged: true },
      tweets: [{ url: 'https://sandbox.perch.example/p1' }],
    });
  for (const other of [absent, { ...there, tweets: [{ ...tweets[0], platformId: 'p2' }] }])
    expect((await mutate('support', 'resolvePost', other)).codes).toEqual([
      'post_outcome_conflict',
    ]);
  expect(await balance()).toBe(before - 1);
  const told = await timeline(id);
  expect(
    told.filter((type) => ['post.resolved', 'post.retried', 'post.posted'].includes(type)),
  ).toEqual(['post.resolved', 'post.retried', 'post.resolved', 'post.posted']);
  expect(await perch.clients.posts.verify.query({ post_id: id })).toMatchObject({ intact: true });
});

test('an outcome can be resolved as published only by who can pay; granted credits mend it', async () => {
  const poor = await perch.user(1);
  const { account_id } = await poor.account();
  const post = { account_id, tweets: [{ text: '[[sandbox:unknown]]' }], publish_now: true };
  const { id } = (await poor.api('POST', '/posts', post)).body;
  await expect
    .poll(async () => (await poor.api('GET', `/posts/${id}`)).body.status, { timeout: 20_000 })
    .toBe('failed');
  const spent = { account_id, tweets: [{ text: 'the last credit' }], publish_now: true };
  await poor.api('POST', '/posts', spent);
  await expect.poll(async () => (await poor.api('GET', '/credits')).body.balance).toBe(0);
  const tweets = [{ index: 0, platformId: 'p3', url: 'https://sandbox.perch.example/p3' }];
  const there = { postId: id, outcome: 'published', tweets };
  expect((await mutate('support', 'resolvePost', there)).codes).toEqual(['insufficient_credits']);
  const grant = { userId: poor.id, credits: 1, idempotencyKey: 'mend' };
  await mutate('admin', 'grantCredits', grant);
  expect((await mutate('support', 'resolvePost', there, '{ status }')).it).toEqual({
    status: 'posted',
  });
  expect((await poor.api('GET', '/credits')).body.balance).toBe(0);
});

test('a failed post that stands nowhere goes out when it is tried again, charged once', async () => {
  const before = await balance();
  const { account_id } = await user.account();
  const id = await publish('[[sandbox:reject]]', account_id);
  await status(id, 'failed');
  expect((await mutate('support', 'retryPost', { postId: id }, '{ run }')).it).toEqual({ run: 2 });
  const refused = ['post.scheduled', 'post.publishing', 'post.failed'];
  const again = ['post.retried', 'post.publishing', 'post.failed'];
  await expect.poll(() => timeline(id)).toEqual([...refused, ...again]);
  expect(await balance()).toBe(before);
  expect((await mutate('support', 'retryPost', { postId })).codes).toEqual([
    'post_outcome_conflict',
  ]);

  const tenant = { user_id: user.id, account_ids: null };
  const dueMs = Date.now() + 3_000;
  const post = {
    account_id,
    tweets: [{ text: 'The window moves' }],
    scheduled_at: new Date(dueMs).toISOString(),
  };
  const late = (await user.api('POST', '/posts', post)).body.id;
  const hour = (new Date().getUTCHours() + 12) % 24;
  const opens = `${String(hour).padStart(2, '0')}:00`;
  const closed = { opens, closes: `${String(hour).padStart(2, '0')}:30` };
  const set = (posting_window: { opens: string; closes: string }) =>
    perch.clients.accounts.changeSettings.mutate({
      ...{ tenant, account_id, settings: { posting_window } },
    });
  await set(closed);
  await status(late, 'failed');
  await set({ opens: '00:00', closes: '24:00' });
  await mutate('support', 'retryPost', { postId: late });
  await status(late, 'posted');
  expect(await balance()).toBe(before - 1);
});

test('a webhook is sent again with the same id', async () => {
  const told = await ask(
    'support',
    `{ user(id: "${user.id}") { webhookEndpoints { deliveries(first: 1) { edges { node { id eventId status } } } } } }`,
  );
  const { id, eventId } = told.data.user.webhookEndpoints[0].deliveries.edges[0].node;
  const count = () => received.filter((one) => one === eventId).length;
  await expect.poll(count).toBeGreaterThan(0);
  const before = count();
  await mutate('support', 'replayWebhook', { deliveryId: id });
  await expect.poll(count).toBe(before + 1);
});

test('the queues tell who polls and what waits', async () => {
  const { data } = await ask(
    'viewer',
    '{ queues { taskQueues { name kind pollers backlog } outboxes { name waiting oldestAt } } }',
  );
  for (const queue of data.queues.taskQueues) expect(queue.pollers, queue.name).toBeGreaterThan(0);
  expect(data.queues.outboxes).toHaveLength(3);
});

test('a subscription brings each event of a post once and in order, while it happens', async () => {
  const scheduled = {
    account_id: (await user.account()).account_id,
    tweets: [{ text: 'Watch me' }],
    scheduled_at: new Date(Date.now() + 3_000).toISOString(),
  };
  const { id } = (await user.api('POST', '/posts', scheduled)).body;
  const gone = new AbortController();
  const response = await fetch(perch.operatorsUrl, {
    method: 'POST',
    headers: {
      accept: 'text/event-stream',
      'content-type': 'application/json',
      authorization: `Bearer ${tokens.viewer}`,
    },
    body: JSON.stringify({ query: `subscription { postEvents(postId: "${id}") { seq type } }` }),
    signal: gone.signal,
  });
  const decoder = new TextDecoder();
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk);
    if (text.includes('post.posted')) break;
  }
  gone.abort();
  const events = [...text.matchAll(/"seq":(\d+),"type":"([a-z._]+)"/g)].map(
    ([, seq, type]) => `${seq} ${type}`,
  );
  expect(events).toEqual(['1 post.scheduled', '2 post.publishing', '3 post.posted']);
});
