import { parseSettings } from '@perch/proto/settings';
import { z } from 'zod';

const Settings = z.object({
  /** This service's own PostgreSQL database. */
  DATABASE_URL: z.url(),
  /** NATS, for all calls between services. */
  NATS_URL: z.string(),
  /** pino level of the log. */
  PERCH_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** Connections to the database at the most. */
  PERCH_DATABASE_POOL: z.coerce.number().int().min(2).default(20),
});

/** Reads and checks the environment; throws one message that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const s = parseSettings(Settings, env);
  return {
    databaseUrl: s.DATABASE_URL,
    databasePool: s.PERCH_DATABASE_POOL,
    natsUrl: s.NATS_URL,
    logLevel: s.PERCH_LOG_LEVEL,
  };
}
