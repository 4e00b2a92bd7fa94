import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer, type Server } from 'node:https';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { isPublicAddress, type Network } from '@perch/proto/public-network';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { safeFetch } from './safe-fetch.ts';

let server: Server;
let network: Network;
let dir: string;
const paths: string[] = [];

beforeAll(async () => {
  dir = mkdtempSync(join(tmpdir(), 'perch-tls-'));
  const [key, cert] = [join(dir, 'key.pem'), join(dir, 'cert.pem')];
  execFileSync(
    'openssl',
    [
      ...[
        'req',
        '-x509',
        '-newkey',
        'ec',
        '-pkeyopt',
        'ec_paramgen_curve:P-256',
        '-nodes',
        '-days',
        '2',
        '-subj',
        '/CN=media.test',
      ],
      ...[
        '-addext',
        'subjectAltName=DNS:media.test,DNS:other.test,DNS:private.test,DNS:mixed.test',
        '-keyout',
        key,
        '-out',
        cert,
      ],
    ],
    { stdio: 'ignore' },
  );
  const ca = readFileSync(cert, 'utf8');
  server = createServer({ key: readFileSync(key), cert: ca }, (request, response) => {
    paths.push(request.url ?? '');
    const [, name, target = ''] = /^\/([a-z]+)\??(.*)$/.exec(request.url ?? '') ?? [];
    if (name === 'redirect')
      response.writeHead(302, { location: decodeURIComponent(target) }).end();
    else if (name === 'loop') response.writeHead(302, { location: '/loop' }).end();
    else if (name === 'missing') response.writeHead(404).end();
    else if (name === 'broken')
      response.writeHead(200, { 'content-length': 10 }).write('abc', () => response.destroy());
    else response.writeHead(200, { 'content-type': 'image/png' }).end('bytes');
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  // As on the internet, but this server's loopback address stands for a public one.
  const hosts: Record<string, string[]> = {
    'media.test': ['127.0.0.1'],
    'other.test': ['127.0.0.1'],
    'private.test': ['10.0.0.1'],
    'mixed.test': ['127.0.0.1', '192.168.1.1'],
  };
  network = {
    port: typeof address === 'object' ? (address?.port ?? 0) : 0,
    ca,
    resolve: async (host) => hosts[host] ?? [],
    isPublic: (ip) => ip === '127.0.0.1' || isPublicAddress(ip),
  };
});
afterAll(() => {
  server?.close();
  rmSync(dir, { recursive: true });
});

const at = (path: string, host = 'media.test') => `https://${host}:${network.port}${path}`;
const refused = (reason: string) => ({ code: 'media_url_rejected', details: { reason } });

test('fetches over https, and follows a redirect to another public host', async () => {
  const { body, type } = await safeFetch(
    at(`/redirect?${encodeURIComponent(at('/image', 'other.test'))}`),
    network,
  );
  expect([type, String(await buffer(body))]).toEqual(['image/png', 'bytes']);
});

test('refuses anything private, by name, among many, or behind a redirect, and never connects', async () => {
  for (const url of [at('/secret', 'private.test'), at('/secret', 'mixed.test')]) {
    await expect(safeFetch(url, network)).rejects.toMatchObject(refused('private_address'));
    await expect(
      safeFetch(at(`/redirect?${encodeURIComponent(url)}`), network),
    ).rejects.toMatchObject(refused('private_address'));
  }
  expect(paths).not.toContain('/secret');
});

test('a name that changes its mind is connected to as it was checked', async () => {
  let asked = 0;
  const rebinding: Network = {
    ...network,
    resolve: async () => (asked++ === 0 ? ['127.0.0.1'] : ['10.0.0.1']),
  };
  const { body } = await safeFetch(at('/image'), rebinding);
  expect(String(await buffer(body))).toBe('bytes');
  expect(asked).toBe(1);
});

test('refuses other schemes, ports and credentials', async () => {
  const bad = [
    'http://media.test/',
    'https://media.test:22/',
    `https://a:b@media.test:${network.port}/`,
    'file:///etc/passwd',
    'nonsense',
  ];
  for (const url of bad)
    await expect(safeFetch(url, network)).rejects.toMatchObject(refused('not_https'));
  await expect(
    safeFetch(at(`/redirect?${encodeURIComponent('http://media.test/')}`), network),
  ).rejects.toMatchObject(refused('not_https'));
});

test('says why a URL gave nothing', async () => {
  await expect(safeFetch(at('/missing'), network)).rejects.toMatchObject(refused('bad_status'));
  await expect(safeFetch(at('/loop'), network)).rejects.toMatchObject(
    refused('too_many_redirects'),
  );
  await expect(safeFetch(at('/x', 'nowhere.test'), network)).rejects.toMatchObject(
    refused('unresolvable'),
  );
  const { body } = await safeFetch(at('/broken'), network);
  await expect(buffer(body)).rejects.toMatchObject(refused('unreachable'));
});

test('never tells which address a private host has', async () => {
  const error: Error = await safeFetch(at('/x', 'private.test'), network).then(
    () => new Error('fetched'),
    (cause: Error) => cause,
  );
  expect(JSON.stringify(error) + error.message).not.toContain('10.0.0.1');
});

test('knows every way to write an address that is not public', () => {
  const bad = [
    ...[
      '127.0.0.1',
      '10.1.2.3',
      '172.16.0.1',
      '192.168.0.1',
      '169.254.169.254',
      '100.64.0.1',
      '0.0.0.0',
      '224.0.0.1',
      '255.255.255.255',
    ],
    ...[
      '::1',
      '::',
      'fe80::1',
      'fc00::1',
      'ff02::1',
      '::ffff:127.0.0.1',
      '::ffff:7f00:1',
      '64:ff9b::7f00:1',
      '2002:7f00:1::',
      '2001:0:1::1',
      '2001:db8::1',
    ],
    ...['192.0.2.1', '198.18.0.1', 'not an address'],
  ];
  for (const address of bad) expect([address, isPublicAddress(address)]).toEqual([address, false]);
  for (const address of ['1.1.1.1', '93.184.216.34', '2606:4700::1111'])
    expect(isPublicAddress(address)).toBe(true);
  // How a URL may hide one; the URL parser writes them out before we look.
  for (const host of ['0x7f000001', '2130706433', '0177.0.0.1', '127.1']) {
    expect(new URL(`https://${host}/`).hostname).toBe('127.0.0.1');
  }
});
