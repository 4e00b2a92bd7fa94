import {
  healthSettings,
  LogLevel,
  parseSettings,
  SettingsError,
  StopSeconds,
} from '@perch/proto/settings';
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
  /** Where operators have their GraphQL; nowhere unless set. Never let the public reach it. */
  PERCH_OPERATOR_PORT: z.coerce.number().int().min(0).max(65_535).optional(),
  /** On which address; `0.0.0.0` in a container. */
  PERCH_OPERATOR_HOST: z.string().default('127.0.0.1'),
  /** Whether operators can ask for the schema. */
  PERCH_OPERATOR_INTROSPECTION: z.stringbool().default(false),
  /** Whether operators have GraphiQL, a page to try queries on; with it they can ask for the schema. */
  PERCH_OPERATOR_GRAPHIQL: z.stringbool().default(false),
  /** The `iss` of an identity provider that vouches for operators by JWTs. */
  PERCH_OPERATOR_OIDC_ISSUER: z.string().min(1).optional(),
  /** The `aud` that those JWTs must be for. */
  PERCH_OPERATOR_OIDC_AUDIENCE: z.string().min(1).optional(),
  /** Where the provider's keys are. */
  PERCH_OPERATOR_OIDC_JWKS_URL: z.url({ protocol: /^https?$/ }).optional(),
  /** The claim that holds viewer, support or admin, as a word or in a list. */
  PERCH_OPERATOR_OIDC_ROLE_CLAIM: z.string().min(1).default('perch_role'),
  /** How long after SIGTERM requests are still taken while /readyz says 503, so that balancers look away first. */
  PERCH_DRAIN_SECONDS: z.coerce.number().min(0).max(60).default(0),
  PERCH_STOP_SECONDS: StopSeconds,
});

/** Who vouches for operators, and how their JWTs are read. */
export interface OidcSettings {
  issuer: string;
  audience: string;
  jwksUrl: string;
  roleClaim: string;
}

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
    operators: {
      port: s.PERCH_OPERATOR_PORT,
      host: s.PERCH_OPERATOR_HOST,
      introspection: s.PERCH_OPERATOR_INTROSPECTION || s.PERCH_OPERATOR_GRAPHIQL,
      graphiql: s.PERCH_OPERATOR_GRAPHIQL,
      oidc: oidcOf(s),
    },
    drainMs: s.PERCH_DRAIN_SECONDS * 1_000,
    stopTimeoutMs: (s.PERCH_DRAIN_SECONDS + s.PERCH_STOP_SECONDS) * 1_000,
  };
}

/** Writing with AI is on only where all of its settings are there. */
function aiOf(s: z.output<typeof Settings>): AiSettings | null {
  const { PERCH_AI_URL: url, PERCH_AI_KEY: key, PERCH_AI_MODEL: model } = s;
  return url && key && model ? { url, key, model } : null;
}

function oidcOf(s: z.infer<typeof Settings>): OidcSettings | null {
  const issuer = s.PERCH_OPERATOR_OIDC_ISSUER;
  const audience = s.PERCH_OPERATOR_OIDC_AUDIENCE;
  const jwksUrl = s.PERCH_OPERATOR_OIDC_JWKS_URL;
  if (issuer && audience && jwksUrl)
    return { issuer, audience, jwksUrl, roleClaim: s.PERCH_OPERATOR_OIDC_ROLE_CLAIM };
  if (!issuer && !audience && !jwksUrl) return null;
  throw new SettingsError(
    'These settings need a change:\n  PERCH_OPERATOR_OIDC_ISSUER, _AUDIENCE and _JWKS_URL: set all three or none',
  );
}
