import { parseSettings, serviceSettings, temporalSettings } from '@perch/proto/settings';
import { z } from 'zod';

/** `<id>:<base64>` pairs by comma; each key is 32 bytes. */
const TokenKeys = z.string().transform((text, context) => {
  const keys = text.split(',').map((pair) => {
    const [id = '', base64 = ''] = pair.trim().split(':');
    return { id, key: Buffer.from(base64, 'base64') };
  });
  if (keys.every(({ id, key }) => /^[A-Za-z0-9]+$/.test(id) && key.length === 32)) return keys;
  context.addIssue({
    code: 'custom',
    message: 'must be like k1:<32 bytes in base64>, several by comma',
  });
  return z.NEVER;
});

const Settings = z.object({
  ...serviceSettings,
  ...temporalSettings,
  /** Encrypts the tokens of connected accounts: `k2:<base64>,k1:<base64>`; the first encrypts, all decrypt. */
  PERCH_TOKEN_KEYS: TokenKeys,
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
