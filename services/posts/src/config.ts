import {
  EncryptionKeys,
  parseSettings,
  serviceSettings,
  temporalSettings,
} from '@perch/proto/settings';
import { z } from 'zod';

const seconds = (fallback: number) => z.coerce.number().positive().default(fallback);

const Settings = z.object({
  ...serviceSettings,
  ...temporalSettings,
  /** Credits on top for a post that contains a URL (seed §8 leaves 8 or 2 open). */
  PERCH_URL_SURCHARGE: z.coerce.number().int().min(0).default(8),
  /** How long before it is due a post becomes a workflow; until then it is a row. In seconds. */
  PERCH_ARM_AHEAD_SECONDS: seconds(3_600),
  /** How long a post that surely was not sent is tried again, from its due time. In seconds. */
  PERCH_RETRY_FOR_SECONDS: seconds(86_400),
  /** How long an unknown outcome is looked up before the post fails with it. In seconds. */
  PERCH_RECONCILE_FOR_SECONDS: seconds(900),
  /** How often replies are looked for, for auto-reply. In seconds. */
  PERCH_REPLY_EVERY_SECONDS: seconds(300),
  /** How long after posting replies are answered. In seconds; 7 days unless set. */
  PERCH_REPLY_FOR_SECONDS: seconds(604_800),
  /** A charge that takes a balance below this is told by the webhook `credits.low`. */
  PERCH_CREDITS_LOW: z.coerce.number().int().min(0).default(10),
  /** Encrypts the secrets of webhook endpoints: `k2:<base64>,k1:<base64>`; the first encrypts, all decrypt. */
  PERCH_WEBHOOK_KEYS: EncryptionKeys,
  /** Whether webhooks may go to `http://localhost:<port>`, for trying them out on one machine. */
  PERCH_WEBHOOK_LOOPBACK: z.stringbool().default(false),
  /** Workflows this process keeps in memory; one that falls out is replayed when it is needed. */
  PERCH_CACHED_WORKFLOWS: z.coerce.number().int().min(10).default(1_000),
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
    serves: s.PERCH_ROLE !== 'work',
    works: s.PERCH_ROLE !== 'serve',
    temporal: { address: s.TEMPORAL_ADDRESS, namespace: s.TEMPORAL_NAMESPACE },
    cachedWorkflows: s.PERCH_CACHED_WORKFLOWS,
    webhookKeys: s.PERCH_WEBHOOK_KEYS,
    webhookLoopback: s.PERCH_WEBHOOK_LOOPBACK,
    pricing: { per_post: 1, url_surcharge: s.PERCH_URL_SURCHARGE },
    armAheadMs: s.PERCH_ARM_AHEAD_SECONDS * 1_000,
    policy: {
      retryForMs: s.PERCH_RETRY_FOR_SECONDS * 1_000,
      reconcileForMs: s.PERCH_RECONCILE_FOR_SECONDS * 1_000,
      replyEveryMs: s.PERCH_REPLY_EVERY_SECONDS * 1_000,
      replyForMs: s.PERCH_REPLY_FOR_SECONDS * 1_000,
      creditsLow: s.PERCH_CREDITS_LOW,
    },
    faultPointsUrl: s.PERCH_FAULT_POINTS_URL,
  };
}
