import { createHash, randomBytes } from 'node:crypto';
import { Fault } from '@perch/proto/faults';
import { z } from 'zod';
import type { ConnectorDeps, Consent, Identity } from '../platform.ts';
import { callApi } from './api.ts';
import { type Credentials, Grant, withGrant } from './credentials.ts';
import { originOf, readInstanceAt, readOAuthServer } from './instance.ts';
import { appAt, forgetApp, notConnected } from './register-app.ts';
import { revoke } from './revoke.ts';
import { EntityId } from './status.ts';

type Deps = Pick<ConnectorDeps, 'fetch' | 'clock' | 'vault'>;

const needed = ['write:statuses', 'write:media', 'read:statuses', 'read:notifications'];

/** What is kept between the way to the instance's page and the way back. */
const Secret = z.object({
  origin: z.string(),
  state: z.string(),
  /** Null where the server knows no PKCE. */
  verifier: z.string().nullable(),
  clientId: z.string(),
  clientSecret: z.string(),
  scopes: z.array(z.string()),
});
type Secret = z.infer<typeof Secret>;

/** The consent page of the instance that the person names. */
export function createConsent(
  deps: Deps,
  settings: { publicUrl: string; loopback: boolean },
): Consent {
  return {
    begin: (input) => begin(deps, settings, input),
    finish: (input) => finish(deps, input),
  };
}

async function begin(
  deps: Deps,
  settings: { publicUrl: string; loopback: boolean },
  { server, redirectUri }: { server: string | null; redirectUri: string },
): ReturnType<Consent['begin']> {
  const origin = originOf(server, settings.loopback);
  // So that a mistyped host is told before anything is registered there.
  await readInstanceAt(deps, origin);
  const { pkce, profileScope } = await readOAuthServer(deps, origin);
  const scopes = [profileScope ? 'profile' : 'read:accounts', ...needed];
  const website = settings.publicUrl;
  const app = await appAt(deps, origin, { redirectUri, scopes, website });
  const state = randomBytes(32).toString('base64url');
  const verifier = pkce ? randomBytes(48).toString('base64url') : null;
  const url = new URL('/oauth/authorize', origin);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: app.clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    ...(verifier !== null && {
      code_challenge: createHash('sha256').update(verifier).digest('base64url'),
      code_challenge_method: 'S256',
    }),
  }).toString();
  const secret: Secret = { origin, state, verifier, scopes, ...app };
  return { authorizeUrl: url.href, state, secret: JSON.stringify(secret) };
}

async function finish(
  deps: Deps,
  input: { secret: string; redirectUri: string; params: Record<string, string> },
): Promise<Identity> {
  const secret = Secret.parse(JSON.parse(input.secret));
  const { state, code } = input.params;
  if (state !== secret.state || !code) throw failed('what came back does not belong to it');
  const { credentials, scope } = await exchange(deps, secret, input.redirectUri, code);
  try {
    const missing = secret.scopes.filter((one) => !isGranted(one, scope));
    if (missing.length > 0)
      throw failed(`these permissions are missing: ${missing.join(', ')}`, 'scopes');
    return await identify(deps, credentials);
  } catch (error) {
    await revoke(deps, JSON.stringify(credentials));
    throw error;
  }
}

async function exchange(
  deps: Deps,
  secret: Secret,
  redirectUri: string,
  code: string,
): Promise<{ credentials: Credentials; scope: string[] }> {
  const answer = await callApi(deps, secret.origin, {
    method: 'POST',
    path: '/oauth/token',
    form: {
      grant_type: 'authorization_code',
      code,
      redirect_uri: redirectUri,
      client_id: secret.clientId,
      client_secret: secret.clientSecret,
      ...(secret.verifier !== null && { code_verifier: secret.verifier }),
    },
  });
  if (answer.kind === 'refused' && answer.error === 'invalid_client')
    await forgetApp(deps, secret.origin);
  const grant = Grant.safeParse(answer.kind === 'ok' ? answer.body : null);
  if (!grant.success) throw notConnected(answer, 'gave no token');
  // A server that does not tell the scopes gave those that were asked for (RFC 6749 §5.1).
  const scope = grant.data.scope === '' ? secret.scopes : grant.data.scope.split(' ');
  return { credentials: withGrant(secret, grant.data, deps.clock()), scope };
}

/** A scope is granted by its own name or by that of the group before the colon. */
function isGranted(scope: string, granted: string[]): boolean {
  const group = scope === 'profile' ? 'read' : scope.split(':')[0];
  return granted.some(
    (one) => one === scope || one === group || (scope === 'profile' && one === 'read:accounts'),
  );
}

const Person = z.object({
  id: EntityId.regex(/^[^@\s]+$/),
  username: z.string().min(1).max(200),
  display_name: z.string().max(1_000).default(''),
});

async function identify(deps: Deps, credentials: Credentials): Promise<Identity> {
  const { origin, token } = credentials;
  const path = '/api/v1/accounts/verify_credentials';
  const answer = await callApi(deps, origin, { method: 'GET', path, token });
  const person = Person.safeParse(answer.kind === 'ok' ? answer.body : null);
  if (!person.success) throw notConnected(answer, 'did not say whose account it is');
  const { domain, facts } = await readInstanceAt(deps, origin);
  const { id, username, display_name } = person.data;
  return {
    remoteId: `${id}@${new URL(origin).host}`,
    handle: `${username}@${domain}`,
    displayName: display_name || username,
    credentials: JSON.stringify(credentials),
    facts,
  };
}

function failed(detail: string, reason = 'platform'): Fault {
  return new Fault('connection_failed', { detail, reason });
}
