import { parseSettings, serviceSettings } from '@perch/proto/settings';
import { z } from 'zod';

const Settings = z
  .object({
    ...serviceSettings,
    /** Where this service listens for bytes, from inside the installation only. */
    PERCH_MEDIA_PORT: z.coerce.number().int().min(0).max(65_535),
    PERCH_MEDIA_HOST: z.string().default('127.0.0.1'),
    /** The same, as the gateway and the accounts service reach it. */
    PERCH_MEDIA_URL: z.url(),
    /** Signs the URLs by which bytes come and go. */
    PERCH_MEDIA_SECRET: z.string().min(32, 'must have at least 32 characters'),
    /** Keeps media in this folder … */
    PERCH_MEDIA_DIR: z.string().optional(),
    /** … or in this bucket of an S3-compatible store. */
    PERCH_S3_BUCKET: z.string().optional(),
    PERCH_S3_ENDPOINT: z.url().optional(),
    PERCH_S3_REGION: z.string().default('us-east-1'),
    PERCH_S3_ACCESS_KEY_ID: z.string().optional(),
    PERCH_S3_SECRET_ACCESS_KEY: z.string().optional(),
  })
  .refine((s) => s.PERCH_MEDIA_DIR !== undefined || s.PERCH_S3_BUCKET !== undefined, {
    path: ['PERCH_MEDIA_DIR'],
    message: 'set it, or PERCH_S3_BUCKET',
  });

/** The settings of the media service. */
export type Config = ReturnType<typeof readConfig>;

/** Reads and checks the environment; throws one message that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const s = parseSettings(Settings, env);
  const credentials =
    s.PERCH_S3_ACCESS_KEY_ID && s.PERCH_S3_SECRET_ACCESS_KEY
      ? { accessKeyId: s.PERCH_S3_ACCESS_KEY_ID, secretAccessKey: s.PERCH_S3_SECRET_ACCESS_KEY }
      : undefined;
  return {
    databaseUrl: s.DATABASE_URL,
    databasePool: s.PERCH_DATABASE_POOL,
    migrateAtStart: s.PERCH_MIGRATE_AT_START,
    stopTimeoutMs: s.PERCH_STOP_SECONDS * 1_000,
    natsUrl: s.NATS_URL,
    logLevel: s.PERCH_LOG_LEVEL,
    health: { port: s.PERCH_HEALTH_PORT, host: s.PERCH_HEALTH_HOST },
    host: s.PERCH_MEDIA_HOST,
    port: s.PERCH_MEDIA_PORT,
    ownUrl: s.PERCH_MEDIA_URL,
    secret: s.PERCH_MEDIA_SECRET,
    // A bucket wins: the local stack always has a folder at hand.
    storage: s.PERCH_S3_BUCKET
      ? {
          bucket: s.PERCH_S3_BUCKET,
          region: s.PERCH_S3_REGION,
          endpoint: s.PERCH_S3_ENDPOINT,
          credentials,
        }
      : { dir: s.PERCH_MEDIA_DIR ?? '' },
  };
}
