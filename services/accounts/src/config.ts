import {
  EncryptionKeys,
  parseSettings,
  serviceSettings,
  temporalSettings,
} from '@perch/proto/settings';
import { z } from 'zod';
import { billingSettings, readBilling } from './billing/settings.ts';
import { identitySettings, readIdentity, requireLocalMail } from './identity/settings.ts';

const PrivateKey = z.looseObject({
  kty: z.literal('EC'),
  crv: z.literal('P-256'),
  kid: z.string().min(1),
  x: z.string(),
  y: z.string(),
  d: z.string(),
});

const Settings = z.object({
  ...serviceSettings,
  ...temporalSettings,
  /** Encrypts the tokens of connected accounts: `k2:<base64>,k1:<base64>`; the first encrypts, all decrypt. */
  PERCH_TOKEN_KEYS: EncryptionKeys,
  /** The address of the gateway that browsers use; platforms and Stripe send people back to it, and mails link to it. */
  PERCH_PUBLIC_URL: z.url(),
  /** How long a send to a real platform may take before its outcome is unknown. */
  PERCH_SEND_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(120).default(30),
  /** Whether servers of platforms may be on `http://localhost:<port>`; for trying things out on one machine. */
  PERCH_PLATFORM_LOOPBACK: z.stringbool().default(false),
  /** Whether accounts of Bluesky, and of every other server of the AT Protocol, may be connected. */
  PERCH_BLUESKY: z.stringbool().default(true),
  /** Where people sign in that name no server of their own, and where handles are resolved. */
  PERCH_BLUESKY_SERVICE: z.url({ protocol: /^https?$/ }).default('https://bsky.social'),
  /** The directory of the identities of accounts (`did:plc`). */
  PERCH_PLC_URL: z.url({ protocol: /^https?$/ }).default('https://plc.directory'),
  /** A private ES256 key as a JWK with `kid`: makes grants last longer; unset, Perch is a public client. */
  PERCH_BLUESKY_PRIVATE_KEY: z
    .string()
    .transform((text, context) => {
      const key = PrivateKey.safeParse(parseJson(text)).data;
      if (!key) context.addIssue('must be a private ES256 key as a JWK with a kid');
      return key ?? z.NEVER;
    })
    .optional(),
  /** Whether accounts of Mastodon, and of every other server with its API, may be connected. */
  PERCH_MASTODON: z.stringbool().default(true),
  /** The operator's app at X; without it X is not offered. docs/platforms/x.md says how to register one. */
  PERCH_X_CLIENT_ID: z.string().optional(),
  /** Of a confidential client; absent: a public one. */
  PERCH_X_CLIENT_SECRET: z.string().optional(),
  /** X's API. */
  PERCH_X_API_URL: z.url().default('https://api.x.com'),
  /** X's consent page. */
  PERCH_X_AUTHORIZE_URL: z.url().default('https://x.com/i/oauth2/authorize'),
  /** How long X may take to show a post on its author's timeline; a send is not believed absent before. */
  PERCH_X_READ_BACK_LAG_SECONDS: z.coerce.number().min(0).max(3_600).default(120),
  ...identitySettings,
  ...billingSettings,
});

/** What the settings say of platforms. */
export type PlatformSettings = ReturnType<typeof readConfig>['platforms'];

/** What the connector of X is set by. */
export type XSettings = NonNullable<PlatformSettings['x']>;

/** Reads and checks the environment; throws one message that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const s = parseSettings(Settings.check(requireLocalMail), env);
  const sendTimeoutMs = s.PERCH_SEND_TIMEOUT_SECONDS * 1_000;
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
    tokenKeys: s.PERCH_TOKEN_KEYS,
    platforms: {
      publicUrl: s.PERCH_PUBLIC_URL,
      sendTimeoutMs,
      loopback: s.PERCH_PLATFORM_LOOPBACK,
      bluesky: s.PERCH_BLUESKY
        ? {
            service: s.PERCH_BLUESKY_SERVICE,
            plcUrl: s.PERCH_PLC_URL,
            privateKey: s.PERCH_BLUESKY_PRIVATE_KEY ?? null,
          }
        : null,
      mastodon: s.PERCH_MASTODON,
      x: s.PERCH_X_CLIENT_ID
        ? {
            clientId: s.PERCH_X_CLIENT_ID,
            clientSecret: s.PERCH_X_CLIENT_SECRET ?? null,
            apiUrl: s.PERCH_X_API_URL,
            authorizeUrl: s.PERCH_X_AUTHORIZE_URL,
            sendTimeoutMs,
            readBackLagMs: s.PERCH_X_READ_BACK_LAG_SECONDS * 1_000,
          }
        : null,
    },
    faultPointsUrl: s.PERCH_FAULT_POINTS_URL,
    publicUrl: s.PERCH_PUBLIC_URL,
    ...readIdentity(s),
    ...readBilling(s),
  };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
