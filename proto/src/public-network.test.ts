import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { internet, publicFetch, UnsafeUrl } from './public-network.ts';

const nobody = publicFetch({ ...internet, resolve: async () => ['10.0.0.1'] });

test.for([
  'https://inside.example/',
  'https://127.0.0.1/',
  'https://[::ffff:10.0.0.1]/',
  'http://example.com/',
  'https://example.com:8443/',
  'http://localhost:3000/',
])('a server that a user names is not reached inside the network: %s', async (url) => {
  await expect(nobody(url)).rejects.toBeInstanceOf(UnsafeUrl);
});

test('an address that turned private after it was checked is refused when it is connected to', async () => {
  const answers = [['10.0.0.1', '93.184.215.14']];
  const rebinding = publicFetch({ ...internet, resolve: async () => answers.shift() ?? [] });
  await expect(rebinding('https://example.com/')).rejects.toMatchObject({
    reason: 'private_address',
  });
});

test('on one machine loopback can be reached, its redirects are not followed', async () => {
  const server = createServer((_, response) =>
    response.writeHead(302, { location: 'https://10.0.0.1/' }).end(),
  ).listen(0, '127.0.0.1');
  try {
    const { port } = await new Promise<AddressInfo>((resolve) =>
      server.once('listening', () => resolve(server.address() as AddressInfo)),
    );
    const trying = publicFetch({ ...internet, loopback: true });
    const answer = await trying(`http://127.0.0.1:${port}/`, { method: 'POST', body: 'x' });
    expect(answer.status).toBe(302);
  } finally {
    server.close();
  }
});

test('a time limit holds while a server keeps silent, whatever is collected meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const collect: unknown = runInNewContext('gc');
  if (typeof collect !== 'function') throw new Error('nothing can be collected');
  const server = createServer(() => {}).listen(0, '127.0.0.1');
  const collecting = setInterval(() => collect(), 20);
  try {
    await once(server, 'listening');
    const { port } = server.address() as AddressInfo;
    const trying = publicFetch({ ...internet, loopback: true });
    const limited = trying(`http://127.0.0.1:${port}/`, { signal: AbortSignal.timeout(500) });
    await expect(limited).rejects.toThrow('timeout');
  } finally {
    clearInterval(collecting);
    server.closeAllConnections();
    server.close();
  }
});
