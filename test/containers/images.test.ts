import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { basename } from 'node:path';
import { promisify } from 'node:util';
import { buildImage } from '@perch/docker/images';
import { deployables } from '@perch/docker/tree';
import { freePorts } from '@perch/local/ports';
import { type Clients, connectClients } from '@perch/proto/clients';
import { createDatabase } from '@perch/proto/database';
import { type Nats, openNats } from '@perch/proto/nats';
import { createLogger } from '@perch/proto/process';
import type { StartedTestContainer } from 'testcontainers';
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest';
import { findDocker, runToEnd, startContainer } from './docker.ts';

const run = promisify(execFile);
// `npm run test:images`: building takes minutes, and wants a Docker engine.
const wanted = Boolean(process.env['PERCH_TEST_IMAGES']);
const docker = wanted ? await findDocker() : null;
const tag = 'test';
const imageOf = (name: string) => `perch/${name}:${tag}`;
const key = () => `k1:${randomBytes(32).toString('base64')}`;

describe.runIf(docker !== null)('on images', () => {
  const started = new Map<string, StartedTestContainer>();
  const lines: string[] = [];
  let nats: Nats;
  let clients: Clients;
  let url: string;

  beforeAll(async () => {
    // Nothing here is left behind that would need reaping, and the reaper is an image to pull.
    process.env['TESTCONTAINERS_RYUK_DISABLED'] = 'true';
    for (const deployable of deployables)
      await buildImage(deployable, { docker: docker ?? '', tag, offline: true, say: console.log });
    const ports = await freePorts({ gateway: 0, media: 0 });
    url = `http://127.0.0.1:${ports.gateway}`;
    for (const [name, env] of Object.entries(await settings(ports))) {
      const job = { image: imageOf(name), env, onLine: (line: string) => void lines.push(line) };
      if (name !== 'gateway') await runToEnd({ ...job, command: ['src/migrate.ts'] });
      started.set(name, await startContainer(job));
    }
    nats = await openNats({
      url: inject('natsUrl'),
      name: 'images',
      log: createLogger('test', 'silent'),
    });
    clients = connectClients(nats);
  }, 1_200_000);

  afterAll(async () => {
    await nats?.close();
    for (const container of started.values()) await container.stop();
    if (process.env['PERCH_DEBUG']) console.log(lines.join(''));
  }, 120_000);

  /** What each process is told, as the chart tells it. */
  async function settings(ports: {
    gateway: number;
    media: number;
  }): Promise<Record<string, Record<string, string>>> {
    const common = { NATS_URL: inject('natsUrl'), PERCH_LOG_LEVEL: 'info' };
    const temporal = { TEMPORAL_ADDRESS: inject('temporalAddress') };
    const service = async (name: string) => ({
      ...common,
      DATABASE_URL: await createDatabase(inject('postgresUrl'), `images_${name}`),
      PERCH_MIGRATE_AT_START: 'false',
    });
    return {
      credits: await service('credits'),
      media: {
        ...(await service('media')),
        PERCH_MEDIA_DIR: '/tmp/media',
        PERCH_MEDIA_PORT: String(ports.media),
        PERCH_MEDIA_URL: `http://127.0.0.1:${ports.media}`,
        PERCH_MEDIA_SECRET: randomBytes(32).toString('hex'),
      },
      accounts: {
        ...(await service('accounts')),
        ...temporal,
        PERCH_TOKEN_KEYS: key(),
        PERCH_PUBLIC_URL: url,
      },
      posts: { ...(await service('posts')), ...temporal, PERCH_WEBHOOK_KEYS: key() },
      gateway: { ...common, PORT: String(ports.gateway), PERCH_PUBLIC_URL: url },
    };
  }

  test('a post goes from POST to posted', { timeout: 120_000 }, async () => {
    await expect
      .poll(
        () =>
          fetch(`${url}/readyz`).then(
            ({ status }) => status,
            () => 0,
          ),
        { timeout: 60_000 },
      )
      .toBe(200);
    const email = 'images@perch.example';
    const { id: user_id } = await clients.accounts.createUser.mutate({ email, plan: 'paid' });
    const grant = { user_id, credits: 5, reason: 'test', idempotency_key: 'test' };
    await clients.credits.grant.mutate(grant);
    const { secret } = await clients.accounts.createKey.mutate({ user_id, name: 'test' });
    const { account_id } = await clients.accounts.connectSandbox.mutate({
      user_id,
      handle: 'images',
      settings: { posting_window: { opens: '00:00', closes: '24:00' } },
    });
    const api = async (method: string, path: string, body?: object) => {
      const headers = { authorization: `Bearer ${secret}`, 'content-type': 'application/json' };
      const response = await fetch(`${url}/api/v1${path}`, {
        method,
        headers,
        ...(body && { body: JSON.stringify(body) }),
      });
      // biome-ignore lint/suspicious/noExplicitAny: the test looks into answers as a caller's script would.
      const answer: any = await response.json();
      return answer;
    };
    const tweets = [{ text: 'Hello from a container' }];
    const { id } = await api('POST', '/posts', { account_id, tweets, publish_now: true });
    await expect
      .poll(async () => (await api('GET', `/posts/${id}`)).status, { timeout: 60_000 })
      .toBe('posted');
    expect((await api('GET', '/credits')).balance).toBe(4);
  });

  test.each(deployables)(
    'the image of %s is no root, holds no shell, and lists what is in it',
    async (deployable) => {
      const inspect = ['inspect', imageOf(basename(deployable))];
      const [image] = JSON.parse((await run(docker ?? '', inspect)).stdout);
      expect(image.Config).toMatchObject({
        User: '65532:65532',
        Entrypoint: ['/usr/local/bin/node'],
        Labels: { 'org.opencontainers.image.title': `perch/${deployable}` },
      });
      const container = started.get(basename(deployable));
      const inside = async (script: string) =>
        (await container?.exec(['/usr/local/bin/node', '-p', script]))?.output.trim();
      expect(await inside('process.getuid()')).toBe('65532');
      expect(await inside("require('fs').existsSync('/bin/sh')")).toBe('false');
      expect(await inside("try{require('fs').writeFileSync('/app/x','')}catch(e){e.code}")).toBe(
        'EROFS',
      );
      const sbom = JSON.parse(
        (await inside("require('fs').readFileSync('/app/sbom.cdx.json','utf8')")) ?? '',
      );
      const names = sbom.components.map((component: { name: string }) => component.name);
      expect(names).toEqual(expect.arrayContaining(['node', 'zod', '@trpc/server']));
      expect(names).not.toContain('vitest');
    },
  );

  test('SIGTERM ends each in order, with nothing left in hand', { timeout: 90_000 }, async () => {
    for (const [name, container] of [...started].reverse()) {
      await run(docker ?? '', ['stop', '--time', '20', container.getId()]);
      const state = ['inspect', '--format', '{{.State.ExitCode}}', container.getId()];
      expect([name, (await run(docker ?? '', state)).stdout.trim()]).toEqual([name, '0']);
    }
  });
});

test.runIf(wanted)('there is a Docker engine to build images with', () => {
  expect(docker).not.toBeNull();
});
