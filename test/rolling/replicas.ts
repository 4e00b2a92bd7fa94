import { setTimeout } from 'node:timers/promises';
import { readConfig } from '@perch/local/config';
import type { Part } from '@perch/local/part';
import { freePorts } from '@perch/local/ports';
import { loadSecrets } from '@perch/local/secrets';
import { serviceNames, serviceStarters } from '@perch/local/services';
import { createDatabase } from '@perch/proto/database';
import type { Perch } from '../perch.ts';

/** Every process of Perch, one by one, services first. */
export const processNames = [...serviceNames, 'gateway'] as const;
type ProcessName = (typeof processNames)[number];

/** A second replica of each process of a running Perch, on the same engines and secrets. */
export interface Replicas {
  gatewayUrl: string;
  /** Stops it as Kubernetes does, and starts it again. */
  restart(name: ProcessName): Promise<void>;
  stop(): Promise<void>;
}

/** Starts a second replica of everything beside `perch`. */
export async function startReplicas(perch: Perch, env: Record<string, string>): Promise<Replicas> {
  const { natsUrl, temporalAddress } = await perch.state();
  const server = await perch.postgresUrl();
  const database = (name: string) => createDatabase(server, `perch_${name}`);
  const { port, operatorPort } = await freePorts({ port: 0, operatorPort: 0 });
  const start = serviceStarters({
    config: readConfig({ ...process.env, ...env, PERCH_HOME: perch.home }),
    secrets: await loadSecrets(perch.home),
    engines: {
      natsUrl,
      temporalAddress,
      databases: {
        accounts: await database('accounts'),
        credits: await database('credits'),
        media: await database('media'),
        posts: await database('posts'),
      },
    },
    port,
    operatorPort,
    onLine: () => undefined,
  });
  const parts = new Map<ProcessName, Part>();
  for (const name of processNames) parts.set(name, await start[name]());
  return {
    gatewayUrl: `http://127.0.0.1:${port}`,
    restart: async (name) => {
      await parts.get(name)?.stop();
      parts.set(name, await start[name]());
    },
    stop: async () => {
      for (const part of [...parts.values()].reverse()) await part.stop();
    },
  };
}

/** The same for the replica that Perch's own supervisor keeps: it ends, and the supervisor starts it again. */
export async function restartSupervised(perch: Perch, name: ProcessName): Promise<void> {
  const pid = async () => (await perch.state()).parts[name]?.pid;
  const before = await pid();
  if (before === undefined) throw new Error(`${name} does not run`);
  process.kill(before, 'SIGTERM');
  // The state names a new process once it is ready.
  while ((await pid()) === before) await setTimeout(100);
}
