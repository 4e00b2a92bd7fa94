import pg from 'pg';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { dashboardRouter } from '../gateway/src/dashboard/router.ts';
import { type Browser, mailedToken, openBrowser, password, signUp, type Told } from './browser.ts';
import { type Perch, startPerch } from './perch.ts';

// Generated from the router: every procedure, each place for an id in its input in turn. A new procedure is tried
// without anyone thinking of it.

type Json = Record<string, unknown>;
interface Procedure {
  path: string;
  type: 'query' | 'mutation' | 'subscription';
  schema: Json | null;
}

/** The procedures that anyone may ask: signing up and in, and what the pages for it show. */
const open = [
  'auth.confirm',
  'auth.requestPasswordReset',
  'auth.resetPassword',
  'auth.signIn',
  'auth.signOut',
  'auth.signUp',
  'config.get',
  'mails.list',
];

const Definition = z.object({
  type: z.enum(['query', 'mutation', 'subscription']),
  inputs: z.array(z.unknown()),
});

const procedures = Object.entries<unknown>(dashboardRouter._def.procedures).map(
  ([path, procedure]): Procedure => {
    const { type, inputs } = Definition.parse(Object(procedure)._def);
    const [input] = inputs;
    const schema = input instanceof z.ZodType ? z.toJSONSchema(input, { io: 'input' }) : null;
    return { path, type, schema };
  },
);

let perch: Perch;
let victim: Awaited<ReturnType<typeof signUp>>;
let attacker: Awaited<ReturnType<typeof signUp>>;
/** One of each thing that the victim has, by the prefix of its id; and the same of the attacker's. */
let loot: Record<string, string>;
let own: Record<string, string>;

beforeAll(async () => {
  perch = await startPerch();
  victim = await signUp(perch, 'paid');
  attacker = await signUp(perch, 'paid');
  loot = await things(victim, 'secret');
  own = await things(attacker, 'mine');
}, 120_000);
afterAll(() => perch?.stop());

const key = () => crypto.randomUUID();
const tomorrow = () => new Date(Date.now() + 86_400_000).toISOString();

async function things(of: Browser, text: string): Promise<Record<string, string>> {
  const made = async (path: string, input: object) =>
    succeeded(path, await of.mutate(path, { ...input, idempotency_key: key() }));
  const account = succeeded(
    'account',
    await of.mutate('accounts.connectSandbox', {
      handle: `h_${Math.random().toString(36).slice(2, 12)}`,
      settings: { posting_window: { opens: '00:00', closes: '24:00' } },
    }),
  );
  const { account_id } = account;
  const post = { account_id, tweets: [{ text }], scheduled_at: tomorrow() };
  const endpoint = await made('webhooks.create', { endpoint: { url: 'http://localhost:9/' } });
  const form = new FormData();
  form.append('file', new Blob([png], { type: 'image/png' }), 'a.png');
  const media = await of.fetch('/app/media', { method: 'POST', body: form });
  const [session] = (await of.query('auth.listSessions')).data;
  return {
    acc: account_id,
    post: (await made('posts.create', { post })).id,
    med: z.object({ id: z.string() }).parse(await media.json()).id,
    whe: endpoint.id,
    whd: (await made('webhooks.test', { endpoint_id: endpoint.id })).id,
    key: (await made('keys.create', { name: text })).key.id,
    pst: (await made('presets.create', { preset: { name: text, tweets: [{ text }] } })).id,
    ses: session.id,
  };
}

function succeeded(path: string, answer: Told) {
  expect([path, answer.code, answer.details]).toEqual([path, null, null]);
  return answer.data;
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

/** An input that would do, with ids of the attacker's own things; `path` says where a victim's stands instead. */
function sample(schema: Json, name: string, at: string[], stolen: string[] | null): unknown {
  const here = (at.join('/') === stolen?.join('/') && prefixOf(schema)) || null;
  if (here) return loot[here];
  const prefix = prefixOf(schema);
  if (prefix) return own[prefix];
  const {
    type,
    enum: values,
    properties,
    items,
    anyOf,
    minimum,
    format,
  } = schema as {
    type?: string;
    enum?: unknown[];
    properties?: Record<string, Json>;
    items?: Json;
    anyOf?: Json[];
    minimum?: number;
    format?: string;
  };
  const known: Record<string, unknown> = {
    idempotency_key: key(),
    scheduled_at: tomorrow(),
    scheduled_from: tomorrow(),
    scheduled_to: tomorrow(),
    url: 'http://localhost:9/',
    handle: 'own_handle',
    email: attacker.email,
    media_urls: [],
    platform: 'sandbox',
    server: null,
    password: 'a password of 10',
    current: password,
    opens: '00:00',
    closes: '24:00',
    time_zone: 'UTC',
    events: null,
    expires_at: null,
    cursor: undefined,
    publish_now: undefined,
    lastEventId: undefined,
  };
  if (Object.hasOwn(known, name)) return known[name];
  if (values) return values[0];
  if (properties) {
    // Patches and settings: all of their fields are optional, and some must be there.
    const entries = Object.entries(properties).map(([field, inner]) => [
      field,
      sample(inner, field, [...at, field], stolen),
    ]);
    return Object.fromEntries(entries.filter(([, value]) => value !== undefined));
  }
  if (items) return [sample(items, name, [...at, '0'], stolen)];
  if (anyOf) return sample(choiceOf(anyOf, at, stolen), name, at, stolen);
  if (type === 'string') return format === 'date' ? tomorrow().slice(0, 10) : 'text';
  if (type === 'boolean') return false;
  return minimum !== undefined && minimum > 0 ? minimum : 1;
}

/** Of several, the one that leads to the stolen id; else the first. */
function choiceOf(choices: Json[], at: string[], stolen: string[] | null): Json {
  const leading = choices.find((one) =>
    idPlaces(one, at).some((place) => place.join('/') === stolen?.join('/')),
  );
  return leading ?? choices[0] ?? {};
}

function prefixOf(schema: Json): string | null {
  return /^\^([a-z]+)_/.exec(String(schema['pattern'] ?? ''))?.[1] ?? null;
}

/** Every place in an input where an id may stand. */
function idPlaces(schema: Json, at: string[] = []): string[][] {
  const {
    properties = {},
    items,
    anyOf = [],
  } = schema as {
    properties?: Record<string, Json>;
    items?: Json;
    anyOf?: Json[];
  };
  const here = prefixOf(schema);
  if (here) return Object.hasOwn(loot, here) ? [at] : [];
  return [
    ...Object.entries(properties).flatMap(([name, inner]) => idPlaces(inner, [...at, name])),
    ...(items ? idPlaces(items, [...at, '0']) : []),
    ...anyOf.flatMap((inner) => idPlaces(inner, at)),
  ];
}

function ask(browser: Browser, { path, type }: Procedure, input: unknown): Promise<Told> {
  if (type === 'query') return browser.query(path, input);
  if (type === 'mutation') return browser.mutate(path, input);
  return browser.subscribe(path, input);
}

async function stateOf(browser: Browser): Promise<unknown> {
  const { data } = await browser.query('posts.timeline', { post_id: loot['post'] });
  return [
    data,
    (await browser.query('posts.list', {})).data,
    (await browser.query('accounts.list')).data,
    (await browser.query('keys.list')).data,
    (await browser.query('webhooks.list')).data,
    (await browser.query('presets.list')).data,
    (await browser.query('credits.balance')).data,
    (await browser.query('auth.listSessions')).data.length,
  ];
}

test('no procedure takes an id of another user’s, wherever the id is', async () => {
  const before = await stateOf(victim);
  const tried = new Set<string>();
  for (const procedure of procedures) {
    const { path, schema } = procedure;
    for (const place of schema ? idPlaces(schema) : []) {
      tried.add(path);
      const input = sample(schema ?? {}, '', [], place);
      expect(JSON.stringify(input), path).toMatch(new RegExp(Object.values(loot).join('|')));
      const answer = await ask(attacker, procedure, input);
      const told = JSON.stringify([answer.data, answer.details]);
      const says = `${path} ${place.join('/')} ${JSON.stringify(input)} -> ${answer.code} ${told}`;
      if (answer.code === null) expect(answer.data, says).toMatchObject({ data: [] });
      else {
        const inner: { code: string }[] = answer.details.errors ?? [];
        expect([answer.code, ...inner.map((one) => one.code)], says).toContain('not_found');
      }
      expect(told, says).not.toContain('secret');
    }
  }
  // What it has found to try: a generator that finds nothing would always pass.
  expect(tried.size).toBeGreaterThanOrEqual(24);
  expect(await stateOf(victim)).toEqual(before);
});

test('what takes no id shows the attacker nothing of the victim', async () => {
  for (const procedure of procedures) {
    if (procedure.type !== 'query' || procedure.path === 'mails.list') continue;
    const input = procedure.schema ? sample(procedure.schema, '', [], null) : undefined;
    const told = JSON.stringify(await ask(attacker, procedure, input));
    for (const id of [...Object.values(loot), victim.userId, victim.email])
      expect(told, procedure.path).not.toContain(id);
  }
});

test('another user’s media and connection links are not found', async () => {
  expect((await victim.fetch(`/app/media/${loot['med']}/content`)).status).toBe(200);
  expect((await attacker.fetch(`/app/media/${loot['med']}/content`)).status).toBe(404);
  const nobody = openBrowser(perch);
  expect((await nobody.fetch(`/app/media/${loot['med']}/content`)).status).toBe(401);
});

test('without a session every procedure but those for signing in refuses, an API key or not', async () => {
  const { secret } = await perch.user(0);
  const nobody = openBrowser(perch);
  for (const procedure of procedures) {
    if (open.includes(procedure.path)) continue;
    const input = procedure.schema ? sample(procedure.schema, '', [], null) : undefined;
    const answer = await ask(nobody, procedure, input);
    // A stream has begun by then, and ends with the failure.
    const status = procedure.type === 'subscription' ? 200 : 401;
    expect([procedure.path, answer.status, answer.code]).toEqual([
      procedure.path,
      status,
      'not_signed_in',
    ]);
  }
  const authorization = `Bearer ${secret}`;
  expect((await nobody.mutate('plan.get', {}, { authorization })).code).not.toBeNull();
  const asked = await nobody.fetch('/app/api/keys.list', { headers: { authorization } });
  expect(asked.status).toBe(401);
  for (const name of ['perch_session', '__Host-perch_session']) {
    nobody.cookie = `${name}=${secret}`;
    expect((await nobody.query('keys.list')).code).toBe('not_signed_in');
  }
});

test('the API takes no session: not as a cookie, not as a key', async () => {
  for (const headers of [{}, { authorization: `Bearer ${attacker.cookie.split('=')[1]}` }]) {
    const response = await attacker.fetch('/api/v1/accounts', { headers });
    expect(response.status).toBe(401);
    expect(await response.json()).toMatchObject({ code: 'invalid_api_key' });
  }
  const ai = await fetch(`${perch.url}/api/v1/ai/generate`, { method: 'POST' });
  expect(ai.status).toBe(404);
});

test('another site can not have a browser change anything (CSRF)', async () => {
  const before = await stateOf(victim);
  const sites: Record<string, string>[] = [
    { 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'same-site' },
    { 'sec-fetch-site': 'cross-site', origin: perch.url },
  ];
  for (const { path, type, schema } of procedures) {
    if (type !== 'mutation') continue;
    const input = schema ? sample(schema, '', [], null) : {};
    for (const site of sites)
      expect([path, (await victim.mutate(path, input, site)).code]).toEqual([
        path,
        'cross_site_request',
      ]);
  }
  // What a form of another page can send without asking first.
  for (const type of ['text/plain', 'application/x-www-form-urlencoded', 'multipart/form-data']) {
    const response = await victim.fetch('/app/api/plan.endDemoPlan', {
      method: 'POST',
      headers: { 'content-type': type },
      body: '{}',
    });
    expect([type, response.status]).toEqual([type, 415]);
  }
  // Browsers of old say no site; then the origin decides.
  const headers = { cookie: victim.cookie, 'content-type': 'application/json' };
  for (const origin of [{}, { origin: 'null' }, { origin: 'https://evil.example' }]) {
    const init = { method: 'POST', headers: { ...headers, ...origin }, body: '{}' };
    const response = await fetch(`${perch.url}/app/api/auth.signOut`, init);
    expect([origin, response.status]).toEqual([origin, 403]);
  }
  expect(await stateOf(victim)).toEqual(before);
});

test('a session that was planted before signing in is worth nothing after it (fixation)', async () => {
  const { email } = await signUp(perch);
  const browser = openBrowser(perch);
  const planted = `perch_session=${'a'.repeat(43)}`;
  browser.cookie = planted;
  await browser.mutate('auth.signIn', { email, password });
  expect(browser.cookie).not.toBe(planted);
  const thief = openBrowser(perch);
  thief.cookie = planted;
  expect((await thief.query('auth.session')).code).toBe('not_signed_in');
  // Nor does a session of the attacker's own live on below the victim's.
  const first = browser.cookie;
  await browser.mutate('auth.signIn', { email, password });
  thief.cookie = first;
  expect((await thief.query('auth.session')).code).toBe('not_signed_in');
});

test('a session that has expired is over, and its cookie is taken away', async () => {
  const browser = await signUp(perch);
  const accounts = new pg.Client(
    (await perch.postgresUrl()).replace(/\/postgres$/, '/perch_accounts'),
  );
  await accounts.connect();
  await accounts.query(
    `update dashboard_session set last_seen_at = now() - interval '15 days' where user_id = $1`,
    [browser.userId],
  );
  await accounts.end();
  const answer = await browser.query('posts.list', {});
  expect([answer.status, answer.code]).toEqual([401, 'not_signed_in']);
  expect(answer.headers.get('set-cookie')).toMatch(/^perch_session=; Max-Age=0/);
});

test('a password change ends the sessions on other devices', async () => {
  const browser = await signUp(perch);
  const other = openBrowser(perch);
  await other.mutate('auth.signIn', { email: browser.email, password });
  expect((await other.query('auth.session')).code).toBeNull();
  const change = { current: password, password: 'another password' };
  expect((await browser.mutate('auth.changePassword', change)).code).toBeNull();
  expect((await other.query('auth.session')).code).toBe('not_signed_in');
  expect((await browser.query('auth.session')).code).toBeNull();
});

test('who knows an address learns nothing of whether it has an account', async () => {
  const { email } = await signUp(perch);
  const nobody = openBrowser(perch);
  const unknown = 'nobody-at-all@perch.example';
  const same = async (path: string, input: object) => {
    const answers = await Promise.all(
      [email, unknown].map(async (address) => {
        const { status, data, code, details } = await nobody.mutate(path, {
          ...input,
          email: address,
        });
        return { status, data, code, details };
      }),
    );
    expect(answers[0], path).toEqual(answers[1]);
  };
  await same('auth.signIn', { password: 'not the password' });
  await same('auth.signUp', { password: 'a password of 10' });
  await same('auth.requestPasswordReset', {});
  expect(nobody.cookie).not.toContain('perch_session');
});

test('guesses are limited, and the answer says when to come back', async () => {
  const { email } = await signUp(perch);
  const browser = openBrowser(perch);
  let answer = await browser.mutate('auth.signIn', { email, password: 'guess 0' });
  for (let n = 0; answer.code === 'invalid_credentials' && n < 20; n++)
    answer = await browser.mutate('auth.signIn', { email, password: `guess ${n}` });
  expect([answer.status, answer.code]).toEqual([429, 'rate_limited']);
  expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0);
  expect((await browser.mutate('auth.signIn', { email, password })).code).toBe('rate_limited');
});

test('a user whom an operator made sets a password by mail, and signs in', async () => {
  const email = 'by-operator@perch.example';
  await perch.clients.accounts.createUser.mutate({ email, plan: 'paid' });
  const browser = openBrowser(perch);
  await browser.mutate('auth.requestPasswordReset', { email });
  const token = await mailedToken(browser, email);
  await browser.mutate('auth.resetPassword', { token, password });
  expect((await browser.query('auth.session')).data.user).toMatchObject({ email, plan: 'paid' });
});

test('the sixth key is refused, also of two that are created at once', async () => {
  const browser = await signUp(perch, 'paid');
  const create = (name: string) => browser.mutate('keys.create', { name, idempotency_key: key() });
  for (let n = 0; n < 4; n++) expect((await create(`key ${n}`)).code).toBeNull();
  const codes = (await Promise.all([create('a'), create('b')])).map((one) => one.code);
  expect(codes.toSorted()).toEqual(['api_key_limit_reached', null].toSorted());
  const sixth = await create('sixth');
  expect([sixth.status, sixth.code, sixth.details]).toMatchObject([
    409,
    'api_key_limit_reached',
    { limit: 5, active: 5 },
  ]);
});

test('on the free plan one can look around and schedule, without API, auto-reply and auto-retweet', async () => {
  const browser = await signUp(perch);
  const account = await browser.mutate('accounts.connectSandbox', {
    handle: 'free_one',
    settings: { posting_window: { opens: '00:00', closes: '24:00' } },
  });
  const plain = {
    account_id: account.data.account_id,
    tweets: [{ text: 'free' }],
    scheduled_at: tomorrow(),
  };
  const create = (post: object) => browser.mutate('posts.create', { post, idempotency_key: key() });
  const created = await create(plain);
  expect(created.code).toBeNull();
  const follow = { auto_reply: { enabled: true, text: 'hi' } };
  for (const more of [follow, { auto_retweet: { enabled: true } }]) {
    const answer = await create({ ...plain, ...more });
    expect([answer.status, answer.code]).toEqual([403, 'paid_plan_required']);
    const rehearsal = await browser.query('posts.validate', { post: { ...plain, ...more } });
    expect(rehearsal.data.issues).toMatchObject([{ code: 'paid_plan_required' }]);
  }
  const update = { post_id: created.data.id, patch: follow, idempotency_key: key() };
  expect((await browser.mutate('posts.update', update)).code).toBe('paid_plan_required');
  expect((await browser.mutate('keys.create', { name: 'k', idempotency_key: key() })).code).toBe(
    'paid_plan_required',
  );
});

test('leaving the paid plan stops the keys; what is scheduled goes out, without what follows it', async () => {
  const browser = await signUp(perch, 'paid');
  const account = await browser.mutate('accounts.connectSandbox', {
    handle: 'leaving',
    settings: { posting_window: { opens: '00:00', closes: '24:00' } },
  });
  const made = await browser.mutate('keys.create', { name: 'k', idempotency_key: key() });
  const post = {
    account_id: account.data.account_id,
    tweets: [{ text: 'goes out' }],
    scheduled_at: new Date(Date.now() + 4_000).toISOString(),
    auto_reply: { enabled: true, text: 'hi' },
  };
  const { data } = await browser.mutate('posts.create', { post, idempotency_key: key() });
  const left = await browser.mutate('plan.endDemoPlan');
  expect(left.data).toEqual({
    plan: 'free',
    refused_keys: 1,
    scheduled_posts: 1,
    without_auto_reply: 1,
    without_auto_retweet: 0,
  });
  const refused = await perch.api(made.data.secret, 'GET', '/accounts');
  expect([refused.status, refused.body.code]).toEqual([403, 'paid_plan_required']);
  const timeline = async () =>
    (await browser.query('posts.timeline', { post_id: data.id })).data.data;
  await expect
    .poll(async () => (await timeline()).map((event: { type: string }) => event.type), {
      timeout: 20_000,
    })
    .toContain('auto_reply.finished');
  const events: { type: string; data: unknown }[] = await timeline();
  expect(events.map((event) => event.type)).toContain('post.posted');
  expect(events.at(-1)).toMatchObject({ data: { reason: 'paid_plan_required', sent: 0 } });
}, 40_000);

test('a double click on any create makes one', async () => {
  const browser = await signUp(perch, 'paid');
  const account = await browser.mutate('accounts.connectSandbox', {
    handle: 'double',
    settings: { posting_window: { opens: '00:00', closes: '24:00' } },
  });
  const post = {
    account_id: account.data.account_id,
    tweets: [{ text: 'once' }],
    scheduled_at: tomorrow(),
  };
  const creates: [string, object, string][] = [
    ['posts.create', { post }, 'posts.list'],
    ['keys.create', { name: 'once' }, 'keys.list'],
    ['webhooks.create', { endpoint: { url: 'http://localhost:9/' } }, 'webhooks.list'],
    ['presets.create', { preset: { name: 'once', tweets: [{ text: 'a' }] } }, 'presets.list'],
    ['plan.demoTopUp', {}, 'credits.entries'],
  ];
  for (const [path, input, list] of creates) {
    const before = await countOf(browser, list);
    const twice = { ...input, idempotency_key: key() };
    await Promise.all([browser.mutate(path, twice), browser.mutate(path, twice)]);
    const third = await browser.mutate(path, twice);
    expect([path, third.code]).toEqual([path, null]);
    expect([path, await countOf(browser, list)]).toEqual([path, before + 1]);
  }
  const again = await browser.mutate('keys.create', { name: 'other', idempotency_key: key() });
  expect(again.data.secret).toMatch(/^perch_live_/);
});

async function countOf(browser: Browser, list: string): Promise<number> {
  const input = ['posts.list', 'credits.entries'].includes(list) ? {} : undefined;
  const { data } = await browser.query(list, input);
  return (Array.isArray(data) ? data : data.data).length;
}

test('the log of requests shows what was asked of the API, and by which key', async () => {
  const user = await perch.user(0);
  await user.api('GET', '/accounts');
  const missing = await user.api('GET', '/posts/nothing?x=1');
  await expect
    .poll(async () => perch.clients.requests.list.query({ user_id: user.id }))
    .toMatchObject([
      {
        method: 'GET',
        path: '/api/v1/posts/nothing',
        status: 404,
        request_id: missing.headers.get('x-request-id'),
      },
      { method: 'GET', path: '/api/v1/accounts', status: 200 },
    ]);
});
