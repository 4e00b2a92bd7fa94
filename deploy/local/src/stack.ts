import { chmod, mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { createDatabase } from '@perch/proto/database';
import { build } from './build.ts';
import { type Config, engineSearch } from './config.ts';
import { natsEngine, temporalEngine } from './engine-list.ts';
import { findEngine } from './engines.ts';
import { startNats } from './nats.ts';
import type { Part } from './part.ts';
import { freePorts, onFreePorts } from './ports.ts';
import { startPostgres } from './postgres.ts';
import { type RunState, stackMarker, writeRunState } from './run-state.ts';
import { loadSecrets, type Secrets } from './secrets.ts';
import { type Engines, type ServiceName, serviceNames, serviceStarters } from './services.ts';
import { createSupervisor, type Supervisor } from './supervisor.ts';
import { startTemporal } from './temporal.ts';

/** The whole of Perch, running. */
export interface Stack {
  gatewayUrl: string;
  /** Where operators have their GraphQL, on this machine alone. */
  operatorsUrl: string;
  natsUrl: string;
  restart(name: ServiceName | 'gateway'): Promise<void>;
  stop(): Promise<void>;
}

/** Starts engines, then services, then the gateway; what is given by URL is used and not started. */
export async function startStack(config: Config, say: (line: string) => void): Promise<Stack> {
  await mkdir(join(config.home, 'logs'), { recursive: true });
  await chmod(config.home, 0o711);
  const secrets = await loadSecrets(config.home);
  const port = await gatewayPort(config);
  const operatorPort = config.operatorPort ?? (await freePorts({ port: 3_001 })).port;
  const state: RunState = {
    pid: process.pid,
    marker: stackMarker,
    gatewayUrl: `http://localhost:${port}`,
    natsUrl: '',
    temporalAddress: '',
    parts: {},
  };
  let written = Promise.resolve();
  const supervisor = createSupervisor({
    say,
    onChange: (parts) => {
      state.parts = Object.fromEntries(
        parts.map(({ name, pid, restarts }) => [
          name,
          { pid, restarts, marker: markerOf(name, config) },
        ]),
      );
      // One after the other: two at a time would take each other's file away.
      written = written.then(() => writeRunState(config.home, state));
      return written;
    },
  });
  try {
    const [engines] = await Promise.all([
      startEngines({ config, secrets, supervisor, say }),
      build(),
    ]);
    state.natsUrl = engines.natsUrl;
    state.temporalAddress = engines.temporalAddress;
    const start = serviceStarters({
      config,
      secrets,
      engines,
      port,
      operatorPort,
      onLine: (name, line) => tell(say, name, line),
    });
    await Promise.all(serviceNames.map((name) => supervisor.run(name, start[name])));
    say('services: accounts, credits, media and posts are up');
    await supervisor.run('gateway', start.gateway);
  } catch (error) {
    await supervisor.stop();
    throw error;
  }
  return {
    gatewayUrl: state.gatewayUrl,
    operatorsUrl: `http://127.0.0.1:${operatorPort}/graphql`,
    natsUrl: state.natsUrl,
    restart: supervisor.restart,
    stop: supervisor.stop,
  };
}

/** The usual port if it is free; exactly the one that is set. */
async function gatewayPort(config: Config): Promise<number> {
  const { port } = await freePorts({ port: config.port ?? 3_000 });
  if (config.port && port !== config.port)
    throw new Error(`PORT=${config.port} is taken by another program`);
  return port;
}

/** The usual ports of Temporal's four roles: for calls, and for finding each other. */
const temporalPorts = {
  frontend: 3_020,
  frontendRing: 3_021,
  history: 3_022,
  historyRing: 3_023,
  matching: 3_024,
  matchingRing: 3_025,
  worker: 3_026,
  workerRing: 3_027,
};

async function startEngines(options: {
  config: Config;
  secrets: Secrets;
  supervisor: Supervisor;
  say(line: string): void;
}): Promise<Engines> {
  const { config, supervisor, say } = options;
  const logFile = (name: string) => join(config.home, 'logs', `${name}.log`);
  const search = engineSearch(config, say);
  // Looked for first, so that a missing one stops the start before anything runs.
  const programs = {
    nats: config.natsUrl ? {} : await findEngine(natsEngine, search),
    temporal: config.temporalAddress ? {} : await findEngine(temporalEngine, search),
  };
  const run = async <P extends Part>(name: string, start: () => Promise<P>) => {
    const part = await supervisor.run(name, start);
    say(`${name}: up`);
    return part;
  };
  const { postgresPassword: password, natsToken: token } = options.secrets;
  const startDatabase = onFreePorts({ port: 3_011 }, ({ port }) =>
    startPostgres({
      dir: join(config.home, 'postgres'),
      port,
      password,
      logFile: logFile('postgres'),
      say,
    }),
  );
  const databaseUrl = config.databaseUrl ?? (await run('postgres', startDatabase)).url;
  const startBus = onFreePorts({ port: 3_012 }, ({ port }) =>
    startNats({
      programs: programs.nats,
      dir: join(config.home, 'nats'),
      port,
      token,
      logFile: logFile('nats'),
    }),
  );
  const natsUrl = config.natsUrl ?? (await run('nats', startBus)).url;
  const startWorkflows = onFreePorts(temporalPorts, (ports) =>
    startTemporal({
      programs: programs.temporal,
      dir: join(config.home, 'temporal'),
      ports: {
        frontend: { rpc: ports.frontend, membership: ports.frontendRing },
        history: { rpc: ports.history, membership: ports.historyRing },
        matching: { rpc: ports.matching, membership: ports.matchingRing },
        worker: { rpc: ports.worker, membership: ports.workerRing },
      },
      postgresUrl: databaseUrl,
      logFile: logFile('temporal'),
      say,
    }),
  );
  const temporalAddress = config.temporalAddress ?? (await run('temporal', startWorkflows)).address;
  return { natsUrl, temporalAddress, databases: await createDatabases(databaseUrl) };
}

async function createDatabases(url: string): Promise<Engines['databases']> {
  return {
    accounts: await createDatabase(url, 'perch_accounts'),
    credits: await createDatabase(url, 'perch_credits'),
    media: await createDatabase(url, 'perch_media'),
    posts: await createDatabase(url, 'perch_posts'),
  };
}

/** A piece of a program's command line that no other program has. */
function markerOf(name: string, config: Config): string {
  if (name === 'gateway') return 'gateway/src/main.ts';
  if (name === 'postgres') return 'postgres -D';
  return name === 'nats' || name === 'temporal'
    ? join(config.home, name)
    : `services/${name}/src/main.ts`;
}

/** Warnings and errors of the services reach the terminal as one line; all else is in their logs. */
function tell(say: (line: string) => void, name: string, line: string): void {
  if (!line.startsWith('{')) {
    say(`${name}: ${line}`);
    return;
  }
  try {
    const entry: unknown = JSON.parse(line);
    if (typeof entry !== 'object' || entry === null || !('level' in entry) || !('msg' in entry))
      return;
    if (Number(entry.level) >= 40) say(`${name}: ${String(entry.msg)}`);
  } catch {
    say(`${name}: ${line}`);
  }
}
