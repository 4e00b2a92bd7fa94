import { Readable } from 'node:stream';
import { expect, test } from 'vitest';
import { Perch, PerchError, type PerchOptions } from './index.ts';
import { hangUp, json, problem, startStandIn } from './testing.ts';

const apiKey = 'perch_live_secret';
const body = { account_id: 'acc_1', tweets: [{ text: 'Hello' }], publish_now: true };

/** A client that notes its waits instead of waiting. */
function client(baseUrl: string, options: Partial<PerchOptions> = {}) {
  const waits: number[] = [];
  const wait = async (ms: number) => {
    waits.push(ms);
  };
  return { perch: new Perch({ baseUrl, apiKey, wait, ...options }), waits };
}

async function errorFrom(call: Promise<unknown>): Promise<PerchError> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error instanceof PerchError) return error;
  throw new Error(`no PerchError but ${String(error)}`);
}

test('parameters, body, key and header go where the document says', async () => {
  await using api = await startStandIn(json(200, { id: 'post_1' }), json(200, { data: [] }));
  const { perch } = client(`${api.url}/`);
  await perch.updatePost({ id: 'a/b', 'If-Match': '"v3"', body: { scheduled_at: 'x' } });
  await perch.listPosts({ status: 'posted', limit: 5 });
  const [patch, list] = api.seen;
  expect(patch).toMatchObject({
    method: 'PATCH',
    url: '/api/v1/posts/a%2Fb',
    body: '{"scheduled_at":"x"}',
    headers: {
      authorization: `Bearer ${apiKey}`,
      'content-type': 'application/json',
      'if-match': '"v3"',
      'idempotency-key': expect.stringMatching(/^[0-9a-f-]{36}$/),
    },
  });
  expect(list).toMatchObject({ method: 'GET', url: '/api/v1/posts?status=posted&limit=5' });
  expect(list?.headers).not.toHaveProperty('idempotency-key');
  expect(list?.headers).not.toHaveProperty('content-type');
});

test('a write is tried again with the same key and body, whatever became of it', async () => {
  await using api = await startStandIn(
    hangUp,
    problem(503, { code: 'overloaded' }, { 'retry-after': '3' }),
    problem(504, { code: 'outcome_unknown' }),
    problem(409, { code: 'idempotency_in_flight' }, { 'retry-after': '1' }),
    json(201, { id: 'post_1', status: 'scheduled' }),
  );
  const { perch, waits } = client(api.url);
  await expect(perch.createPost({ body })).resolves.toMatchObject({ id: 'post_1' });
  expect(api.seen.map((one) => JSON.parse(one.body))).toEqual(Array(5).fill(body));
  expect(new Set(api.seen.map(({ headers }) => headers['idempotency-key'])).size).toBe(1);
  expect(waits).toEqual([
    expect.toSatisfy((ms: number) => ms >= 125 && ms <= 250),
    expect.toSatisfy((ms: number) => ms > 3_000 && ms <= 3_250),
    expect.toSatisfy((ms: number) => ms >= 500 && ms <= 1_000),
    expect.toSatisfy((ms: number) => ms > 1_000 && ms <= 2_000),
  ]);
});

test('two calls have two keys, and the caller may give one', async () => {
  const created = json(201, {});
  await using api = await startStandIn(created, created, created);
  const { perch } = client(api.url);
  await perch.createPost({ body });
  await perch.cancelPost({ id: 'post_1' });
  await perch.createPost({ body }, { idempotencyKey: 'order-7' });
  const keys = api.seen.map(({ headers }) => headers['idempotency-key']);
  expect(new Set(keys).size).toBe(3);
  expect(keys[2]).toBe('order-7');
});

test.for([400, 401, 404, 409, 422, 500])('HTTP %i is final', async (status) => {
  const errors = [{ pointer: '/tweets/0/text', code: 'empty', detail: 'must not be empty' }];
  await using api = await startStandIn(problem(status, { code: 'some_code', errors, limit: 7 }));
  const { perch, waits } = client(api.url);
  const error = await errorFrom(perch.createPost({ body }));
  expect(error).toMatchObject({ code: 'some_code', status, requestId: 'req_1', errors });
  expect([error.message, error.retryable, error.problem['limit']]).toEqual(['says why', false, 7]);
  expect(waits).toEqual([]);
  expect(JSON.stringify(error) + error.stack).not.toContain(apiKey);
});

test('it gives up after its retries, with the last answer', async () => {
  await using api = await startStandIn(hangUp, hangUp, problem(503, { code: 'overloaded' }));
  const { perch } = client(api.url, { retry: { retries: 2 } });
  expect(await errorFrom(perch.getCredits())).toMatchObject({
    code: 'overloaded',
    retryable: true,
  });
  expect(api.seen.length).toBe(3);
});

test('it does not wait longer than is sensible', async () => {
  await using api = await startStandIn(problem(429, { code: 'slow' }, { 'retry-after': '3600' }));
  const { perch, waits } = client(api.url);
  expect(await errorFrom(perch.getCredits())).toMatchObject({ code: 'slow', status: 429 });
  expect(waits).toEqual([]);
});

test('no answer, a late one and one that is no problem are errors with a code too', async () => {
  await using api = await startStandIn(
    () => {},
    (response) => response.writeHead(502, { 'x-request-id': 'req_2' }).end('<html>'),
    (response) => response.writeHead(302, { location: 'https://elsewhere.example' }).end(),
  );
  const late = client(api.url, { timeoutMs: 50, retry: { retries: 0 } });
  expect(await errorFrom(late.perch.getCredits())).toMatchObject({ code: 'no_answer', status: 0 });
  const { perch } = client(api.url);
  const html = await errorFrom(perch.getCredits());
  expect(html).toMatchObject({ code: 'unexpected_answer', status: 502, requestId: 'req_2' });
  expect(await errorFrom(perch.getCredits())).toMatchObject({ status: 302 });
});

test('the caller can end a call while it waits', async () => {
  await using api = await startStandIn(problem(503, { code: 'overloaded' }));
  const abort = new AbortController();
  const { perch } = client(api.url, {
    wait: (_, signal) => {
      abort.abort(new Error('enough'));
      return Promise.reject(signal?.reason);
    },
  });
  await expect(perch.getCredits({}, { signal: abort.signal })).rejects.toThrow('enough');
});

test('a list is read page after page, as far as it is asked for', async () => {
  await using api = await startStandIn(
    json(200, { data: [{ id: 'post_1' }, { id: 'post_2' }], has_more: true, next_cursor: 'c1' }),
    json(200, { data: [{ id: 'post_3' }], has_more: false, next_cursor: null }),
    json(200, { data: [{ id: 'post_4' }], has_more: true, next_cursor: 'c2' }),
  );
  const { perch } = client(api.url);
  const ids: string[] = [];
  for await (const post of perch.paginate('listPosts', { status: 'posted' })) ids.push(post.id);
  expect(ids).toEqual(['post_1', 'post_2', 'post_3']);
  for await (const { id } of perch.paginate('listPosts', {})) {
    expect(id).toBe('post_4');
    break;
  }
  expect(api.seen.map(({ url }) => url)).toEqual([
    '/api/v1/posts?status=posted',
    '/api/v1/posts?status=posted&cursor=c1',
    '/api/v1/posts',
  ]);
});

test('a blob is sent again, a stream is sent once', async () => {
  const busy = problem(503, { code: 'overloaded' });
  await using api = await startStandIn(busy, json(201, { id: 'med_1' }), json(201, {}), busy);
  const { perch, waits } = client(api.url);
  const file = new File(['bytes of a picture'], 'a.png', { type: 'image/png' });
  await expect(perch.createMedia({ form: { file } })).resolves.toMatchObject({ id: 'med_1' });
  const streamed = () => ({
    file: {
      stream: Readable.from([Buffer.from('bytes '), Buffer.from('of a picture')]),
      type: 'image/png',
      name: 'a.png',
    },
  });
  await perch.createMedia({ form: streamed() });
  for (const { headers, body } of api.seen) {
    const form = new Response(body, {
      headers: { 'content-type': String(headers['content-type']) },
    });
    const got = (await form.formData()).get('file');
    if (!(got instanceof File)) throw new Error('no file');
    expect([got.name, got.type, await got.text()]).toEqual([
      'a.png',
      'image/png',
      'bytes of a picture',
    ]);
  }
  expect(waits.length).toBe(1);
  expect(await errorFrom(perch.createMedia({ form: streamed() }))).toMatchObject({ status: 503 });
  expect([api.seen.length, waits.length]).toEqual([4, 1]);
});

test('a key that can not be sent is not said either', async () => {
  const secret = 'perch_live_a\nb';
  expect(() => new Perch({ baseUrl: 'http://127.0.0.1:9', apiKey: secret })).toThrow(
    /^the API key has characters/,
  );
  const { perch } = client('http://127.0.0.1:9');
  const error = await errorFrom(perch.createPost({ body }, { idempotencyKey: 'a\nb' }));
  expect(error.code).toBe('invalid_input');
});

test('what no request can be made of is refused without one', async () => {
  const { perch } = client('http://127.0.0.1:9');
  const error = await errorFrom(perch.call('getPost', { nr: 1 }));
  expect(error).toMatchObject({
    code: 'invalid_input',
    errors: [
      { pointer: 'nr', code: 'unknown_field' },
      { pointer: 'id', code: 'required' },
    ],
  });
  expect(() => perch.call('dropPosts')).toThrow('there is no operation dropPosts');
  await expect(perch.callPages('getPost').next()).rejects.toThrow('getPost answers no pages');
});
