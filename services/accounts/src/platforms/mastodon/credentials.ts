import { z } from 'zod';

/** All that is needed to act for an account: its instance, its token, and the app that the token belongs to. */
export const Credentials = z.object({
  /** Scheme and host of the instance's API. */
  origin: z.string(),
  token: z.string(),
  clientId: z.string(),
  clientSecret: z.string(),
  /** Mastodon gives none; servers like it may. */
  refreshToken: z.string().nullable(),
  /** Null: never. */
  expiresAtMs: z.number().nullable(),
});
export type Credentials = z.infer<typeof Credentials>;

/** Credentials as they were kept. */
export function readCredentials(kept: string): Credentials {
  return Credentials.parse(JSON.parse(kept));
}

/** The answer of `/oauth/token`. */
export const Grant = z.object({
  access_token: z.string().min(1).max(4_096),
  scope: z.string().max(2_000).default(''),
  refresh_token: z.string().max(4_096).optional(),
  expires_in: z.number().positive().nullish(),
});
export type Grant = z.infer<typeof Grant>;

/** What a grant makes of the credentials that it was given for. */
export function withGrant(
  app: Pick<Credentials, 'origin' | 'clientId' | 'clientSecret'>,
  grant: Grant,
  nowMs: number,
  before: string | null = null,
): Credentials {
  const { origin, clientId, clientSecret } = app;
  return {
    origin,
    clientId,
    clientSecret,
    token: grant.access_token,
    refreshToken: grant.refresh_token ?? before,
    expiresAtMs: grant.expires_in ? nowMs + grant.expires_in * 1_000 : null,
  };
}
