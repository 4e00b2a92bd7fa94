import { once } from 'node:events';
import { createServer } from 'node:net';
import { internet, publicFetch } from '@perch/proto/public-network';
import { expect, test } from 'vitest';
import { surelyUnsent } from './surely-unsent.ts';

const reach = publicFetch({ ...internet, loopback: true });
const failureOf = (url: string, init?: RequestInit) =>
  reach(url, init).then(
    () => null,
    (error: unknown) => error,
  );

test('a refused connection and a refused address surely sent nothing', async () => {
  const server = createServer().listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  server.close();
  await once(server, 'close');
  expect(surelyUnsent(await failureOf(`http://127.0.0.1:${port}/`))).toBe(true);
  expect(surelyUnsent(await failureOf('https://10.0.0.1/'))).toBe(true);
  expect(surelyUnsent(await failureOf('https://no-such-host.invalid/'))).toBe(true);
});

test('a connection that breaks after it was made may have carried the request', async () => {
  const server = createServer((socket) => {
    socket.on('error', () => undefined);
    socket.once('data', () => socket.resetAndDestroy());
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  expect(surelyUnsent(await failureOf(`http://127.0.0.1:${port}/`, { method: 'POST' }))).toBe(
    false,
  );
  server.close();
});

test('a timeout tells nothing of what arrived', () => {
  expect(surelyUnsent(new DOMException('timed out', 'TimeoutError'))).toBe(false);
});
