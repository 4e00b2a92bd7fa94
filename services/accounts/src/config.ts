import { parseSettings } from '@perch/proto/settings';
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
  /** This service's own PostgreSQL database. */
  DATABASE_URL: z.url(),
  /** NATS, for all calls between services. */
  NATS_URL: z.string(),
  /** Temporal's frontend, `host:port`. */
  TEMPORAL_ADDRESS: z.string(),
  /** Temporal namespace of all of Perch's workflows. */
  TEMPORAL_NAMESPACE: z.string().default('default'),
  /** pino level of the log. */
  PERCH_LOG_LEVEL: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']).default('info'),
  /** Encrypts the tokens of connected accounts: `k2:<base64>,k1:<base64>`; the first encrypts, all decrypt. */
  PERCH_TOKEN_KEYS: TokenKeys,
  /** Connections to the database at the most. */
  PERCH_DATABASE_POOL: z.coerce.number().int().min(2).default(20),
  /** For test/faults alone: asked at each step whether to go on. */
  PERCH_FAULT_POINTS_URL: z.url().optional(),
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
