import { once } from 'node:events';
import { type IncomingMessage, request } from 'node:http';
import { text } from 'node:stream/consumers';
import {
  Client,
  InMemoryTransport,
  StreamableHTTPClientTransport,
} from '@modelcontextprotocol/client';
import { expect, test } from 'vitest';
import { rows } from '../generated/operations.ts';
import { Perch } from '../perch.ts';
import { json, problem, startStandIn } from '../testing.ts';
import { createHttpServer } from './http.ts';
import { createMcpServer } from './server.ts';

const apiKey = 'perch_live_secret';

async function connected(baseUrl: string): Promise<Client> {
  const [here, there] = InMemoryTransport.createLinkedPair();
  await createMcpServer(new Perch({ baseUrl, apiKey })).connect(there);
  const client = new Client({ name: 'test', version: '1.0.0' });
  await client.connect(here);
  return client;
}

/** What a tool said, which is JSON. */
async function said(client: Client, name: string, input: Record<string, unknown>) {
  const { isError = false, content } = await client.callTool({ name, arguments: input });
  const [first] = content;
  if (first?.type !== 'text') throw new Error('no text');
  return { isError, text: first.text, value: JSON.parse(first.text) };
}

test('every operation is a tool with the input of the document', async () => {
  const client = await connected('http://127.0.0.1:9');
  const { tools } = await client.listTools();
  expect(tools.map(({ name }) => name)).toEqual(Object.keys(rows));
  const tool = (name: string) => tools.find((one) => one.name === name);
  expect(tool('updatePost')).toMatchObject({
    inputSchema: {
      type: 'object',
      required: ['id', 'body'],
      properties: {
        id: { type: 'string' },
        'If-Match': { type: 'string' },
        body: { type: 'object', properties: { tweets: { type: 'array' } } },
        idempotency_key: { type: 'string' },
      },
    },
    annotations: { readOnlyHint: false },
  });
  expect(tool('getPost')?.annotations?.readOnlyHint).toBe(true);
  expect(tool('getPost')?.inputSchema.properties).not.toHaveProperty('idempotency_key');
  expect(tool('cancelPost')?.annotations?.destructiveHint).toBe(true);
});

test('a tool calls the API, and a failure keeps its code', async () => {
  const errors = [{ pointer: '/tweets/0/text', code: 'empty', detail: 'must not be empty' }];
  await using api = await startStandIn(
    json(201, { id: 'post_1' }),
    problem(422, { code: 'validation_failed', errors }),
  );
  const client = await connected(api.url);
  const input = { body: { tweets: [{ text: 'Hello' }] } };
  const made = await said(client, 'createPost', { ...input, idempotency_key: 'order-7' });
  expect(made).toMatchObject({ isError: false, value: { id: 'post_1' } });
  expect(api.seen[0]).toMatchObject({
    headers: { 'idempotency-key': 'order-7', authorization: `Bearer ${apiKey}` },
    body: JSON.stringify(input.body),
  });
  const refused = await said(client, 'createPost', input);
  expect(refused).toMatchObject({
    isError: true,
    value: { code: 'validation_failed', detail: 'says why', status: 422, errors },
  });
  const wrong = await said(client, 'getPost', { nr: 1 });
  expect(wrong).toMatchObject({ isError: true, value: { code: 'invalid_input' } });
  expect(refused.text + wrong.text).not.toContain(apiKey);
});

test('by HTTP each request brings its key, and only a good host and origin are heard', async () => {
  await using api = await startStandIn(json(200, { who: 'a' }), json(200, { who: 'b' }));
  const server = createHttpServer({ client: { baseUrl: api.url }, allowedHosts: ['mcp.example'] });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? (address?.port ?? 0) : 0;
  try {
    for (const key of ['key_a', 'key_b']) {
      const client = new Client({ name: 'test', version: '1.0.0' });
      const headers = { authorization: `Bearer ${key}` };
      const url = new URL(`http://127.0.0.1:${port}/mcp`);
      await client.connect(new StreamableHTTPClientTransport(url, { requestInit: { headers } }));
      const { value } = await said(client, 'getCredits', {});
      expect(value).toEqual({ who: key === 'key_a' ? 'a' : 'b' });
      await client.close();
    }
    expect(api.seen.map(({ headers }) => headers.authorization)).toEqual([
      'Bearer key_a',
      'Bearer key_b',
    ]);
    const authorization = 'Bearer key_a';
    const asked = (headers: Record<string, string>, path = '/mcp') => ask(port, path, headers);
    expect((await asked({ authorization, host: 'evil.example' })).status).toBe(403);
    expect((await asked({ authorization, origin: 'https://evil.example' })).status).toBe(403);
    expect((await asked({ authorization }, '/')).status).toBe(404);
    const keyless = await asked({});
    expect([keyless.status, keyless.challenge]).toEqual([401, 'Bearer realm="perch"']);
    expect((await asked({ authorization, host: 'mcp.example' })).status).toBe(200);
    expect((await asked({ authorization, origin: 'http://localhost:6274' })).status).toBe(200);
  } finally {
    server.closeAllConnections();
    server.close();
  }
});

/** One POST with headers that `fetch` would not let pass. */
async function ask(port: number, path: string, headers: Record<string, string>) {
  const asking = request({
    ...{ port, host: '127.0.0.1', path, method: 'POST' },
    headers: {
      accept: 'application/json, text/event-stream',
      'content-type': 'application/json',
      ...headers,
    },
  });
  const answered = new Promise<IncomingMessage>((resolve, reject) => {
    asking.once('response', resolve).once('error', reject);
  });
  asking.end(JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list' }));
  const response = await answered;
  const body = await text(response);
  return { status: response.statusCode, challenge: response.headers['www-authenticate'], body };
}
