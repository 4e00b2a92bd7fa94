import type { ChildProcess } from 'node:child_process';
import { join } from 'node:path';
import type { Config } from './config.ts';
import { repoDir } from './config.ts';
import { type Part, startPart } from './part.ts';
import { onFreePorts } from './ports.ts';
import type { Secrets } from './secrets.ts';

/** What every service is told of the engines. */
export interface Engines {
  natsUrl: string;
  temporalAddress: string;
  /** The database of each service. */
  databases: Record<ServiceName, string>;
}

/** The services that own a database, in the order they start. */
export const serviceNames = ['accounts', 'credits', 'media', 'posts'] as const;
export type ServiceName = (typeof serviceNames)[number];

/** How to start each of Perch's own processes on these engines; by name, services first, the gateway last. */
export function serviceStarters(options: {
  config: Config;
  secrets: Secrets;
  engines: Engines;
  /** The gateway's: for callers, and for operators. */
  port: number;
  operatorPort: number;
  onLine(name: string, line: string): void;
}): Record<ServiceName | 'gateway', () => Promise<Part>> {
  const { config, secrets, engines } = options;
  const common = {
    ...pass(config.env),
    NODE_ENV: 'production',
    NATS_URL: engines.natsUrl,
    TEMPORAL_ADDRESS: engines.temporalAddress,
    PERCH_LOG_LEVEL: config.logLevel,
  };
  const start = (name: string, main: string, env: Record<string, string>) => () =>
    startPart({
      name,
      command: process.execPath,
      args: [join(repoDir, main)],
      env: { ...common, ...env, ...healthEnv(config, name) },
      logFile: join(config.home, 'logs', `${name}.log`),
      ready: saysReady,
      stopSignal: 'SIGTERM',
      stopTimeoutMs: 15_000,
      ipc: true,
      onLine: (line) => options.onLine(name, line),
    });
  const service = (name: ServiceName, own: Record<string, string> = {}) =>
    start(name, `services/${name}/src/main.ts`, {
      DATABASE_URL: engines.databases[name],
      ...own,
    });
  const media = (mediaPort: number) =>
    service('media', {
      PERCH_MEDIA_DIR: join(config.home, 'media'),
      ...given(config.env, 'PERCH_S3_'),
      PERCH_MEDIA_PORT: String(mediaPort),
      PERCH_MEDIA_URL: `http://127.0.0.1:${mediaPort}`,
      PERCH_MEDIA_SECRET: secrets.mediaSecret,
    });
  const port = String(options.port);
  const publicUrl = config.env['PERCH_PUBLIC_URL'] ?? `http://localhost:${port}`;
  return {
    accounts: service('accounts', {
      PERCH_TOKEN_KEYS: secrets.tokenKeys,
      PERCH_PUBLIC_URL: publicUrl,
      ...(keepsMail(config.env, publicUrl) && { PERCH_MAIL: 'local' }),
      PERCH_DEMO_PLAN: config.env['PERCH_DEMO_PLAN'] ?? 'true',
    }),
    credits: service('credits'),
    media: onFreePorts({ port: 3_010 }, (chosen) => media(chosen.port)()),
    posts: service('posts', {
      PERCH_WEBHOOK_KEYS: secrets.webhookKeys,
      PERCH_WEBHOOK_LOOPBACK: config.env['PERCH_WEBHOOK_LOOPBACK'] ?? 'true',
    }),
    gateway: start('gateway', 'gateway/src/main.ts', {
      PORT: port,
      PERCH_PUBLIC_URL: publicUrl,
      PERCH_OPERATOR_PORT: String(options.operatorPort),
      PERCH_OPERATOR_HOST: '127.0.0.1',
    }),
  };
}

/** On one machine mails are shown on a local page; never where others come in, for they hold links to sign in by. */
function keepsMail(env: Config['env'], publicUrl: string): boolean {
  return !env['PERCH_SMTP_URL'] && new URL(publicUrl).hostname === 'localhost';
}

/** Each process has its own port, after the one that is set. */
function healthEnv({ healthPort }: Config, name: string): Record<string, string> {
  const index = ['gateway', ...serviceNames].indexOf(name);
  const port = healthPort === 0 ? 0 : healthPort + index;
  return { PERCH_HEALTH_PORT: String(port), PERCH_HEALTH_HOST: '127.0.0.1' };
}

/** The process contract of `runProcess`: the message `ready`. */
function saysReady(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.on('message', (message) => {
      if (
        typeof message === 'object' &&
        message !== null &&
        'type' in message &&
        message.type === 'ready'
      )
        resolve();
    });
  });
}

/** What a process needs of our own environment: the system's basics, tracing's, and Perch's settings. */
function pass(env: Config['env']): Record<string, string> {
  const basics = Object.entries(env).filter(([name]) =>
    ['PATH', 'HOME', 'TMPDIR', 'LANG', 'SystemRoot'].includes(name),
  );
  return { ...strings(basics), ...given(env, 'OTEL_'), ...given(env, 'PERCH_') };
}

function given(env: Config['env'], prefix: string): Record<string, string> {
  return strings(Object.entries(env).filter(([name]) => name.startsWith(prefix)));
}

function strings(entries: [string, string | undefined][]): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
}
