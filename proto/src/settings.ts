import { z } from 'zod';

/** A start that can not go on because the settings are wrong; its message lists every mistake. */
export class SettingsError extends Error {
  override readonly name = 'SettingsError';
}

/** Reads one process's settings from its environment; an empty variable counts as absent. */
export function parseSettings<T extends z.ZodType>(
  schema: T,
  env: Readonly<Record<string, string | undefined>>,
): z.output<T> {
  const given = Object.fromEntries(Object.entries(env).filter(([, value]) => value !== ''));
  const result = schema.safeParse(given);
  if (result.success) return result.data;
  const mistakes = result.error.issues.map((issue) => {
    const name = issue.path.join('.');
    const missing = issue.code === 'invalid_type' && given[name] === undefined;
    return `  ${name}: ${missing ? 'is not set' : issue.message}`;
  });
  throw new SettingsError(`These settings need a change:\n${mistakes.join('\n')}`);
}

/** pino levels of a log. */
export const LogLevel = z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal']);

/** Where a process tells how it is. */
export const healthSettings = {
  /** The port of `/healthz`, `/readyz` and `/metrics`; 0 opens none. Not for the public. */
  PERCH_HEALTH_PORT: z.coerce.number().int().min(0).max(65_535).default(0),
  /** The address to open it on; all of them unless set. */
  PERCH_HEALTH_HOST: z.string().optional(),
};

/** How long a stop may take, from SIGTERM until the process ends whatever is still in hand. In seconds. */
export const StopSeconds = z.coerce.number().min(5).max(600).default(12);

/** What every service with a database is set by; spread it into the service's own settings. */
export const serviceSettings = {
  ...healthSettings,
  /** This service's own PostgreSQL database. */
  DATABASE_URL: z.url(),
  /** NATS, for all calls between services: `nats://token@host:port`, several by comma. */
  NATS_URL: z.string(),
  /** pino level of the log. */
  PERCH_LOG_LEVEL: LogLevel.default('info'),
  /** Connections to the database at the most. */
  PERCH_DATABASE_POOL: z.coerce.number().int().min(2).default(20),
  /** Whether a start brings the tables up to date; where not, `migrate.ts` must have done so before. */
  PERCH_MIGRATE_AT_START: z.stringbool().default(true),
  PERCH_STOP_SECONDS: StopSeconds,
};

/** What a service with a Temporal worker is set by. */
export const temporalSettings = {
  /** Temporal's frontend, `host:port`. */
  TEMPORAL_ADDRESS: z.string(),
  /** Temporal namespace of all of Perch's workflows. */
  TEMPORAL_NAMESPACE: z.string().default('default'),
  /** What this process does: answer calls, run the Temporal worker, or both; so that each scales by itself. */
  PERCH_ROLE: z.enum(['serve', 'work', 'both']).default('both'),
  /** For test/faults alone: asked at each step whether to go on. */
  PERCH_FAULT_POINTS_URL: z.url().optional(),
};

/** `<id>:<base64>` pairs by comma; each key is 32 bytes. */
export const EncryptionKeys = z.string().transform((text, context) => {
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
