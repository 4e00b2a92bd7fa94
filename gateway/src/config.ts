import { LogLevel, parseSettings, StopSeconds } from '@perch/proto/settings';
import { z } from 'zod';

const Settings = z.object({
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
  /** How long after SIGTERM requests are still taken while /readyz says 503, so that balancers look away first. */
  PERCH_DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(0),
  PERCH_STOP_SECONDS: StopSeconds,
});

/** Reads and checks the environment; throws one message that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const s = parseSettings(Settings, env);
  return {
    port: s.PORT,
    host: s.PERCH_HOST,
    publicUrl: s.PERCH_PUBLIC_URL,
    natsUrl: s.NATS_URL,
    logLevel: s.PERCH_LOG_LEVEL,
    authCacheMs: s.PERCH_AUTH_CACHE_MS,
    keyRatePerMinute: s.PERCH_KEY_RATE_PER_MINUTE,
    ipRatePerMinute: s.PERCH_IP_RATE_PER_MINUTE,
    trustedProxies: s.PERCH_TRUSTED_PROXIES,
    drainMs: s.PERCH_DRAIN_SECONDS * 1_000,
    stopTimeoutMs: (s.PERCH_DRAIN_SECONDS + s.PERCH_STOP_SECONDS) * 1_000,
  };
}
