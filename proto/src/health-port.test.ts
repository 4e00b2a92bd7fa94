import { once } from 'node:events';
import { createServer } from 'node:net';
import { afterEach, expect, test } from 'vitest';
import { type HealthPort, openHealthPort } from './health-port.ts';
import { counter, gauge } from './metrics.ts';
import { createLogger } from './process.ts';
import { healthOf } from './rpc.ts';

let lines: { level: number; msg: string }[] = [];
const log = createLogger('test', 'info', { write: (line) => void lines.push(JSON.parse(line)) });
let opened: HealthPort | undefined;
let base = '';
afterEach(() => opened?.close());

async function open(): Promise<HealthPort> {
  lines = [];
  const port = await freePort();
  base = `http://127.0.0.1:${port}`;
  opened = await openHealthPort({ port, host: '127.0.0.1', log });
  return opened;
}

async function freePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  server.close();
  await once(server, 'close');
  return typeof address === 'object' && address ? address.port : 0;
}

const get = async (path: string) => {
  const answer = await fetch(base + path);
  return { status: answer.status, text: await answer.text() };
};

test('a process lives before it is ready, is ready by its checks, and not while it ends', async () => {
  const port = await open();
  expect((await get('/healthz')).status).toBe(200);
  expect(await get('/readyz')).toMatchObject({
    status: 503,
    text: expect.stringContaining('start'),
  });
  let ok = true;
  port.ready(async () => healthOf([{ name: 'nats', ok, detail: 'connected' }]));
  expect((await get('/readyz')).status).toBe(200);
  ok = false;
  await expect.poll(async () => (await get('/readyz')).status).toBe(503);
  expect((await get('/metrics')).text).toContain('perch_check_ok{check="nats"} 0');
  expect((await get('/healthz')).status).toBe(200);
  ok = true;
  await expect.poll(async () => (await get('/readyz')).status).toBe(200);
  port.stopping();
  expect((await get('/readyz')).status).toBe(503);
});

test('a change is told once, by the names of what is missing', async () => {
  const port = await open();
  await get('/readyz');
  let ok = true;
  port.ready(async () => healthOf([{ name: 'database', ok, detail: 'is it there?' }]));
  for (const now of [true, false, true]) {
    ok = now;
    const status = async () => (await get('/readyz')).status;
    await expect.poll(status).toBe(now ? 200 : 503);
    await get('/readyz');
  }
  expect(lines.map((line) => line.msg)).toEqual([
    'not ready: start',
    'ready',
    'not ready: database',
    'ready',
  ]);
});

test('a check that throws is a check that failed, and is told', async () => {
  const port = await open();
  port.ready(() => Promise.reject(new Error('riddle')));
  expect(await get('/readyz')).toMatchObject({
    status: 503,
    text: expect.stringContaining('riddle'),
  });
  expect((await get('/nothing')).status).toBe(404);
});

test('a figure that can not be read, or not in time, is left out, and the others are told', async () => {
  await open();
  gauge({ name: 'perch_test_broken', help: 'x' }, () => Promise.reject(new Error('away')));
  gauge({ name: 'perch_test_hangs', help: 'x' }, () => new Promise<never>(() => {}));
  gauge({ name: 'perch_test_well', help: 'x', labels: ['of'] }, () => [
    { labels: { of: 'a' }, value: 2 },
  ]);
  counter({ name: 'perch_test_total', help: 'x' }).inc();
  const { text } = await get('/metrics');
  expect(text).toContain('perch_test_well{of="a"} 2');
  expect(text).toContain('perch_test_total 1');
  expect(text).toContain('nodejs_eventloop_lag_p99_seconds');
  expect(text).not.toMatch(/^perch_test_(broken|hangs) /m);
});
