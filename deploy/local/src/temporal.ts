import { execFile } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { createDatabase } from '@perch/proto/database';
import { Connection } from '@temporalio/client';
import { msToTs } from '@temporalio/common/lib/time.js';
import type { Programs } from './engines.ts';
import { type Part, startPart } from './part.ts';

const run = promisify(execFile);

/** The loopback ports that one Temporal server takes: a gRPC and a membership port for each of its roles. */
export type TemporalPorts = Record<
  'frontend' | 'history' | 'matching' | 'worker',
  { rpc: number; membership: number }
>;

/** Kept for closed workflows; a post's own record is in Perch's database. */
const retentionDays = 7;

/** A Temporal server, all roles in one process, with its state in PostgreSQL. */
export async function startTemporal(options: {
  programs: Programs;
  dir: string;
  ports: TemporalPorts;
  postgresUrl: string;
  logFile: string;
  say(line: string): void;
}): Promise<Part & { address: string }> {
  const { dir, ports, say } = options;
  await mkdir(dir, { recursive: true });
  await createDatabase(options.postgresUrl, 'temporal');
  await createDatabase(options.postgresUrl, 'temporal_visibility');
  await updateSchema(options, 'temporal', 'temporal');
  await updateSchema(options, 'temporal_visibility', 'visibility');
  const config = join(dir, 'temporal.yaml');
  await writeFile(config, serverConfig(options), { mode: 0o600 });
  await writeFile(join(dir, 'dynamic.yaml'), dynamicConfig);
  const address = `127.0.0.1:${ports.frontend.rpc}`;
  const part = await startPart({
    name: 'temporal',
    command: options.programs['server'] ?? '',
    args: ['--config-file', config, '--allow-no-auth', 'start'],
    env: { PATH: process.env['PATH'] ?? '' },
    logFile: options.logFile,
    ready: () => ready(address, say),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 10_000,
  });
  return { ...part, address };
}

/** Brings one of Temporal's two databases to the version of the program; repeated, it does nothing. */
async function updateSchema(
  options: { programs: Programs; postgresUrl: string; say(line: string): void },
  database: string,
  schema: string,
): Promise<void> {
  const url = new URL(options.postgresUrl);
  const env = {
    PATH: process.env['PATH'] ?? '',
    SQL_PLUGIN: 'postgres12_pgx',
    SQL_HOST: url.hostname,
    SQL_PORT: url.port,
    SQL_USER: url.username,
    SQL_PASSWORD: decodeURIComponent(url.password),
    SQL_DATABASE: database,
  };
  const sql = (...args: string[]) => run(options.programs['sql'] ?? '', args, { env });
  const update = () => sql('update-schema', '--schema-name', `postgresql/v12/${schema}`);
  // Only a new database has no version to update from.
  await update().catch(async () => {
    options.say(`temporal: making its ${schema} database, once`);
    await sql('setup-schema', '-v', '0.0');
    await update();
  });
}

/** Waits until the server answers, and makes the namespace `default` if it is new. */
async function ready(address: string, say: (line: string) => void): Promise<void> {
  for (;;) {
    try {
      const connection = await Connection.connect({ address, connectTimeout: 1_000 });
      try {
        await ensureNamespace(connection, say);
        return;
      } finally {
        await connection.close();
      }
    } catch {
      await setTimeout(200);
    }
  }
}

async function ensureNamespace(connection: Connection, say: (line: string) => void): Promise<void> {
  const { workflowService } = connection;
  const known = await workflowService.describeNamespace({ namespace: 'default' }).then(
    () => true,
    () => false,
  );
  if (!known) {
    say('temporal: making the namespace, once');
    const workflowExecutionRetentionPeriod = msToTs(`${retentionDays} days`);
    await workflowService.registerNamespace({
      namespace: 'default',
      workflowExecutionRetentionPeriod,
    });
  }
  // Each role learns of a namespace in its own time; a real answer proves it did.
  await workflowService.describeTaskQueue({
    namespace: 'default',
    taskQueue: { name: 'posts' },
    taskQueueType: 1,
  });
}

/** One node hands out tasks best from one partition per queue; more only forward to each other. */
const dynamicConfig = JSON.stringify({
  'matching.numTaskqueueReadPartitions': [{ value: 1 }],
  'matching.numTaskqueueWritePartitions': [{ value: 1 }],
});

function serverConfig(options: { dir: string; ports: TemporalPorts; postgresUrl: string }): string {
  const { ports } = options;
  const url = new URL(options.postgresUrl);
  const store = (databaseName: string, maxConns: number) => ({
    sql: {
      pluginName: 'postgres12_pgx',
      databaseName,
      connectAddr: url.host,
      connectProtocol: 'tcp',
      user: url.username,
      password: decodeURIComponent(url.password),
      maxConns,
      maxIdleConns: maxConns,
      maxConnLifetime: '1h',
    },
  });
  const role = ({ rpc, membership }: { rpc: number; membership: number }) => ({
    rpc: { grpcPort: rpc, membershipPort: membership, bindOnIP: '127.0.0.1' },
  });
  // JSON is YAML; so no value can break out of its place.
  return JSON.stringify({
    log: { stdout: true, level: 'warn' },
    persistence: {
      defaultStore: 'default',
      visibilityStore: 'visibility',
      // Fixed for the life of the data.
      numHistoryShards: 4,
      datastores: { default: store('temporal', 30), visibility: store('temporal_visibility', 10) },
    },
    global: { membership: { maxJoinDuration: '10s', broadcastAddress: '127.0.0.1' } },
    services: {
      frontend: role(ports.frontend),
      history: role(ports.history),
      matching: role(ports.matching),
      worker: role(ports.worker),
    },
    clusterMetadata: {
      enableGlobalNamespace: false,
      failoverVersionIncrement: 10,
      masterClusterName: 'active',
      currentClusterName: 'active',
      clusterInformation: {
        active: {
          enabled: true,
          initialFailoverVersion: 1,
          rpcName: 'frontend',
          rpcAddress: `127.0.0.1:${ports.frontend.rpc}`,
        },
      },
    },
    dcRedirectionPolicy: { policy: 'noop' },
    dynamicConfigClient: { filepath: join(options.dir, 'dynamic.yaml'), pollInterval: '60s' },
  });
}
