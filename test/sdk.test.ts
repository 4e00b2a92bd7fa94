import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Perch, PerchError } from '@perch/sdk';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Perch as Running, startPerch, type TestUser } from './perch.ts';

const program = (name: string) =>
  fileURLToPath(new URL(`../proto/sdk/src/${name}/main.ts`, import.meta.url));

let running: Running;
let user: TestUser;
let perch: Perch;
let account_id: string;

beforeAll(async () => {
  running = await startPerch();
  user = await running.user(100);
  perch = new Perch({ baseUrl: running.url, apiKey: user.secret });
  account_id = (await user.account()).account_id;
}, 120_000);

afterAll(() => running?.stop());

/** A post that goes out at once. */
function saying(text: string) {
  return { account_id, tweets: [{ text }], publish_now: true };
}

async function posted(id: string): Promise<void> {
  await expect.poll(async () => (await perch.getPost({ id })).status).toBe('posted');
}

test('the SDK posts, reads lists to their end, and uploads', async () => {
  const post = await perch.createPost({ body: saying('from the SDK') });
  await posted(post.id);
  const types: string[] = [];
  for await (const { type } of perch.paginate('listPostEvents', { id: post.id, limit: 1 }))
    types.push(type);
  expect(types).toEqual(['post.scheduled', 'post.publishing', 'post.posted']);
  const { value: entry } = await perch.paginate('listCreditEntries', {}).next();
  expect(entry).toMatchObject({ kind: 'charge', post_id: post.id });
  const file = new Blob([Buffer.from(pixel, 'base64')]);
  const asBlob = await perch.createMedia({ form: { file } });
  expect(await perch.getMedia({ id: asBlob.id })).toEqual(asBlob);
  const stream = file.stream();
  const asStream = await perch.createMedia({ form: { file: { stream, type: 'image/png' } } });
  expect(asStream).toMatchObject({ type: asBlob.type, bytes: asBlob.bytes });
});

test('the SDK says by code and field what is wrong', async () => {
  const wrong = await perch.createPost({ body: saying('') }).catch((error: unknown) => error);
  expect(wrong).toBeInstanceOf(PerchError);
  expect(wrong).toMatchObject({
    code: 'validation_failed',
    status: 422,
    errors: [{ pointer: '/tweets/0/text', code: 'empty' }],
  });
});

test('the CLI posts, and says what is wrong', async () => {
  const env = { ...process.env, PERCH_URL: running.url, PERCH_KEY: user.secret };
  const cli = (...words: string[]) =>
    promisify(execFile)(process.execPath, [program('cli'), ...words], { env });
  const body = JSON.stringify(saying('from the CLI'));
  const post = JSON.parse((await cli('createPost', '--body', body)).stdout);
  await posted(post.id);
  const read = JSON.parse((await cli('getPost', post.id)).stdout);
  expect(read.tweets).toEqual([expect.objectContaining({ text: 'from the CLI' })]);
  await expect(cli('getPost', 'post_1')).rejects.toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('"code": "not_found"'),
  });
});

/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
