import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { Client, StreamableHTTPClientTransport } from '@modelcontextprotocol/client';
import { StdioClientTransport } from '@modelcontextprotocol/client/stdio';
import { Perch, PerchError } from '@perch/sdk';
import { afterAll, beforeAll, expect, onTestFinished, test } from 'vitest';
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

test('an MCP client posts by stdio', async () => {
  const client = new Client({ name: 'test', version: '1.0.0' });
  const env = { PERCH_URL: running.url, PERCH_KEY: user.secret };
  await client.connect(
    new StdioClientTransport({ command: process.execPath, args: [program('mcp')], env }),
  );
  await postsBy(client, 'from MCP by stdio');
});

test('an MCP client posts by HTTP, with the key of its request', async () => {
  const env = { ...process.env, PERCH_URL: running.url, PERCH_KEY: '' };
  const server = spawn(process.execPath, [program('mcp'), '--http', '0'], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  onTestFinished(() => void server.kill('SIGKILL'));
  const ended = once(server, 'exit');
  const [line] = await once(createInterface(server.stderr), 'line');
  const url = new URL(String(line).replace('perch-mcp listens at ', ''));
  const withKey = (key: string) => ({
    requestInit: { headers: { authorization: `Bearer ${key}` } },
  });
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(new StreamableHTTPClientTransport(url, withKey(user.secret)));
  await postsBy(client, 'from MCP by HTTP');
  const stranger = new Client({ name: 'test', version: '1.0.0' });
  await stranger.connect(new StreamableHTTPClientTransport(url, withKey('perch_live_wrong')));
  const refused = await said(stranger, 'listPosts', {});
  expect(refused).toMatchObject({ isError: true, value: { code: 'invalid_api_key' } });
  await stranger.close();
  server.kill('SIGTERM');
  expect(await ended).toEqual([0, null]);
});

/** Every operation is a tool; one posts, and another tells what is wrong. */
async function postsBy(client: Client, text: string): Promise<void> {
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['createPost', 'listPosts', 'getCredits', 'createMedia']),
  );
  const made = await said(client, 'createPost', { body: saying(text) });
  expect(made.isError).toBe(false);
  await posted(made.value.id);
  const refused = await said(client, 'createPost', { body: saying('') });
  expect(refused).toMatchObject({ isError: true, value: { code: 'validation_failed' } });
  await client.close();
}

/** What a tool said, which is JSON. */
async function said(client: Client, name: string, input: Record<string, unknown>) {
  const { isError = false, content } = await client.callTool({ name, arguments: input });
  const [first] = content;
  if (first?.type !== 'text') throw new Error('no text');
  return { isError, value: JSON.parse(first.text) };
}

/** A picture of one pixel. */
const pixel =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
