import { arch, platform } from 'node:os';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { LogLevel, parseSettings } from '@perch/proto/settings';
import { z } from 'zod';
import { defaultCacheDir, type EngineSearch } from './engines.ts';

/** The checkout: two folders above this room. */
export const repoDir = fileURLToPath(new URL('../../../', import.meta.url));

const Settings = z.object({
  /** Where all state is kept; remove it to begin anew. */
  PERCH_HOME: z.string().optional(),
  /** Where engines are kept once they were got; the user's cache folder unless set. */
  PERCH_CACHE: z.string().optional(),
  /** The gateway's port; when it is not set and 3000 is taken, any free one. */
  PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** The port of the operators' GraphQL, on 127.0.0.1; 3001 or a free one unless set. */
  PERCH_OPERATOR_PORT: z.coerce.number().int().min(1).max(65_535).optional(),
  /** A PostgreSQL server to use instead of the embedded one; its user must be allowed to create databases. */
  DATABASE_URL: z.url({ protocol: /^postgres(ql)?$/ }).optional(),
  /** A NATS server to use instead of the embedded one. */
  NATS_URL: z.string().optional(),
  /** A Temporal frontend, `host:port`, to use instead of the embedded one. */
  TEMPORAL_ADDRESS: z.string().optional(),
  /** The first of five ports, for the health of gateway, accounts, credits, media and posts; 0 opens none. */
  PERCH_HEALTH_PORT: z.coerce.number().int().min(0).max(65_531).default(0),
  /** pino level of the services' logs. */
  PERCH_LOG_LEVEL: LogLevel.default('info'),
});

/** The settings of the local stack. */
export type Config = ReturnType<typeof readConfig>;

/** Reads and checks the environment; throws one message that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const s = parseSettings(Settings, env);
  const here = { os: platform(), arch: arch() };
  return {
    home: resolve(s.PERCH_HOME ?? resolve(repoDir, '.perch')),
    cacheDir: s.PERCH_CACHE ?? defaultCacheDir(env, here),
    port: s.PORT,
    operatorPort: s.PERCH_OPERATOR_PORT,
    databaseUrl: s.DATABASE_URL,
    natsUrl: s.NATS_URL,
    temporalAddress: s.TEMPORAL_ADDRESS,
    healthPort: s.PERCH_HEALTH_PORT,
    logLevel: s.PERCH_LOG_LEVEL,
    env,
  };
}

/** Where to look for engines, by these settings. */
export function engineSearch(
  config: Pick<Config, 'cacheDir' | 'env'>,
  say: (line: string) => void,
): EngineSearch {
  return {
    env: config.env,
    cacheDir: config.cacheDir,
    platform: { os: platform(), arch: arch() },
    say,
  };
}
