import { z } from 'zod';

const Password = z.object({
  kind: z.literal('password'),
  service: z.url(),
  did: z.string(),
  accessJwt: z.string(),
  refreshJwt: z.string(),
});
const OAuth = z.object({
  kind: z.literal('oauth'),
  dpopJwk: z.record(z.string(), z.unknown()),
  authMethod: z.discriminatedUnion('method', [
    z.object({ method: z.literal('none') }),
    z.object({ method: z.literal('private_key_jwt'), kid: z.string() }),
  ]),
  tokenSet: z.object({
    iss: z.string(),
    sub: z.string(),
    aud: z.url(),
    scope: z.string(),
    access_token: z.string(),
    refresh_token: z.string().optional(),
    token_type: z.literal('DPoP'),
    expires_at: z.string().optional(),
  }),
});
const Credentials = z.discriminatedUnion('kind', [Password, OAuth]);

/** What acts for an account: tokens of an app password, or of an OAuth grant with the key that they are bound to. */
export type Credentials = z.infer<typeof Credentials>;
export type PasswordCredentials = z.infer<typeof Password>;
export type OAuthCredentials = z.infer<typeof OAuth>;

/** Credentials as an account keeps them. */
export function readCredentials(text: string): Credentials {
  return Credentials.parse(JSON.parse(text));
}

/** The server that holds the account, with a trailing slash. */
export function serverOf(credentials: Credentials): string {
  return credentials.kind === 'oauth' ? credentials.tokenSet.aud : credentials.service;
}

/** When the access token ends; null where it does not say. */
export function expiresAtMs(credentials: Credentials): number | null {
  if (credentials.kind === 'password') {
    const { exp } = jwtClaims(credentials.accessJwt);
    return exp === undefined ? null : exp * 1_000;
  }
  const { expires_at } = credentials.tokenSet;
  return expires_at === undefined ? null : Date.parse(expires_at);
}

const Claims = z.object({ exp: z.number().optional(), scope: z.string().optional() });

/** What a token says of itself; nothing is verified, for only its server can. */
export function jwtClaims(jwt: string): z.infer<typeof Claims> {
  try {
    const payload = Buffer.from(jwt.split('.')[1] ?? '', 'base64url').toString();
    return Claims.parse(JSON.parse(payload));
  } catch {
    return {};
  }
}
