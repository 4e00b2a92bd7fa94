import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { engineSearch, readConfig } from '@perch/local/config';
import { natsEngine, temporalEngine } from '@perch/local/engine-list';
import { findEngine } from '@perch/local/engines';
import { startNats } from '@perch/local/nats';
import { freePorts } from '@perch/local/ports';
import { startPostgres } from '@perch/local/postgres';
import { startTemporal } from '@perch/local/temporal';
import pg from 'pg';
import { openRoad, type Road } from '../road.ts';

/** Engines that nobody starts again but the test, each reached over a road that it can close. */
export interface Engines {
  /** For `startPerch`: it uses these instead of embedded ones. */
  env: { DATABASE_URL: string; NATS_URL: string; TEMPORAL_ADDRESS: string };
  roads: Record<'postgres' | 'nats' | 'temporal', Road>;
  /** PostgreSQL past the road. */
  postgresUrl: string;
  /** Ends Temporal, drops its databases and starts it on new ones. */
  loseTemporal(): Promise<void>;
  stop(): Promise<void>;
}

/** Starts PostgreSQL, NATS and Temporal for one test file. */
export async function startEngines(): Promise<Engines> {
  const say = () => {};
  const search = engineSearch(readConfig(process.env), say);
  const programs = {
    nats: await findEngine(natsEngine, search),
    temporal: await findEngine(temporalEngine, search),
  };
  const home = await mkdtemp(join(tmpdir(), 'perch-outages-'));
  await chmod(home, 0o711);
  const at = (name: string) => ({ dir: join(home, name), logFile: join(home, `${name}.log`), say });
  const names = ['postgres', 'nats', ...'abcdefgh'] as const;
  const ports = await freePorts(Object.fromEntries(names.map((name) => [name, 0])));
  const port = (name: string) => ports[name] ?? 0;
  const password = 'only-for-this-run';
  const postgres = await startPostgres({ ...at('postgres'), port: port('postgres'), password });
  const token = 'test';
  const nats = await startNats({
    ...at('nats'),
    programs: programs.nats,
    port: port('nats'),
    token,
  });
  const run = () =>
    startTemporal({
      ...at('temporal'),
      programs: programs.temporal,
      postgresUrl: postgres.url,
      ports: {
        frontend: { rpc: port('a'), membership: port('b') },
        history: { rpc: port('c'), membership: port('d') },
        matching: { rpc: port('e'), membership: port('f') },
        worker: { rpc: port('g'), membership: port('h') },
      },
    });
  let temporal = await run();
  const roads = {
    postgres: await openRoad(() => port('postgres')),
    nats: await openRoad(() => port('nats')),
    temporal: await openRoad(() => port('a')),
  };
  const via = (url: string, road: Road) => {
    const changed = new URL(url);
    changed.hostname = '127.0.0.1';
    changed.port = String(road.port);
    return changed.href;
  };
  return {
    env: {
      DATABASE_URL: via(postgres.url, roads.postgres),
      NATS_URL: via(nats.url, roads.nats),
      TEMPORAL_ADDRESS: `127.0.0.1:${roads.temporal.port}`,
    },
    roads,
    postgresUrl: postgres.url,
    loseTemporal: async () => {
      await temporal.stop();
      await dropTemporal(postgres.url);
      temporal = await run();
    },
    stop: async () => {
      for (const road of Object.values(roads)) await road.end();
      for (const part of [temporal, nats, postgres]) await part.stop();
      await rm(home, { recursive: true, force: true });
    },
  };
}

async function dropTemporal(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    for (const name of ['temporal', 'temporal_visibility'])
      await client.query(`drop database ${name} with (force)`);
  } finally {
    await client.end();
  }
}
