import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { createServer, request as httpRequest } from 'node:http';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Answer, type Perch, startPerch, type TestUser } from './perch.ts';

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let perch: Perch;
let mediaDb: pg.Pool;
let postsDb: pg.Pool;
let user: TestUser;
let account_id = '';
let keys = 0;

beforeAll(async () => {
  perch = await startPerch();
  user = await perch.user(100);
  ({ account_id } = await user.account());
  const url = new URL(await perch.postgresUrl());
  url.pathname = '/perch_media';
  mediaDb = new pg.Pool({ connectionString: url.href });
  url.pathname = '/perch_posts';
  postsDb = new pg.Pool({ connectionString: url.href });
}, 120_000);
afterAll(async () => {
  await Promise.all([mediaDb?.end(), postsDb?.end()]);
  await perch?.stop();
});

let posts = 0;
const newKey = () => `key-${++keys}`;
const aPost = () => {
  const day = 2 + Math.floor(++posts / 7);
  const scheduled_at = new Date(Date.now() + day * 86_400_000).toISOString();
  return { account_id, tweets: [{ text: `once ${posts}` }], scheduled_at };
};
const replayed = (answer: Answer) => answer.headers.get('idempotent-replayed');

/** A different image each time, so that its copies can be counted. */
const anImage = () => Buffer.concat([png, Buffer.from(newKey())]);

function form(bytes: Buffer, altText?: string): FormData {
  const data = new FormData();
  if (altText !== undefined) data.append('alt_text', altText);
  data.append('file', new Blob([new Uint8Array(bytes)], { type: 'image/png' }), 'a.png');
  return data;
}

/** An operation that changes something; `effects` tells how often it has done so. */
interface Mutation {
  name: string;
  service: 'posts' | 'media';
  prepare(): Promise<Prepared>;
}
interface Prepared {
  ask(key: string, url?: string): Promise<Answer>;
  effects(): Promise<number>;
}

/** One request, by whatever road. */
const asking =
  (method: string, path: string, body: () => unknown): Prepared['ask'] =>
  (key, url) =>
    user.api(method, path, body(), { 'idempotency-key': key }, url);

const mutations: Mutation[] = [
  {
    name: 'POST /posts',
    service: 'posts',
    prepare: async () => {
      const body = aPost();
      const effects = async () => {
        const all: { tweets: { text: string }[] }[] = (await user.api('GET', '/posts?limit=100'))
          .body.data;
        return all.filter((post) => post.tweets[0]?.text === body.tweets[0]?.text).length;
      };
      return { ask: asking('POST', '/posts', () => body), effects };
    },
  },
  {
    name: 'PATCH /posts/{id}',
    service: 'posts',
    prepare: async () => {
      const { body: post } = await user.api('POST', '/posts', aPost());
      const body = { tweets: [{ text: 'patched' }] };
      return {
        ask: asking('PATCH', `/posts/${post.id}`, () => body),
        effects: () => eventsOf(post.id, 'post.updated'),
      };
    },
  },
  {
    name: 'DELETE /posts/{id}',
    service: 'posts',
    prepare: async () => {
      const { body: post } = await user.api('POST', '/posts', aPost());
      return {
        ask: asking('DELETE', `/posts/${post.id}`, () => undefined),
        effects: () => eventsOf(post.id, 'post.cancelled'),
      };
    },
  },
  {
    name: 'POST /media',
    service: 'media',
    prepare: async () => {
      const bytes = anImage();
      const sha256 = createHash('sha256').update(bytes).digest('hex');
      const effects = async () => {
        const { rows } = await mediaDb.query(
          "select count(*)::int as count from media where status = 'ready' and sha256 = $1",
          [sha256],
        );
        return rows[0].count;
      };
      return { ask: asking('POST', '/media', () => form(bytes)), effects };
    },
  },
  {
    name: 'POST /webhook_endpoints',
    service: 'posts',
    prepare: async () => {
      const url = `http://localhost:9/${newKey()}`;
      const effects = async () => (await endpoints()).filter((one) => one.url === url).length;
      return { ask: asking('POST', '/webhook_endpoints', () => ({ url })), effects };
    },
  },
  {
    name: 'PATCH /webhook_endpoints/{id}',
    service: 'posts',
    prepare: async () => {
      const { id } = await anEndpoint();
      const description = newKey();
      const effects = async () =>
        (await endpoints()).filter((one) => one.description === description).length;
      return { ask: asking('PATCH', `/webhook_endpoints/${id}`, () => ({ description })), effects };
    },
  },
  {
    name: 'DELETE /webhook_endpoints/{id}',
    service: 'posts',
    prepare: async () => {
      const { id } = await anEndpoint();
      const effects = async () => ((await endpoints()).some((one) => one.id === id) ? 0 : 1);
      return { ask: asking('DELETE', `/webhook_endpoints/${id}`, () => undefined), effects };
    },
  },
  {
    name: 'POST /webhook_endpoints/{id}/rotate_secret',
    service: 'posts',
    prepare: async () => {
      const { id } = await anEndpoint();
      // Rotated twice, the first secret would be forgotten.
      const effects = async () => {
        const { rows } = await postsDb.query(
          'select (old_secret is not null)::int as count from webhook_endpoint where id = $1',
          [id],
        );
        return rows[0].count;
      };
      return {
        ask: asking('POST', `/webhook_endpoints/${id}/rotate_secret`, () => undefined),
        effects,
      };
    },
  },
  {
    name: 'POST /webhook_endpoints/{id}/test',
    service: 'posts',
    prepare: async () => {
      const { id } = await anEndpoint();
      const effects = async () =>
        (await user.api('GET', `/webhook_endpoints/${id}/deliveries`)).body.data.length;
      return { ask: asking('POST', `/webhook_endpoints/${id}/test`, () => undefined), effects };
    },
  },
  {
    name: 'POST /webhook_deliveries/{id}/replay',
    service: 'posts',
    prepare: async () => {
      const endpoint = await anEndpoint();
      const { id } = (await user.api('POST', `/webhook_endpoints/${endpoint.id}/test`)).body;
      const effects = async () => {
        const sql = 'select run - 1 as count from webhook_delivery where id = $1';
        return (await postsDb.query(sql, [id])).rows[0].count;
      };
      return { ask: asking('POST', `/webhook_deliveries/${id}/replay`, () => undefined), effects };
    },
  },
  {
    name: 'POST /test/clock/advance',
    service: 'posts',
    prepare: async () => {
      const tester = await perch.user(0, 'test');
      const own = (await tester.account()).account_id;
      const { body: post } = await tester.api('POST', '/posts', { ...aPost(), account_id: own });
      const effects = async () => {
        const { body } = await tester.api('GET', `/posts/${post.id}`);
        return (Date.parse(post.scheduled_at) - Date.parse(body.scheduled_at)) / 60_000;
      };
      const ask: Prepared['ask'] = (key, url) =>
        tester.api('POST', '/test/clock/advance', { seconds: 60 }, { 'idempotency-key': key }, url);
      return { ask, effects };
    },
  },
];

interface Endpoint {
  id: string;
  url: string;
  description: string;
}

async function endpoints(): Promise<Endpoint[]> {
  return (await user.api('GET', '/webhook_endpoints')).body.data;
}

/** A new endpoint; the others go, for there is a limit. */
async function anEndpoint(): Promise<Endpoint> {
  for (const { id } of await endpoints()) await user.api('DELETE', `/webhook_endpoints/${id}`);
  return (await user.api('POST', '/webhook_endpoints', { url: 'http://localhost:9/' })).body;
}

async function eventsOf(id: string, type: string): Promise<number> {
  const { body } = await user.api('GET', `/posts/${id}/events`);
  return body.data.filter((event: { type: string }) => event.type === type).length;
}

/** As an SDK does: again and again with the same key, until there is an answer that is not "later". */
async function insist(ask: () => Promise<Answer>): Promise<Answer> {
  for (;;) {
    const answer = await ask().catch(() => null);
    if (answer && !answer.body.retryable && answer.body.code !== 'outcome_unknown') return answer;
    await new Promise((resolve) => setTimeout(resolve, 200));
  }
}

describe.for(mutations)('$name', ({ service, prepare }) => {
  test('asked again with the same key, the same answer comes again', async () => {
    const { ask, effects } = await prepare();
    const key = newKey();
    const first = await ask(key);
    expect([first.status < 300, replayed(first)]).toEqual([true, null]);
    const second = await ask(key);
    expect([second.status, second.body, replayed(second)]).toEqual([
      first.status,
      first.body,
      'true',
    ]);
    for (const header of ['etag', 'location'])
      expect(second.headers.get(header)).toBe(first.headers.get(header));
    expect(await effects()).toBe(1);
  });

  test('20 at once do it once', async () => {
    const { ask, effects } = await prepare();
    const key = newKey();
    const answers = await Promise.all(Array.from({ length: 20 }, () => insist(() => ask(key))));
    for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
    expect(await effects()).toBe(1);
  });

  test('an answer that was lost on its way is got by asking again', async () => {
    const { ask, effects } = await prepare();
    const key = newKey();
    await using road = await openLossyRoad(perch.url);
    await expect(ask(key, road.url)).rejects.toThrow();
    const again = await insist(() => ask(key));
    expect([again.status < 300, replayed(again), await effects()]).toEqual([true, 'true', 1]);
  });

  test.for(['gateway', service])(
    'kill -9 of %s under way: asked again, it is done once',
    { timeout: 60_000 },
    async (victim) => {
      const { ask, effects } = await prepare();
      const key = newKey();
      const asked = Array.from({ length: 4 }, () => insist(() => ask(key)));
      const back = restarted(victim);
      await perch.kill(victim);
      const answers = await Promise.all(asked);
      await back;
      expect(answers[0]?.status, JSON.stringify(answers[0]?.body)).toBeLessThan(300);
      for (const answer of answers) expect(answer.body).toEqual(answers[0]?.body);
      expect(await effects()).toBe(1);
    },
  );
});

test('422 idempotency_key_reused: the same key for something else', async () => {
  const key = { 'idempotency-key': newKey() };
  const body = aPost();
  expect((await user.api('POST', '/posts', body, key)).status).toBe(201);
  const other = await user.api('POST', '/posts', { ...body, tweets: [{ text: 'other' }] }, key);
  expect(other).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  const upload = { 'idempotency-key': newKey() };
  expect((await user.api('POST', '/media', form(anImage()), upload)).status).toBe(201);
  const otherBytes = await user.api('POST', '/media', form(anImage()), upload);
  expect(otherBytes).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
  const bytes = anImage();
  const described = { 'idempotency-key': newKey() };
  const first = await user.api('POST', '/media', form(bytes, 'one thing'), described);
  const again = await user.api('POST', '/media', form(bytes, 'one thing'), described);
  expect([again.body, replayed(again)]).toEqual([first.body, 'true']);
  const otherwise = await user.api('POST', '/media', form(bytes, 'another'), described);
  expect(otherwise).toMatchObject({ status: 422, body: { code: 'idempotency_key_reused' } });
});

test('the order of members and the quotes of the IETF draft do not matter', async () => {
  const { account_id: id, tweets, scheduled_at } = aPost();
  const key = newKey();
  const first = { account_id: id, tweets, scheduled_at };
  const { body } = await user.api('POST', '/posts', first, { 'idempotency-key': key });
  const second = { scheduled_at, tweets, account_id: id };
  const again = await user.api('POST', '/posts', second, { 'idempotency-key': `"${key}"` });
  expect([again.body.id, replayed(again)]).toEqual([body.id, 'true']);
});

test('a refused request leaves its key free, and a key belongs to its user', async () => {
  const key = { 'idempotency-key': newKey() };
  const body = aPost();
  expect((await user.api('POST', '/posts', { ...body, tweets: [] }, key)).status).toBe(422);
  expect((await user.api('POST', '/posts', body, key)).status).toBe(201);
  const other = await perch.user(1);
  const own = { ...body, account_id: (await other.account()).account_id };
  const answer = await other.api('POST', '/posts', own, key);
  expect([answer.status, replayed(answer)]).toEqual([201, null]);
});

test('a test key does not get the answer of a live one', async () => {
  const { secret } = await perch.clients.accounts.createKey.mutate({
    user_id: user.id,
    name: 'test',
    mode: 'test',
  });
  const key = { 'idempotency-key': newKey() };
  const body = aPost();
  expect((await user.api('POST', '/posts', body, key)).status).toBe(201);
  const answer = await perch.api(secret, 'POST', '/posts', body, key);
  expect([answer.status, answer.body.code]).toEqual([422, 'idempotency_key_reused']);
});

test('400 invalid_request: a key that is none', async () => {
  for (const key of ['', 'two words', 'x'.repeat(256)]) {
    const answer = await user.api('POST', '/posts', aPost(), { 'idempotency-key': key });
    expect(answer).toMatchObject({ status: 400, body: { code: 'invalid_request' } });
  }
});

/** Resolves when the supervisor has started that process once more and all is ready to serve. */
async function restarted(name: string): Promise<void> {
  const restarts = async () => (await perch.state()).parts[name]?.restarts ?? 0;
  const before = await restarts();
  const patience = { timeout: 30_000 };
  await expect.poll(restarts, patience).toBeGreaterThan(before);
  const ready = async () => (await fetch(`${perch.url}/readyz`).catch(() => null))?.status;
  await expect.poll(ready, patience).toBe(200);
}

/** A way to the gateway on which every request arrives and every answer is lost. */
async function openLossyRoad(to: string) {
  const server = createServer((request, response) => {
    const onward = httpRequest(`${to}${request.url}`, {
      method: request.method,
      headers: request.headers,
    });
    request.pipe(onward);
    onward.once('response', (answer) => {
      answer.resume().once('end', () => response.destroy());
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}
