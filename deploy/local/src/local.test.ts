import { execFileSync, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { chmod, mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { readConfig } from './config.ts';
import { natsEngine, s3Engine, temporalEngine } from './engine-list.ts';
import { checksumOf, defaultCacheDir, findEngine } from './engines.ts';
import { onFreePorts } from './ports.ts';
import { claimHome, readRunState, releaseHome, writeRunState } from './run-state.ts';
import { loadSecrets } from './secrets.ts';
import { pauseMs } from './supervisor.ts';

let dir: string;
let said: string[];
const say = (line: string) => void said.push(line);
const platform = { os: 'linux', arch: 'x64' };

beforeEach(async () => {
  dir = await mkdtemp(join(tmpdir(), 'perch-local-'));
  said = [];
});
afterEach(() => rm(dir, { recursive: true, force: true }));

async function fakeEngine(folder: string, ...programs: string[]): Promise<void> {
  await mkdir(folder, { recursive: true });
  for (const program of programs) {
    await writeFile(join(folder, program), '#!/bin/sh\n');
    await chmod(join(folder, program), 0o755);
  }
}

test('an engine is looked for in the setting, then on PATH, then in the cache', async () => {
  const [set, path, cacheDir] = [join(dir, 'set'), join(dir, 'path'), join(dir, 'cache')];
  for (const folder of [set, path, join(cacheDir, 'engines/nats-server-2.15.2-linux-x64')])
    await fakeEngine(folder, 'nats-server');
  const find = (env: Record<string, string>) =>
    findEngine(natsEngine, { env, platform, cacheDir, say });
  expect(await find({ PERCH_NATS_DIR: set, PATH: path })).toEqual({
    server: join(set, 'nats-server'),
  });
  expect(await find({ PATH: path })).toEqual({ server: join(path, 'nats-server') });
  expect((await find({ PATH: '' }))['server']).toContain(cacheDir);
  await expect(find({ PERCH_NATS_DIR: dir })).rejects.toThrow('PERCH_NATS_DIR');
});

test('a release is downloaded once, and thrown away when its checksum is wrong', async () => {
  await fakeEngine(join(dir, 'made/nats-server-v1'), 'nats-server');
  execFileSync('tar', [
    '-czf',
    join(dir, 'nats.tar.gz'),
    '-C',
    join(dir, 'made'),
    'nats-server-v1',
  ]);
  const archive = await readFile(join(dir, 'nats.tar.gz'));
  let sum = createHash('sha256').update(archive).digest('hex');
  let downloads = 0;
  const server = createServer((request, response) => {
    if (request.url === '/sums') return response.end(`${sum}  nats.tar.gz\n`);
    downloads += 1;
    response.setHeader('content-length', archive.length).end(archive);
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  const release = () => ({
    url: `${base}/nats.tar.gz`,
    file: 'nats.tar.gz',
    checksumsUrl: `${base}/sums`,
  });
  const engine = { ...natsEngine, release, go: ['perch.invalid/nothing@v0.0.0'] };
  const search = { env: { PATH: '' }, platform, cacheDir: join(dir, 'cache'), say };
  expect((await findEngine(engine, search))['server']).toContain(join(dir, 'cache'));
  await findEngine(engine, search);
  expect([downloads, said.join()]).toEqual([1, expect.stringContaining('100 %')]);
  sum = '0'.repeat(64);
  await expect(findEngine(engine, { ...search, cacheDir: join(dir, 'other') })).rejects.toThrow(
    /checksum[\s\S]*PERCH_NATS_DIR/,
  );
  server.close();
});

test('both programs of Temporal must be in one place', async () => {
  await fakeEngine(join(dir, 'half'), 'temporal-server');
  const search = { env: { PERCH_TEMPORAL_DIR: join(dir, 'half') }, platform, cacheDir: dir, say };
  await expect(findEngine(temporalEngine, search)).rejects.toThrow('temporal-sql-tool');
});

test('releases are named as their projects name them', () => {
  expect(natsEngine.release({ os: 'darwin', arch: 'arm64' })?.file).toBe(
    'nats-server-v2.15.2-darwin-arm64.tar.gz',
  );
  expect(temporalEngine.release(platform)?.file).toBe('temporal_1.32.0_linux_amd64.tar.gz');
  expect(temporalEngine.release({ os: 'win32', arch: 'x64' })).toBeNull();
  expect(s3Engine.release(platform)?.file).toBe('versitygw_v1.8.0_Linux_x86_64.tar.gz');
});

test('a checksum is found by the name of its file', () => {
  const sums = 'AB12  other.tar.gz\ncd34 *file.tar.gz\nef56  ./dir/more.tar.gz\n';
  expect(checksumOf(sums, 'file.tar.gz')).toBe('cd34');
  expect(checksumOf(sums, 'other.tar.gz')).toBe('ab12');
  expect(checksumOf(sums, 'more.tar.gz')).toBe('ef56');
  expect(checksumOf(sums, 'none.tar.gz')).toBeNull();
});

test('the cache is where the system keeps caches', () => {
  expect(defaultCacheDir({ XDG_CACHE_HOME: '/c' }, platform)).toBe(join('/c', 'perch'));
  expect(defaultCacheDir({}, { os: 'darwin', arch: 'arm64' })).toContain('Library/Caches');
});

test('what dies again and again is started ever more slowly, but never given up', () => {
  expect([1, 2, 3, 6, 50].map(pauseMs)).toEqual([200, 400, 800, 6_400, 10_000]);
});

test('wrong settings are all named', () => {
  expect(() =>
    readConfig({ PORT: '99999', PERCH_LOG_LEVEL: 'loud', DATABASE_URL: 'mysql://x/y' }),
  ).toThrow(/PORT[\s\S]*DATABASE_URL[\s\S]*PERCH_LOG_LEVEL/);
});

test('secrets are made once, for their owner alone', async () => {
  const secrets = await loadSecrets(dir);
  expect(await loadSecrets(dir)).toEqual(secrets);
  expect((await stat(join(dir, 'secrets.json'))).mode & 0o077).toBe(0);
});

test('what a killed supervisor left behind is ended, and only that', async () => {
  const [orphan, stranger] = [sleeper('perch-orphan'), sleeper('somebody-else')];
  await writeFile(join(dir, 'run.lock'), '999999');
  await writeRunState(dir, {
    pid: 999_999,
    marker: 'gone',
    gatewayUrl: 'http://localhost:1',
    natsUrl: '',
    temporalAddress: '',
    parts: {
      posts: { pid: orphan.pid ?? 0, marker: 'perch-orphan', restarts: 0 },
      // The number of a process that ended long ago, and is somebody else's by now.
      credits: { pid: stranger.pid ?? 0, marker: 'perch-credits', restarts: 0 },
    },
  });
  const ended = once(orphan, 'exit');
  expect(await claimHome(dir, say)).toBeNull();
  await ended;
  expect(said.join()).toContain('posts: still runs');
  expect(stranger.exitCode).toBeNull();
  stranger.kill();
  await releaseHome(dir);
  expect(await readRunState(dir)).toBeNull();
});

test('ports are chosen anew until a start succeeds, and then kept', async () => {
  const tried: number[] = [];
  const start = onFreePorts({ port: 0 }, async ({ port }) => {
    tried.push(port);
    if (tried.length === 1) throw new Error('taken');
    return port;
  });
  await expect(start()).rejects.toThrow('taken');
  expect([await start(), await start()]).toEqual([tried[1], tried[1]]);
  expect(tried[1]).not.toBe(tried[0]);
});

test('a second start finds the first, however that was started', async () => {
  const first = sleeper('deploy/local/src/main.ts');
  await writeFile(join(dir, 'run.lock'), String(first.pid));
  expect(await claimHome(dir, say)).toMatchObject({ pid: first.pid });
  first.kill();
  await once(first, 'exit');
  expect(await claimHome(dir, say)).toBeNull();
});

function sleeper(name: string) {
  return spawn(process.execPath, ['-e', 'setInterval(() => {}, 1000)', name], { stdio: 'ignore' });
}
