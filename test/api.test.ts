import { connect } from 'node:net';
import { faultCodeOf } from '@perch/proto/faults';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Answer, type Perch, startPerch, type TestUser } from './perch.ts';

let perch: Perch;

beforeAll(async () => {
  perch = await startPerch({
    PERCH_REPLY_EVERY_SECONDS: '1',
    PERCH_REPLY_FOR_SECONDS: '5',
    PERCH_RECONCILE_FOR_SECONDS: '12',
  });
}, 120_000);
afterAll(() => perch?.stop(), 60_000);

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
const inMs = (ms: number) => new Date(Date.now() + ms).toISOString();
const tweets = (...texts: string[]) => texts.map((text) => ({ text }));

async function now(user: TestUser, account_id: string, ...texts: string[]): Promise<Answer> {
  return user.api('POST', '/posts', { account_id, tweets: tweets(...texts), publish_now: true });
}

/** The post once its life is over. */
async function ended(user: TestUser, id: string) {
  return vi.waitFor(
    async () => {
      const { body } = await user.api('GET', `/posts/${id}`);
      expect(body.status).toMatch(/posted|failed|cancelled/);
      return body;
    },
    { timeout: 25_000, interval: 100 },
  );
}

async function timeline(user: TestUser, id: string): Promise<string[]> {
  const { body } = await user.api('GET', `/posts/${id}/events`);
  return body.data.map((event: { type: string }) => event.type);
}

async function feed(user: TestUser, account_id: string) {
  const posts = await perch.clients.accounts.sandboxFeed.query({
    tenant: { user_id: user.id, account_ids: null },
    account_id,
  });
  return posts.toReversed();
}

function expectProblem(answer: Answer, status: number, code: string): void {
  expect([answer.status, answer.body.code]).toEqual([status, code]);
  expect(answer.headers.get('content-type')).toContain('application/problem+json');
  expect(answer.body).toMatchObject({
    type: `/problems/${code}`,
    status,
    request_id: answer.headers.get('x-request-id'),
  });
  expect(JSON.stringify(answer.body)).not.toMatch(/\.ts:|node_modules|perch_live_/);
}

describe('a post’s life', { concurrent: true }, () => {
  test('is published on time, charged and recorded', async () => {
    const user = await perch.user(10);
    const { account_id } = await user.account();
    const scheduled_at = inMs(2_500);
    const created = await user.api('POST', '/posts', {
      account_id,
      tweets: tweets('one', 'two'),
      scheduled_at,
    });
    expect(created.status).toBe(201);
    expect(created.headers.get('location')).toBe(`/api/v1/posts/${created.body.id}`);
    expect(created.headers.get('etag')).toBe('"v1"');
    expect(created.body).toMatchObject({
      status: 'scheduled',
      scheduled_at,
      cost: { credits: 1, charged: false },
    });
    const post = await ended(user, created.body.id);
    expect(post).toMatchObject({
      status: 'posted',
      cost: { credits: 1, charged: true },
      failure: null,
    });
    expect(Date.parse(post.posted_at) - Date.parse(scheduled_at)).toBeGreaterThanOrEqual(0);
    const [first, second] = await feed(user, account_id);
    expect([first?.text, second?.text, second?.in_reply_to]).toEqual(['one', 'two', first?.ref]);
    expect(post.tweets.map((tweet: { url: string }) => tweet.url)).toEqual([
      first?.url,
      second?.url,
    ]);
    expect(await timeline(user, post.id)).toEqual([
      'post.scheduled',
      'post.publishing',
      'post.posted',
    ]);
    expect((await user.api('GET', '/credits')).body).toMatchObject({
      balance: 9,
      reserved: 0,
      available: 9,
    });
  });

  test('goes out at once when asked to, at the price of its URL', async () => {
    const user = await perch.user(10);
    const { account_id } = await user.account();
    const { body } = await now(user, account_id, 'see example.com');
    expect(await ended(user, body.id)).toMatchObject({
      status: 'posted',
      cost: { credits: 9, contains_url: true },
    });
    expect((await user.api('GET', '/credits')).body.balance).toBe(1);
  });

  test('a cancelled post does not go out, a moved one only at its new time', async () => {
    const user = await perch.user(10);
    const { account_id } = await user.account();
    const make = (text: string) =>
      user.api('POST', '/posts', { account_id, tweets: tweets(text), scheduled_at: inMs(3_000) });
    const [gone, moved] = [await make('cancelled'), await make('moved')];
    expect((await user.api('DELETE', `/posts/${gone.body.id}`)).body.status).toBe('cancelled');
    expect((await user.api('DELETE', `/posts/${gone.body.id}`)).status).toBe(200);
    const later = inMs(6_000);
    const patched = await user.api('PATCH', `/posts/${moved.body.id}`, {
      scheduled_at: later,
      tweets: tweets('moved and edited'),
    });
    expect([patched.status, patched.body.scheduled_at, patched.headers.get('etag')]).toEqual([
      200,
      later,
      '"v2"',
    ]);
    const post = await ended(user, moved.body.id);
    expect(Date.parse(post.posted_at)).toBeGreaterThanOrEqual(Date.parse(later));
    expect((await feed(user, account_id)).map((one) => one.text)).toEqual(['moved and edited']);
    expect((await user.api('GET', '/credits')).body.balance).toBe(9);
  });

  test('a post moved earlier goes out earlier', async () => {
    const user = await perch.user(10);
    const { account_id } = await user.account();
    const { body } = await user.api('POST', '/posts', {
      account_id,
      tweets: tweets('early'),
      scheduled_at: inMs(60_000),
    });
    await user.api('PATCH', `/posts/${body.id}`, { scheduled_at: inMs(1_500) });
    expect((await ended(user, body.id)).status).toBe('posted');
  });

  const endings: [string, object, string[]][] = [
    [
      'timeout-after-send',
      { status: 'posted' },
      ['post.outcome_unknown', 'post.reconciled', 'post.posted'],
    ],
    [
      'timeout-before-send',
      { status: 'posted' },
      ['post.outcome_unknown', 'post.reconciled', 'post.posted'],
    ],
    ['rate-limit', { status: 'posted' }, ['post.waiting', 'post.posted']],
    ['slow', { status: 'posted' }, ['post.posted']],
    ['reject', { status: 'failed', failure: { code: 'platform_rejected' } }, ['post.failed']],
    [
      'disconnect',
      { status: 'failed', failure: { code: 'account_disconnected' } },
      ['post.failed'],
    ],
    [
      'unknown',
      { status: 'failed', failure: { code: 'publish_outcome_unknown' } },
      ['post.outcome_unknown', 'post.failed'],
    ],
  ];
  test.for(endings)(
    '[[sandbox:%s]] ends truthfully, sent and charged at most once',
    { timeout: 40_000 },
    async ([magic, ending, events]) => {
      const user = await perch.user(10);
      const { account_id } = await user.account();
      const { body } = await now(user, account_id, `[[sandbox:${magic}]]`, 'second');
      const post = await ended(user, body.id);
      expect(post).toMatchObject(ending);
      expect(await timeline(user, body.id)).toEqual([
        'post.scheduled',
        'post.publishing',
        ...events,
      ]);
      const posted = post.status === 'posted';
      expect((await user.api('GET', '/credits')).body).toMatchObject({
        balance: posted ? 9 : 10,
        reserved: 0,
      });
      const refs = (await feed(user, account_id)).map((one) => one.text);
      expect(refs).toEqual(
        posted
          ? [`[[sandbox:${magic}]]`, 'second']
          : magic === 'unknown'
            ? [`[[sandbox:${magic}]]`]
            : [],
      );
    },
  );

  test('answers those who reply: once each, never itself, at most max', {
    timeout: 40_000,
  }, async () => {
    const user = await perch.user(10);
    const { account_id } = await user.account({ reply_template: 'Thanks {handle}' });
    const { body } = await user.api('POST', '/posts', {
      account_id,
      tweets: tweets('hi [[sandbox:replies:4]]'),
      publish_now: true,
      auto_reply: { enabled: true, max: 3 },
    });
    const answers = async () =>
      (await feed(user, account_id))
        .filter((one) => one.text.startsWith('Thanks'))
        .map((one) => one.text);
    await vi.waitFor(
      async () =>
        expect(await answers()).toEqual(['Thanks @fan_1', 'Thanks @fan_2', 'Thanks @fan_3']),
      { timeout: 20_000 },
    );
    await vi.waitFor(
      async () => expect(await timeline(user, body.id)).toContain('auto_reply.finished'),
      { timeout: 20_000 },
    );
    const { data } = (await user.api('GET', `/posts/${body.id}/events`)).body;
    expect(data.filter((event: { type: string }) => event.type === 'auto_reply.sent')).toHaveLength(
      3,
    );
    expect(await answers()).toHaveLength(3);
  });

  test('media come along unchanged, by upload', async () => {
    const user = await perch.user(10);
    const { account_id } = await user.account();
    const form = new FormData();
    form.append('file', new Blob([png], { type: 'image/png' }), 'pixel.png');
    const uploaded = await user.api('POST', '/media', form);
    expect([uploaded.status, uploaded.body.type, uploaded.body.bytes]).toEqual([
      201,
      'image/png',
      png.length,
    ]);
    expect((await user.api('GET', `/media/${uploaded.body.id}`)).body).toEqual(uploaded.body);
    const { body } = await user.api('POST', '/posts', {
      account_id,
      tweets: [{ text: '', media_ids: [uploaded.body.id] }],
      publish_now: true,
    });
    expect((await ended(user, body.id)).status).toBe('posted');
    expect((await feed(user, account_id))[0]?.media).toEqual([uploaded.body.id]);
  });

  test('an alt text comes before or behind the file', async () => {
    const user = await perch.user(10);
    const alt_text = 'A pixel;\nnothing else. 🟥';
    for (const order of [
      ['alt_text', 'file'],
      ['file', 'alt_text'],
    ]) {
      const form = new FormData();
      for (const name of order)
        form.append(name, name === 'file' ? new Blob([png], { type: 'image/png' }) : alt_text);
      const { status, body } = await user.api('POST', '/media', form);
      expect([status, body]).toMatchObject([201, { alt_text, width: 1, height: 1 }]);
      expect((await user.api('GET', `/media/${body.id}`)).body).toEqual(body);
    }
  });

  test('a post that is due while its window is closed fails, or is held where the account says so', async () => {
    const user = await perch.user(10);
    const closed = () => {
      const opens = new Date(Date.now() + 3_600_000).toISOString().slice(11, 16);
      return { opens, closes: new Date(Date.now() + 7_200_000).toISOString().slice(11, 16) };
    };
    const [strict, lenient] = [
      await user.account(),
      await user.account({ outside_window: 'defer' }),
    ];
    const make = ({ account_id }: { account_id: string }) =>
      user.api('POST', '/posts', { account_id, tweets: tweets('x'), scheduled_at: inMs(2_500) });
    const [fails, waits] = [await make(strict), await make(lenient)];
    const tenant = { user_id: user.id, account_ids: null };
    for (const { account_id } of [strict, lenient]) {
      await perch.clients.accounts.changeSettings.mutate({
        tenant,
        account_id,
        settings: { posting_window: closed() },
      });
    }
    expect(await ended(user, fails.body.id)).toMatchObject({
      status: 'failed',
      failure: { code: 'outside_posting_window' },
    });
    await vi.waitFor(
      async () =>
        expect(await timeline(user, waits.body.id)).toEqual(['post.scheduled', 'post.deferred']),
      { timeout: 10_000 },
    );
    expect((await user.api('GET', `/posts/${waits.body.id}`)).body.status).toBe('scheduled');
  });
});

describe('limits hold when everybody asks at once', () => {
  test('100 creates against one account and day accept exactly 7 tweets', async () => {
    const user = await perch.user(10);
    const { account_id } = await user.account();
    const tomorrow = new Date();
    tomorrow.setUTCDate(tomorrow.getUTCDate() + 1);
    const day = tomorrow.toISOString().slice(0, 10);
    const answers = await Promise.all(
      Array.from({ length: 100 }, (_, n) =>
        user.api('POST', '/posts', {
          account_id,
          tweets: tweets(...Array.from({ length: 1 + (n % 3) }, () => 'x')),
          scheduled_at: `${day}T${String(n % 24).padStart(2, '0')}:30:00.000Z`,
        }),
      ),
    );
    const accepted = answers.filter((answer) => answer.status === 201);
    expect(accepted.flatMap((answer) => answer.body.tweets)).toHaveLength(7);
    for (const answer of answers)
      if (answer.status !== 201) expectProblem(answer, 409, 'daily_limit_reached');
    // A cancelled post gives its place back.
    const size = accepted[0]?.body.tweets.length;
    await user.api('DELETE', `/posts/${accepted[0]?.body.id}`);
    const again = {
      account_id,
      tweets: tweets(...Array(size).fill('y')),
      scheduled_at: `${day}T12:00:00.000Z`,
    };
    expect((await user.api('POST', '/posts', again)).status).toBe(201);
  });

  test('20 keys asked for at once give exactly 5', async () => {
    const user = await perch.user(0);
    const codes = await Promise.all(
      Array.from({ length: 20 }, (_, n) =>
        perch.clients.accounts.createKey
          .mutate({ user_id: user.id, name: `key ${n}` })
          .then(() => 'created', faultCodeOf),
      ),
    );
    // The user came with one.
    expect(codes.filter((code) => code === 'created')).toHaveLength(4);
    expect(codes.filter((code) => code === 'api_key_limit_reached')).toHaveLength(16);
    const keys = await perch.clients.accounts.listKeys.query({ user_id: user.id });
    expect(keys.filter((key) => key.revoked_at === null)).toHaveLength(5);
    await perch.clients.accounts.revokeKey.mutate({ user_id: user.id, key_id: keys[0]?.id ?? '' });
    await perch.clients.accounts.createKey.mutate({ user_id: user.id, name: 'sixth' });
  });

  test('50 posts racing for 10 credits publish 10 and leave 0', { timeout: 60_000 }, async () => {
    const user = await perch.user(10);
    const accounts = await Promise.all(Array.from({ length: 8 }, () => user.account()));
    const scheduled_at = inMs(4_000);
    const posts = await Promise.all(
      Array.from({ length: 50 }, (_, n) =>
        user.api('POST', '/posts', {
          account_id: accounts[n % 8]?.account_id,
          tweets: tweets(`race ${n}`),
          scheduled_at,
        }),
      ),
    );
    const ends = await Promise.all(posts.map((post) => ended(user, post.body.id)));
    expect(ends.filter((post) => post.status === 'posted')).toHaveLength(10);
    expect(ends.filter((post) => post.failure?.code === 'insufficient_credits')).toHaveLength(40);
    expect((await user.api('GET', '/credits')).body).toMatchObject({
      balance: 0,
      reserved: 0,
      available: 0,
    });
    const sent = await Promise.all(accounts.map((account) => feed(user, account.account_id)));
    expect(sent.flat()).toHaveLength(10);
  });
});

describe('every error says what is wrong', () => {
  let user: TestUser;
  let account_id: string;
  beforeAll(async () => {
    user = await perch.user(3);
    ({ account_id } = await user.account());
  });
  const valid = () => ({ account_id, tweets: tweets('x'), scheduled_at: inMs(3_600_000) });

  test('400 invalid_request: what can not be read', async () => {
    expectProblem(await user.api('POST', '/posts', '{"a":'), 400, 'invalid_request');
    expectProblem(await user.api('POST', '/posts', '[]'), 400, 'invalid_request');
    const bad = await user.api('GET', '/posts?limit=x&colour=red');
    expectProblem(bad, 400, 'invalid_request');
    expect(bad.body.errors.map((error: { pointer: string }) => error.pointer)).toEqual([
      'limit',
      'colour',
    ]);
    for (const from of ['0000-01-01T00:00:00.000Z', '2027-02-29T00:00:00.000Z'])
      expectProblem(await user.api('GET', `/posts?scheduled_from=${from}`), 400, 'invalid_request');
    const { body } = await user.api('POST', '/posts', valid());
    expectProblem(
      await user.api('DELETE', `/posts/${body.id}`, undefined, { 'if-match': 'v1' }),
      400,
      'invalid_request',
    );
  });

  test('400 invalid_cursor', async () => {
    for (const path of ['/posts', '/credits/entries'])
      expectProblem(await user.api('GET', `${path}?cursor=zzz`), 400, 'invalid_cursor');
  });

  test('401 invalid_api_key: one answer for every bad key', async () => {
    const tampered = `${user.secret.slice(0, -1)}${user.secret.endsWith('a') ? 'b' : 'a'}`;
    for (const secret of ['', 'nonsense', tampered]) {
      const answer = await perch.api(secret, 'GET', '/posts');
      expectProblem(answer, 401, 'invalid_api_key');
      expect(answer.headers.get('www-authenticate')).toContain('Bearer');
    }
    const { key, secret } = await perch.clients.accounts.createKey.mutate({
      user_id: user.id,
      name: 'revoked',
    });
    expect((await perch.api(secret, 'GET', '/posts')).status).toBe(200);
    await perch.clients.accounts.revokeKey.mutate({ user_id: user.id, key_id: key.id });
    expectProblem(await perch.api(secret, 'GET', '/posts'), 401, 'invalid_api_key');
  });

  test('402 insufficient_credits: at once for what is to be published at once', async () => {
    const answer = await now(user, account_id, 'https://example.com');
    expectProblem(answer, 402, 'insufficient_credits');
    expect(answer.body).toMatchObject({ required: 9, available: 3, reserved: 0 });
  });

  test('403 paid_plan_required', async () => {
    const other = await perch.user(0);
    await perch.clients.accounts.setPlan.mutate({ user_id: other.id, plan: 'free' });
    for (const path of ['/posts', '/accounts', '/credits', '/media/x']) {
      expectProblem(await other.api('GET', path), 403, 'paid_plan_required');
    }
  });

  test('403 insufficient_scope', async () => {
    const scoped = await perch.clients.accounts.createKey.mutate({
      user_id: user.id,
      name: 'reader',
      scopes: ['posts:read'],
    });
    expect((await perch.api(scoped.secret, 'GET', '/posts')).status).toBe(200);
    const answer = await perch.api(scoped.secret, 'POST', '/posts', valid());
    expectProblem(answer, 403, 'insufficient_scope');
    expect(answer.body.required_scope).toBe('posts:write');
  });

  test('404 not_found: also for what belongs to others, or to an account the key may not touch', async () => {
    const { body } = await user.api('POST', '/posts', valid());
    const stranger = await perch.user(1);
    const foreign = await stranger.account();
    const bound = await perch.clients.accounts.createKey.mutate({
      user_id: user.id,
      name: 'bound',
      account_ids: [(await user.account()).account_id],
    });
    for (const secret of [stranger.secret, bound.secret]) {
      expectProblem(await perch.api(secret, 'GET', `/posts/${body.id}`), 404, 'not_found');
      expectProblem(
        await perch.api(secret, 'PATCH', `/posts/${body.id}`, { scheduled_at: inMs(7_200_000) }),
        404,
        'not_found',
      );
      expectProblem(await perch.api(secret, 'DELETE', `/posts/${body.id}`), 404, 'not_found');
      expectProblem(await perch.api(secret, 'GET', `/posts/${body.id}/events`), 404, 'not_found');
      expectProblem(await perch.api(secret, 'POST', '/posts', valid()), 404, 'not_found');
    }
    expect((await perch.api(bound.secret, 'GET', '/accounts')).body.data).toHaveLength(1);
    expect((await perch.api(bound.secret, 'GET', '/posts')).body.data).toEqual([]);
    expectProblem(
      await user.api('POST', '/posts', { ...valid(), account_id: foreign.account_id }),
      404,
      'not_found',
    );
    const long = `/posts/${'x'.repeat(300)}`;
    for (const path of ['/posts/post_nonsense', '/media/zzz', '/nothing', '/posts/%', long])
      expectProblem(await user.api('GET', path), 404, 'not_found');
  });

  test('405 method_not_allowed', async () => {
    const answer = await user.api('PUT', '/posts', {});
    expectProblem(answer, 405, 'method_not_allowed');
    expect(answer.headers.get('allow')).toBe('POST, GET');
    for (const [method, type] of [
      ['QUERY', 'application/json'],
      ['PUT', 'text/plain'],
      ['PROPFIND', 'application/json'],
    ] as const)
      expectProblem(
        await user.api(method, '/posts', 'no JSON', { 'content-type': type }),
        405,
        'method_not_allowed',
      );
  });

  test('409 daily_limit_reached says when there is room again', async () => {
    const account = await user.account({ time_zone: 'Asia/Tokyo' });
    const full = {
      account_id: account.account_id,
      tweets: tweets(...Array(7).fill('x')),
      scheduled_at: '2027-03-01T14:59:00.000Z',
    };
    expect((await user.api('POST', '/posts', full)).status).toBe(201);
    const answer = await user.api('POST', '/posts', { ...full, tweets: tweets('x') });
    expectProblem(answer, 409, 'daily_limit_reached');
    expect(answer.body).toMatchObject({
      limit: 7,
      used: 7,
      local_date: '2027-03-01',
      resets_at: '2027-03-01T15:00:00.000Z',
    });
    const nextDay = { ...full, tweets: tweets('x'), scheduled_at: '2027-03-01T15:00:00.000Z' };
    expect((await user.api('POST', '/posts', nextDay)).status).toBe(201);
  });

  test('409 post_not_editable once it was sent', async () => {
    const { body } = await now(user, account_id, 'sent');
    await ended(user, body.id);
    expectProblem(await user.api('DELETE', `/posts/${body.id}`), 409, 'post_not_editable');
    expectProblem(
      await user.api('PATCH', `/posts/${body.id}`, { tweets: tweets('x') }),
      409,
      'post_not_editable',
    );
  });

  test('409 account_disconnected', async () => {
    const gone = await user.account();
    const tenant = { user_id: user.id, account_ids: null };
    await perch.clients.accounts.disconnect.mutate({ tenant, account_id: gone.account_id });
    expectProblem(
      await user.api('POST', '/posts', { ...valid(), account_id: gone.account_id }),
      409,
      'account_disconnected',
    );
  });

  test('431 headers_too_large, and 400 for what is no HTTP', async () => {
    const huge = { 'x-huge': 'x'.repeat(20_000) };
    expectProblem(await user.api('GET', '/posts', undefined, huge), 431, 'headers_too_large');
    const { hostname, port } = new URL(perch.url);
    const socket = connect(Number(port), hostname);
    socket.end('this is no request\r\n\r\n');
    const said = Buffer.concat(await socket.toArray()).toString();
    expect(said).toMatch(/^HTTP\/1\.1 400 Bad Request\r\n/);
    expect(said).toMatch(/application\/problem\+json/);
    expect(JSON.parse(said.split('\r\n\r\n')[1] ?? '')).toMatchObject({
      status: 400,
      code: 'invalid_request',
    });
  });

  test('412 precondition_failed', async () => {
    const { body } = await user.api('POST', '/posts', valid());
    const path = `/posts/${body.id}`;
    await user.api('PATCH', path, { scheduled_at: inMs(5_000_000) }, { 'if-match': '"v1"' });
    const stale = await user.api('DELETE', path, undefined, { 'if-match': '"v1"' });
    expectProblem(stale, 412, 'precondition_failed');
    expect(stale.headers.get('etag')).toBe('"v2"');
    expect((await user.api('DELETE', path, undefined, { 'if-match': '"v2"' })).status).toBe(200);
  });

  test('413 payload_too_large', async () => {
    expectProblem(
      await user.api('POST', '/posts', { pad: 'x'.repeat(1_100_000) }),
      413,
      'payload_too_large',
    );
  });

  test('415 unsupported_media_type', async () => {
    expectProblem(
      await user.api('POST', '/posts', 'text', { 'content-type': 'text/plain' }),
      415,
      'unsupported_media_type',
    );
    const form = new FormData();
    form.append(
      'file',
      new Blob(['<svg xmlns="http://www.w3.org/2000/svg"/>'], { type: 'image/svg+xml' }),
      'x.svg',
    );
    expectProblem(await user.api('POST', '/media', form), 415, 'unsupported_media_type');
  });

  const bad: [string, object, string, string][] = [
    ['no tweets', { tweets: [] }, '/tweets', 'too_small'],
    ['too long', { tweets: tweets('x'.repeat(281)) }, '/tweets/0/text', 'too_long'],
    ['empty', { tweets: tweets('  ') }, '/tweets/0/text', 'empty'],
    ['no such field', { colour: 'red' }, '/colour', 'unknown_field'],
    ['in the past', { scheduled_at: '2020-01-01T00:00:00.000Z' }, '/scheduled_at', 'in_past'],
    ['too far ahead', { scheduled_at: '2040-01-01T00:00:00.000Z' }, '/scheduled_at', 'too_far'],
    [
      'not UTC',
      { scheduled_at: '2027-01-01T00:00:00.000+02:00' },
      '/scheduled_at',
      'invalid_format',
    ],
    [
      'no milliseconds',
      { scheduled_at: '2027-01-01T00:00:00Z' },
      '/scheduled_at',
      'invalid_format',
    ],
    [
      'no such date',
      { scheduled_at: '2027-02-30T09:00:00.000Z' },
      '/scheduled_at',
      'invalid_format',
    ],
    ['no leap year', { scheduled_at: '2027-02-29T09:00:00.000Z' }, '/scheduled_at', 'no_such_date'],
    [
      'no such hour',
      { scheduled_at: '2027-02-28T24:00:00.000Z' },
      '/scheduled_at',
      'invalid_format',
    ],
    ['a NUL', { tweets: tweets('a\0b') }, '/tweets/0/text', 'invalid_format'],
    ['half a character', { tweets: tweets('a\ud83d') }, '/tweets/0/text', 'not_well_formed'],
    [
      'a NUL in replies',
      { auto_reply: { enabled: true, text: '\0' } },
      '/auto_reply/text',
      'invalid_format',
    ],
    ['both times', { publish_now: true }, '/scheduled_at', 'exactly_one'],
    ['neither time', { scheduled_at: undefined }, '/scheduled_at', 'exactly_one'],
    [
      'more than a day holds',
      { tweets: tweets(...Array(8).fill('x')) },
      '/tweets',
      'exceeds_daily_limit',
    ],
    [
      'a plain http URL',
      { tweets: [{ text: 'x', media_urls: ['http://example.com/a.png'] }] },
      '/tweets/0/media_urls/0',
      'invalid_format',
    ],
    [
      'unknown media',
      { tweets: [{ text: 'x', media_ids: ['med_00000000000000000000000000'] }] },
      '/tweets/0/media_ids/0',
      'not_found',
    ],
    [
      'retweet too late',
      { auto_retweet: { enabled: true, after_hours: 169 } },
      '/auto_retweet/after_hours',
      'too_big',
    ],
    ['too many replies', { auto_reply: { enabled: true, max: 101 } }, '/auto_reply/max', 'too_big'],
  ];
  test.for(bad)('422 validation_failed: %s', async ([, change, pointer, code]) => {
    const answer = await user.api('POST', '/posts', { ...valid(), ...change });
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toContainEqual(expect.objectContaining({ pointer, code }));
  });

  test('422 validation_failed: a form has one file, and one alt text that is short enough', async () => {
    const form = new FormData();
    form.append('picture', new Blob([png]), 'a.png');
    const answer = await user.api('POST', '/media', form);
    expectProblem(answer, 422, 'validation_failed');
    expect(answer.body.errors).toMatchObject([{ pointer: '/picture', code: 'unknown_field' }]);
    expectProblem(await user.api('POST', '/media', new FormData()), 422, 'validation_failed');
    const texts: [string[], string][] = [
      [['x'.repeat(1_001)], 'too_big'],
      [['€'.repeat(100_000)], 'too_big'],
      [['one', 'two'], 'repeated'],
    ];
    for (const [given, code] of texts) {
      const form = new FormData();
      form.append('file', new Blob([png]), 'a.png');
      for (const text of given) form.append('alt_text', text);
      const answer = await user.api('POST', '/media', form);
      expectProblem(answer, 422, 'validation_failed');
      expect(answer.body.errors).toMatchObject([{ pointer: '/alt_text', code }]);
    }
    const json = { url: 'https://example.com/a.png', alt_text: 'x'.repeat(1_001) };
    const tooLong = await user.api('POST', '/media', json);
    expect(tooLong.body.errors).toMatchObject([{ pointer: '/alt_text', code: 'too_big' }]);
  });

  const forms: [string, string, string][] = [
    ['no boundary', 'multipart/form-data', 'x'],
    [
      'cut off',
      'multipart/form-data; boundary=b',
      '--b\r\ncontent-disposition: form-data; name="file"; filename="a.png"\r\n\r\nhalf',
    ],
  ];
  test.for(forms)('400 invalid_request: a broken form, %s', async ([, type, body]) => {
    const answer = await user.api('POST', '/media', body, { 'content-type': type });
    expectProblem(answer, 400, 'invalid_request');
  });

  test('422 outside_posting_window says when it opens', async () => {
    const nightly = await user.account({
      posting_window: { opens: '09:00', closes: '17:00' },
      time_zone: 'Europe/Paris',
    });
    const answer = await user.api('POST', '/posts', {
      ...valid(),
      account_id: nightly.account_id,
      scheduled_at: '2027-03-27T18:00:00.000Z',
    });
    expectProblem(answer, 422, 'outside_posting_window');
    // The night after, the clocks go forward.
    expect(answer.body.next_window_start).toBe('2027-03-28T07:00:00.000Z');
  });

  test('422 media_url_rejected: never a private address', async () => {
    for (const url of [
      'https://127.0.0.1/x.png',
      'https://[::1]/x.png',
      'https://localhost/x.png',
    ]) {
      const answer = await user.api('POST', '/media', { url });
      expectProblem(answer, 422, 'media_url_rejected');
      expect(answer.body.reason).toBe('private_address');
    }
    const post = { ...valid(), tweets: [{ text: 'x', media_urls: ['https://10.0.0.1/x.png'] }] };
    const answer = await user.api('POST', '/posts', post);
    expectProblem(answer, 422, 'media_url_rejected');
    expect(answer.body.errors[0].pointer).toBe('/tweets/0/media_urls/0');
  });
});

describe('rehearsal', () => {
  const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  test('what it says of a post is what creating it does', async () => {
    const user = await perch.user(3);
    const open = (await user.account()).account_id;
    const nightly = (
      await user.account({
        posting_window: { opens: '09:00', closes: '17:00' },
        time_zone: 'Europe/Paris',
      })
    ).account_id;
    const drafts = [
      { account_id: open, tweets: tweets('fine'), scheduled_at: inDays(3) },
      { account_id: open, tweets: tweets('fine, see example.com'), scheduled_at: inDays(3) },
      { account_id: open, tweets: tweets('x'.repeat(300), 'y'), scheduled_at: inDays(4) },
      { account_id: open, tweets: tweets(...Array(7).fill('x')), scheduled_at: inDays(3) },
      { account_id: open, tweets: tweets('late'), scheduled_at: '2020-01-01T00:00:00.000Z' },
      { account_id: nightly, tweets: tweets('x'), scheduled_at: '2027-03-27T18:00:00.000Z' },
      { account_id: open, tweets: tweets('x'), publish_now: true },
    ];
    for (const draft of drafts) {
      const rehearsed = await user.api('POST', '/posts/validate', draft);
      expect(rehearsed.status, JSON.stringify(rehearsed.body)).toBe(200);
      const created = await user.api('POST', '/posts', draft);
      const codes = rehearsed.body.issues.map((issue: { code: string }) => issue.code);
      if (created.status === 201) {
        expect(codes.filter((code: string) => code !== 'insufficient_credits')).toEqual([]);
        expect(rehearsed.body.cost.credits).toBe(created.body.cost.credits);
        expect(rehearsed.body.cost.contains_url).toBe(created.body.cost.contains_url);
      } else if (created.body.code === 'validation_failed') {
        const places = (errors: { pointer: string; code: string }[]) =>
          errors.map(({ pointer, code }) => [pointer, code]);
        expect(places(rehearsed.body.issues)).toEqual(places(created.body.errors));
      } else expect(codes).toContain(created.body.code);
    }
  });

  test('a schedule is judged in order: days fill up, credits run out, and each gets its next time', async () => {
    const user = await perch.user(4);
    const { account_id } = await user.account({
      time_zone: 'America/New_York',
      posting_window: { opens: '08:00', closes: '20:00' },
    });
    const on = (scheduled_at: string, count = 1) => ({
      account_id,
      tweets: tweets(...Array(count).fill('x')),
      scheduled_at,
    });
    const { status, body } = await user.api('POST', '/schedule/simulate', {
      posts: [
        on('2027-03-14T15:00:00.000Z', 6),
        on('2027-03-14T16:00:00.000Z', 2),
        on('2027-03-14T06:00:00.000Z'),
        on('2027-03-15T15:00:00.000Z'),
        on('2027-03-16T15:00:00.000Z'),
        on('2027-03-17T15:00:00.000Z'),
        on('2027-03-18T15:00:00.000Z'),
      ],
    });
    expect(status).toBe(200);
    const codes = body.data.map((one: { issues: { code: string }[] }) =>
      one.issues.map((issue) => issue.code).join(),
    );
    expect(codes).toEqual([
      '',
      'daily_limit_reached',
      'outside_posting_window',
      '',
      '',
      '',
      'insufficient_credits',
    ]);
    // The clocks went forward that night.
    expect(body.data[0].local_time).toBe('2027-03-14T11:00:00-04:00');
    expect(body.data[1].next_legal_at).toBe('2027-03-15T12:00:00.000Z');
    expect(body.data[2].next_legal_at).toBe('2027-03-14T12:00:00.000Z');
    expect(body.data[2].posting_window).toMatchObject({ open: false, publishes_at: null });
    expect(body.data[6].credits).toEqual({ available: 0, sufficient: false });
    // Nothing was stored.
    expect((await user.api('GET', '/posts')).body.data).toEqual([]);
  });

  test('another user’s account can not be rehearsed', async () => {
    const user = await perch.user(1);
    const { account_id } = await (await perch.user(1)).account();
    const draft = { account_id, tweets: tweets('x'), scheduled_at: inDays(2) };
    expectProblem(await user.api('POST', '/posts/validate', draft), 404, 'not_found');
    expectProblem(
      await user.api('POST', '/schedule/simulate', { posts: [draft] }),
      404,
      'not_found',
    );
  });
});

describe('test mode', () => {
  const ahead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString();

  test('a test key publishes in the sandbox and never spends', async () => {
    const user = await perch.user(3, 'test');
    expect(user.secret).toMatch(/^perch_test_/);
    const { account_id } = await user.account();
    const { body } = await now(user, account_id, 'for free');
    expect(body.mode).toBe('test');
    expect(await ended(user, body.id)).toMatchObject({
      status: 'posted',
      cost: { charged: false },
    });
    expect((await user.api('GET', '/credits')).body.balance).toBe(1_000_000);
    const { balance, reserved } = await perch.clients.credits.balance.query({ user_id: user.id });
    expect([balance, reserved]).toEqual([3, 0]);
  });

  test('test and live posts do not see each other', async () => {
    const user = await perch.user(1, 'test');
    const { account_id } = await user.account();
    const { secret } = await perch.clients.accounts.createKey.mutate({
      user_id: user.id,
      name: 'live',
    });
    const body = { account_id, tweets: tweets('x'), scheduled_at: ahead(2) };
    const test = (await user.api('POST', '/posts', body)).body;
    const live = (await perch.api(secret, 'POST', '/posts', body)).body;
    const ids = async (key: string) =>
      (await perch.api(key, 'GET', '/posts')).body.data.map((post: { id: string }) => post.id);
    expect([await ids(user.secret), await ids(secret)]).toEqual([[test.id], [live.id]]);
    expectProblem(await perch.api(secret, 'GET', `/posts/${test.id}`), 404, 'not_found');
    expectProblem(await user.api('DELETE', `/posts/${live.id}`), 404, 'not_found');
  });

  const forced = [
    ['insufficient-credits', 'insufficient_credits'],
    ['outside-window', 'outside_posting_window'],
    ['reject', 'platform_rejected'],
    ['unavailable', 'platform_unavailable'],
    ['disconnect', 'account_disconnected'],
  ] as const;
  test.for(forced)('[[sandbox:%s]] forces %s', async ([magic, code]) => {
    const user = await perch.user(0, 'test');
    const { account_id } = await user.account();
    const { body } = await now(user, account_id, `[[sandbox:${magic}]]`);
    expect(await ended(user, body.id)).toMatchObject({ status: 'failed', failure: { code } });
  });

  test('a rehearsal sees the same credits as GET /credits, and spends none of them', async () => {
    const user = await perch.user(0, 'test');
    const { account_id } = await user.account();
    const draft = { account_id, tweets: tweets('free'), publish_now: true };
    const { body: credits } = await user.api('GET', '/credits');
    const { body } = await user.api('POST', '/schedule/simulate', { posts: [draft, draft] });
    expect(body.data.map((post: { credits: unknown }) => post.credits)).toEqual([
      { available: credits.available, sufficient: true },
      { available: credits.available, sufficient: true },
    ]);
  });

  test('the test clock brings scheduled posts nearer, window and all', async () => {
    const user = await perch.user(0, 'test');
    const hour = new Date(Date.now() + 12 * 3_600_000).getUTCHours();
    const hhmm = (h: number) => `${String((h + 24) % 24).padStart(2, '0')}:00`;
    // Open half a day from now, and closed at this moment.
    const { account_id } = await user.account({
      time_zone: 'UTC',
      posting_window: { opens: hhmm(hour - 1), closes: hhmm(hour + 2) },
    });
    const scheduled_at = new Date(Date.now() + 2.5 * 86_400_000).toISOString();
    const { body } = await user.api('POST', '/posts', {
      account_id,
      tweets: tweets('in two days and a half'),
      scheduled_at,
    });
    const advance = (seconds: number, key: string) =>
      user.api('POST', '/test/clock/advance', { seconds }, { 'idempotency-key': key });
    expect((await advance(86_400, 'a-day')).body).toEqual({ moved: 1 });
    expect((await advance(86_400, 'a-day')).body).toEqual({ moved: 1 });
    expect((await user.api('GET', `/posts/${body.id}`)).body).toMatchObject({
      status: 'scheduled',
      scheduled_at: new Date(Date.parse(scheduled_at) - 86_400_000).toISOString(),
    });
    await advance(2 * 86_400, 'two-more');
    expect(await ended(user, body.id)).toMatchObject({ status: 'posted' });
  });

  test('403 insufficient_scope: a live key has no clock', async () => {
    const user = await perch.user(0);
    const answer = await user.api('POST', '/test/clock/advance', { seconds: 60 });
    expectProblem(answer, 403, 'insufficient_scope');
  });
});

test('lists page through everything, newest first, filtered', async () => {
  const user = await perch.user(1);
  const { account_id } = await user.account();
  const ids: string[] = [];
  for (const day of ['10', '11', '12', '13', '14']) {
    const { body } = await user.api('POST', '/posts', {
      account_id,
      tweets: tweets(day),
      scheduled_at: `2027-05-${day}T10:00:00.000Z`,
    });
    ids.push(body.id);
  }
  await user.api('DELETE', `/posts/${ids[0]}`);
  const seen: string[] = [];
  for (let path: string | null = '/posts?limit=2'; path !== null; ) {
    const { body, headers }: Answer = await user.api('GET', path);
    seen.push(...body.data.map((post: { id: string }) => post.id));
    expect(body.has_more).toBe(headers.has('link'));
    path = body.has_more ? `/posts?limit=2&cursor=${body.next_cursor}` : null;
  }
  expect(seen).toEqual(ids.toReversed());
  const some = await user.api(
    'GET',
    '/posts?status=scheduled&scheduled_from=2027-05-11T10:00:00.000Z&scheduled_to=2027-05-13T10:00:00.000Z',
  );
  expect(some.body.data.map((post: { id: string }) => post.id)).toEqual([ids[2], ids[1]]);
});

test('documents and health are there for everyone', async () => {
  const document = await fetch(`${perch.url}/api/v1/openapi.json`);
  expect(await document.json()).toMatchObject({ openapi: '3.1.0' });
  const docs = await fetch(`${perch.url}/docs`);
  expect([docs.status, docs.headers.get('content-type')]).toEqual([
    200,
    expect.stringContaining('text/html'),
  ]);
  expect(await (await fetch(`${perch.url}/problems/daily_limit_reached`)).json()).toMatchObject({
    status: 409,
  });
  expect((await fetch(`${perch.url}/healthz`)).status).toBe(200);
  expect(await (await fetch(`${perch.url}/readyz`)).json()).toMatchObject({ ok: true });
});
