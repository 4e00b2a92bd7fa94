import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { rows } from '../generated/operations.ts';
import { json, problem, startStandIn } from '../testing.ts';
import { run } from './run.ts';

const PERCH_KEY = 'perch_live_secret';
let folder: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'perch-api-'));
});
afterAll(() => rm(folder, { recursive: true }));

/** One command line, with what it said. */
async function typed(url: string, words: string[], env = {}, stdin = '') {
  const out: string[] = [];
  const err: string[] = [];
  const code = await run(words, {
    env: { PERCH_KEY, PERCH_URL: url, ...env },
    stdin: Readable.from([stdin]),
    print: (line) => out.push(line),
    complain: (line) => err.push(line),
  });
  return { code, out: out.join('\n'), err: err.join('\n') };
}

const nowhere = 'http://127.0.0.1:9';

test('help names every operation, and what each takes', async () => {
  const { code, out } = await typed(nowhere, ['--help'], { PERCH_KEY: '' });
  expect(code).toBe(0);
  for (const id of Object.keys(rows)) {
    expect(out).toContain(id);
    const one = await typed(nowhere, [id, '--help'], { PERCH_KEY: '' });
    expect([one.code, one.out]).toEqual([0, expect.stringContaining(`perch-api ${id}`)]);
  }
  const update = await typed(nowhere, ['updatePost', '-h']);
  expect(update.out).toMatch(/updatePost <id>[\s\S]*--if-match[\s\S]*--body[\s\S]*"scheduled_at"/);
});

test('a body comes from the argument, a file or stdin', async () => {
  const created = json(201, { id: 'post_1' });
  await using api = await startStandIn(created, created, created);
  const file = join(folder, 'post.json');
  await writeFile(file, '{"from":"file"}');
  const first = await typed(api.url, [
    ...['createPost', '--body', '{"from":"argument"}'],
    ...['--idempotency-key', 'order-7'],
  ]);
  expect(first).toEqual({ code: 0, out: '{\n  "id": "post_1"\n}', err: '' });
  await typed(api.url, ['createPost', '--body', `@${file}`]);
  await typed(api.url, ['createPost', '--body', '-'], {}, '{"from":"stdin"}');
  expect(api.seen.map(({ body }) => JSON.parse(body).from)).toEqual(['argument', 'file', 'stdin']);
  expect(api.seen[0]?.headers).toMatchObject({
    authorization: `Bearer ${PERCH_KEY}`,
    'idempotency-key': 'order-7',
  });
});

test('parameters are flags, those of the path words too; a list can be read to its end', async () => {
  await using api = await startStandIn(
    json(200, {}),
    json(200, { data: [{ id: 'a' }], next_cursor: 'c1' }),
    json(200, { data: [{ id: 'b' }], next_cursor: null }),
    json(201, {}),
  );
  await typed(api.url, ['cancelPost', 'post_1', '--if-match', '"v2"']);
  const all = await typed(api.url, ['listPosts', '--all', '--account-id', 'acc_1']);
  expect(all).toEqual({ code: 0, out: '{"id":"a"}\n{"id":"b"}', err: '' });
  const picture = join(folder, 'a.png');
  await writeFile(picture, 'bytes of a picture');
  await typed(api.url, ['createMedia', '--file', picture, '--alt-text', 'A lighthouse.']);
  expect(api.seen.map(({ url }) => url)).toEqual([
    '/api/v1/posts/post_1',
    '/api/v1/posts?account_id=acc_1',
    '/api/v1/posts?account_id=acc_1&cursor=c1',
    '/api/v1/media',
  ]);
  expect(api.seen[0]?.headers['if-match']).toBe('"v2"');
  expect(api.seen[3]?.body).toMatch(/name="file"; filename="a.png"[\s\S]*bytes of a picture/);
  expect(api.seen[3]?.body).toMatch(/name="alt_text"\s+A lighthouse\.\s/);
});

test('a failure is a problem on stderr and 1, without the key', async () => {
  await using api = await startStandIn(problem(404, { code: 'not_found' }));
  const { code, out, err } = await typed(api.url, ['getPost', 'post_1']);
  expect([code, out, JSON.parse(err)]).toEqual([
    1,
    '',
    expect.objectContaining({ code: 'not_found', detail: 'says why', status: 404 }),
  ]);
  expect(err).not.toContain(PERCH_KEY);
});

test.for([
  { words: ['dropPosts'], says: 'there is no operation dropPosts' },
  { words: ['getPost'], says: 'id is required' },
  { words: ['getPost', 'post_1', 'post_2'], says: 'post_2 is one word too many' },
  { words: ['getPost', '--nr', '1'], says: '--nr' },
  { words: ['createPost'], says: 'body is required' },
  { words: ['createMedia'], says: 'form or body is required' },
  { words: ['createPost', '--body', '{'], says: '--body' },
  { words: ['createPost', '--body', '@/nowhere.json'], says: '/nowhere.json can not be read' },
  { words: ['createMedia', '--file', '/'], says: '/ is no file' },
  { words: ['listPosts'], env: { PERCH_KEY: '' }, says: 'PERCH_KEY is missing' },
  { words: ['listPosts'], env: { PERCH_URL: 'perch' }, says: 'PERCH_URL must be' },
])('$words is not typed as it should be: $says', async ({ words, env, says }) => {
  const { code, err } = await typed(nowhere, words, env);
  expect([code, err]).toEqual([2, expect.stringContaining(says)]);
});
