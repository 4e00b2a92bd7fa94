import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from '@perch/local/build';
import { engineSearch, readConfig } from '@perch/local/config';
import {
  helmEngine,
  natsEngine,
  s3Engine,
  stripeMockEngine,
  temporalEngine,
} from '@perch/local/engine-list';
import { type EngineSearch, findEngine } from '@perch/local/engines';
import { startNats } from '@perch/local/nats';
import type { Part } from '@perch/local/part';
import { freePorts } from '@perch/local/ports';
import { startPostgres } from '@perch/local/postgres';
import { startTemporal } from '@perch/local/temporal';
import { findTimeSkippingServer } from '@perch/local/time-skipping-server';
import type {} from '@perch/proto/testing';
import type { TestProject } from 'vitest/node';
import { blueskyEngine } from './platforms/bluesky/engine.ts';

const password = 'only-for-this-run';
const say = (line: string) => console.log(line);

/** Starts one real PostgreSQL, NATS and Temporal for the whole test run, and ends them after it. */
export default async function engines(project: TestProject): Promise<() => Promise<void>> {
  const search = engineSearch(readConfig(process.env), say);
  await build();
  const programs = {
    nats: await findEngine(natsEngine, search),
    temporal: await findEngine(temporalEngine, search),
  };
  if (process.env['CI']) await getRest(search);
  const home = await mkdtemp(join(tmpdir(), 'perch-test-'));
  await chmod(home, 0o711);
  const running: Part[] = [];
  const stop = async () => {
    for (const part of running.toReversed()) await part.stop();
    await rm(home, { recursive: true, force: true });
  };
  try {
    const at = (name: string) => ({
      dir: join(home, name),
      logFile: join(home, `${name}.log`),
      say,
    });
    const ports = await freePorts({
      postgres: 0,
      nats: 0,
      a: 0,
      b: 0,
      c: 0,
      d: 0,
      e: 0,
      f: 0,
      g: 0,
      h: 0,
    });
    const postgres = await startPostgres({ ...at('postgres'), port: ports.postgres, password });
    running.push(postgres);
    const nats = await startNats({
      ...at('nats'),
      programs: programs.nats,
      port: ports.nats,
      token: 'test',
    });
    running.push(nats);
    const temporal = await startTemporal({
      ...at('temporal'),
      programs: programs.temporal,
      postgresUrl: postgres.url,
      ports: {
        frontend: { rpc: ports.a, membership: ports.b },
        history: { rpc: ports.c, membership: ports.d },
        matching: { rpc: ports.e, membership: ports.f },
        worker: { rpc: ports.g, membership: ports.h },
      },
    });
    running.push(temporal);
    project.provide('postgresUrl', postgres.url);
    project.provide('natsUrl', nats.url);
    project.provide('temporalAddress', temporal.address);
    project.provide('timeSkippingServer', await findTimeSkippingServer(search));
  } catch (error) {
    await stop();
    throw error;
  }
  return stop;
}

/**
 * Where all tests run, the engines of single files are got before any of them: a program that is built beside a test
 * that looks at the clock would spoil it. One that can not be had is told of by its tests.
 */
async function getRest(search: EngineSearch): Promise<void> {
  for (const engine of [s3Engine, stripeMockEngine, helmEngine])
    await findEngine(engine, search).catch(() => undefined);
  await findTimeSkippingServer(search).catch(() => undefined);
  await blueskyEngine(search.cacheDir, say).catch(() => undefined);
}
