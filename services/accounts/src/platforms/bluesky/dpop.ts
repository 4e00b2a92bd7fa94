import { createHash } from 'node:crypto';
import { JoseKey } from '@atproto/oauth-client-node';
import type { Clock } from '@perch/proto/clock';
import type { OAuthCredentials } from './credentials.ts';

/** The nonce that each server gave last; a stale one only costs another round. */
const nonces = new Map<string, string>();
const keptNonces = 1_000;

/** The headers that show a token to be ours (RFC 9449 §7.1): by a proof, signed for this one request. */
export async function dpopHeaders(
  credentials: OAuthCredentials,
  request: { method: string; url: URL },
  clock: Clock,
): Promise<Record<string, string>> {
  const { access_token: token } = credentials.tokenSet;
  const key = await JoseKey.fromJWK(credentials.dpopJwk);
  const { bareJwk, algorithms } = key;
  // Other algorithms of the same key do not sign.
  const alg = algorithms.find((name) => /^(ES|PS|RS)\d|^EdDSA$/.test(name));
  if (!bareJwk || !alg) throw new Error('the key of the grant is not a key pair');
  const nonce = nonces.get(request.url.origin);
  const proof = await key.createJwt(
    { alg, typ: 'dpop+jwt', jwk: bareJwk },
    {
      iat: Math.floor(clock() / 1_000),
      jti: crypto.randomUUID(),
      htm: request.method,
      htu: request.url.origin + request.url.pathname,
      ath: createHash('sha256').update(token).digest('base64url'),
      ...(nonce !== undefined && { nonce }),
    },
  );
  return { authorization: `DPoP ${token}`, dpop: proof };
}

/** Keeps the nonce of an answer; true when the request was refused only for want of it. */
export function heedNonce(url: URL, response: Response): boolean {
  const nonce = response.headers.get('dpop-nonce');
  if (nonce === null || nonce.length > 512) return false;
  if (nonces.size >= keptNonces) nonces.clear();
  nonces.set(url.origin, nonce);
  if (response.status !== 401) return false;
  return response.headers.get('www-authenticate')?.includes('error="use_dpop_nonce"') ?? false;
}
