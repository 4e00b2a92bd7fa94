import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import { type Actor, OperatorRole } from '@perch/proto/operators';
import { createRemoteJWKSet, errors, type JWTPayload, type JWTVerifyGetKey, jwtVerify } from 'jose';
import type { OidcSettings } from '../config.ts';

/** Tells whom the Authorization header of a request stands for. Throws `invalid_operator_token`. */
export type AuthenticateOperator = (authorization: string | undefined) => Promise<Actor>;

/** Signatures by which an identity provider can vouch; never one that whoever verifies could make, too. */
const algorithms = [
  'RS256',
  'RS384',
  'RS512',
  'PS256',
  'PS384',
  'PS512',
  'ES256',
  'ES384',
  'EdDSA',
];
const clockToleranceSeconds = 30;

/** Asks accounts about our own tokens each time, for a revoked one must not work, and reads JWTs by itself. */
export function createAuthenticateOperator(deps: {
  operators: Clients['operators'];
  clock: Clock;
  oidc: OidcSettings | null;
}): AuthenticateOperator {
  const { operators, clock, oidc } = deps;
  const keys = oidc && createRemoteJWKSet(new URL(oidc.jwksUrl), { timeoutDuration: 5_000 });
  return async (authorization) => {
    const token = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (!token) {
      const detail = 'send the header Authorization: Bearer <operator token>';
      throw new Fault('invalid_operator_token', { detail });
    }
    if (!oidc || !keys || token.startsWith('perch_'))
      return operators.authenticate.query({ secret: token.slice(0, 512) });
    return actorOf(await verified(token, { keys, oidc, clock }), oidc);
  };
}

async function verified(
  token: string,
  by: { keys: JWTVerifyGetKey; oidc: OidcSettings; clock: Clock },
): Promise<JWTPayload> {
  const { issuer, audience } = by.oidc;
  try {
    const { payload } = await jwtVerify(token, by.keys, {
      ...{ issuer, audience, algorithms, clockTolerance: clockToleranceSeconds },
      requiredClaims: ['exp', 'sub'],
      currentDate: new Date(by.clock()),
    });
    return payload;
  } catch (cause) {
    if (cause instanceof errors.JWKSTimeout) {
      const detail = 'the identity provider does not answer';
      throw new Fault('service_unavailable', { detail }, { cause });
    }
    throw new Fault('invalid_operator_token', {}, { cause });
  }
}

/** The highest of our roles that the claim names, which may be a word or a list of words. */
function actorOf(payload: JWTPayload, oidc: OidcSettings): Actor {
  const claim: unknown = payload[oidc.roleClaim];
  const named = Array.isArray(claim) ? claim : [claim];
  const role = OperatorRole.options.findLast((one) => named.includes(one));
  if (!role) {
    const detail = `the token names no role of ours in the claim ${oidc.roleClaim}`;
    throw new Fault('insufficient_role', { detail });
  }
  const { sub = '', email, name } = payload;
  const known = [email, name].find((one) => typeof one === 'string');
  return { id: `oidc:${sub}`.slice(0, 300), name: String(known ?? sub).slice(0, 300), role };
}
