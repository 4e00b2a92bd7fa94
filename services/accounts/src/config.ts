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
});

/** Reads and checks the environment; throws one message that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const s = parseSettings(Settings, env);
  return {
    databaseUrl: s.DATABASE_URL,
    databasePool: s.PERCH_DATABASE_POOL,
    natsUrl: s.NATS_URL,
    logLevel: s.PERCH_LOG_LEVEL,
    temporal: { address: s.TEMPORAL_ADDRESS, namespace: s.TEMPORAL_NAMESPACE },
    tokenKeys: s.PERCH_TOKEN_KEYS,
    faultPointsUrl: s.PERCH_FAULT_POINTS_URL,
  };
}
