import { parseSettings, serviceSettings } from '@perch/proto/settings';
import { z } from 'zod';

const Settings = z.object({
  ...serviceSettings,
});

/** Reads and checks the environment; throws one message that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const s = parseSettings(Settings, env);
  return {
    databaseUrl: s.DATABASE_URL,
    databasePool: s.PERCH_DATABASE_POOL,
    migrateAtStart: s.PERCH_MIGRATE_AT_START,
    stopTimeoutMs: s.PERCH_STOP_SECONDS * 1_000,
    natsUrl: s.NATS_URL,
    logLevel: s.PERCH_LOG_LEVEL,
    health: { port: s.PERCH_HEALTH_PORT, host: s.PERCH_HEALTH_HOST },
  };
}
