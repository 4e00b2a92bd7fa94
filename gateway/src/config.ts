import { healthSettings, LogLevel, parseSettings } from '@perch/proto/settings';
import { z } from 'zod';
import type { AiSettings } from './dashboard/write-with-ai.ts';

const Settings = z.object({
  ...healthSettings,
  /** Where to listen. */
  PORT: z.coerce.number().int().min(0).max(65_535).default(3_000),
  /** On which address; `0.0.0.0` in a container. */
  PERCH_HOST: z.string().default('127.0.0.1'),
  /** The address that callers use, for links in answers and documents. */
  PERCH_PUBLIC_URL: z.url(),
  /** NATS, for all calls to services. */
  NATS_URL: z.string(),
  /** pino level of the log. */
  PERCH_LOG_LEVEL: LogLevel.default('info'),
  /** How long a valid key is believed without asking again; a revoked one may work for so long. In ms. */
  PERCH_AUTH_CACHE_MS: z.coerce.number().int().min(0).max(60_000).default(2_000),
  /** Requests that one API key may make in a minute, over all replicas. */
  PERCH_KEY_RATE_PER_MINUTE: z.coerce.number().int().min(1).default(600),
  /** Requests from one address in a minute to one replica, counted before the key is looked at. */
  PERCH_IP_RATE_PER_MINUTE: z.coerce.number().int().min(1).default(6_000),
  /** How many proxies in front of the gateway tell the caller's address by `X-Forwarded-For`. */
  PERCH_TRUSTED_PROXIES: z.coerce.number().int().min(0).default(0),
  /** An OpenAI-compatible service that writes drafts in the dashboard, like `https://host/v1`; with a key and a model. */
  PERCH_AI_URL: z.url().optional(),
  PERCH_AI_KEY: z.string().optional(),
  PERCH_AI_MODEL: z.string().optional(),
});

/** Reads and checks the environment; throws one message that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const s = parseSettings(Settings, env);
  return {
    port: s.PORT,
    host: s.PERCH_HOST,
    natsUrl: s.NATS_URL,
    logLevel: s.PERCH_LOG_LEVEL,
    health: { port: s.PERCH_HEALTH_PORT, host: s.PERCH_HEALTH_HOST },
    authCacheMs: s.PERCH_AUTH_CACHE_MS,
    keyRatePerMinute: s.PERCH_KEY_RATE_PER_MINUTE,
    ipRatePerMinute: s.PERCH_IP_RATE_PER_MINUTE,
    trustedProxies: s.PERCH_TRUSTED_PROXIES,
    dashboard: { publicUrl: s.PERCH_PUBLIC_URL, ai: aiOf(s) },
  };
}

/** Writing with AI is on only where all of its settings are there. */
function aiOf(s: z.output<typeof Settings>): AiSettings | null {
  const { PERCH_AI_URL: url, PERCH_AI_KEY: key, PERCH_AI_MODEL: model } = s;
  return url && key && model ? { url, key, model } : null;
}
