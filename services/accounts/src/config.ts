import {
  EncryptionKeys,
  parseSettings,
  serviceSettings,
  temporalSettings,
} from '@perch/proto/settings';
import { z } from 'zod';

const Settings = z.object({
  ...serviceSettings,
  ...temporalSettings,
  /** Encrypts the tokens of connected accounts: `k2:<base64>,k1:<base64>`; the first encrypts, all decrypt. */
  PERCH_TOKEN_KEYS: EncryptionKeys,
  /** The address of the gateway that browsers use; platforms send people back to it. */
  PERCH_PUBLIC_URL: z.url(),
  /** How long a send to a real platform may take before its outcome is unknown. */
  PERCH_SEND_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(120).default(30),
  /** Whether servers of platforms may be on `http://localhost:<port>`; for trying things out on one machine. */
  PERCH_PLATFORM_LOOPBACK: z.stringbool().default(false),
});

/** What the settings say of platforms. */
export type PlatformSettings = ReturnType<typeof readConfig>['platforms'];

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
    serves: s.PERCH_ROLE !== 'work',
    works: s.PERCH_ROLE !== 'serve',
    temporal: { address: s.TEMPORAL_ADDRESS, namespace: s.TEMPORAL_NAMESPACE },
    tokenKeys: s.PERCH_TOKEN_KEYS,
    platforms: {
      publicUrl: s.PERCH_PUBLIC_URL,
      sendTimeoutMs: s.PERCH_SEND_TIMEOUT_SECONDS * 1_000,
      loopback: s.PERCH_PLATFORM_LOOPBACK,
    },
    faultPointsUrl: s.PERCH_FAULT_POINTS_URL,
  };
}
