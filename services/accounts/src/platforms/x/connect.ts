import { createHash, randomBytes } from 'node:crypto';
import { Fault } from '@perch/proto/faults';
import { z } from 'zod';
import type { XSettings } from '../../config.ts';
import type { Connection, ConnectorDeps, Consent, Identity, Refreshed } from '../platform.ts';
import { registration } from '../registration.ts';
import { readTimeoutMs, type XAnswer, type XApi } from './api.ts';
import { readTokens, type Tokens } from './tokens.ts';

/** Without any of these something that Perch promises would fail later. */
const { scopes } = registration.x;

const Granted = z.object({
  access_token: z.string().min(1),
  refresh_token: z.string().min(1).optional(),
  expires_in: z.number().positive(),
  scope: z.string().default(''),
});
const Me = z.object({
  data: z.object({ id: z.string().regex(/^\d+$/), username: z.string(), name: z.string() }),
});
const OAuthError = z.object({ error: z.string(), error_description: z.string().optional() });

type ConsentDeps = ConnectorDeps & { api: XApi };

/** Connecting by X's consent page, keeping connected by single-use refresh tokens, and letting go. */
export function createConnection(settings: XSettings, deps: ConsentDeps): Connection {
  const consent: Consent = {
    begin: async ({ redirectUri }) => begin(settings, redirectUri),
    finish: (input) => finish(deps, input),
  };
  return {
    consent,
    expiresAtMs: (credentials) => readTokens(credentials).expiresAtMs,
    refresh: (credentials) => refresh(deps, credentials),
    revoke: (credentials) => revoke(deps, readTokens(credentials)),
  };
}

function begin(settings: XSettings, redirectUri: string): Awaited<ReturnType<Consent['begin']>> {
  const verifier = randomBytes(48).toString('base64url');
  const state = randomBytes(32).toString('base64url');
  const url = new URL(settings.authorizeUrl);
  url.search = new URLSearchParams({
    response_type: 'code',
    client_id: settings.clientId,
    redirect_uri: redirectUri,
    scope: scopes.join(' '),
    state,
    code_challenge: createHash('sha256').update(verifier).digest('base64url'),
    code_challenge_method: 'S256',
  }).toString();
  return { authorizeUrl: url.href, state, secret: verifier };
}

async function finish(
  deps: ConsentDeps,
  input: Parameters<Consent['finish']>[0],
): Promise<Identity> {
  const { params, redirectUri, secret } = input;
  const answer = await deps.api.exchange('/2/oauth2/token', {
    grant_type: 'authorization_code',
    code: params['code'] ?? '',
    redirect_uri: redirectUri,
    code_verifier: secret,
  });
  if (answer.kind !== 'done') throw failed(`X gave no access: ${answer.detail}`);
  const granted = Granted.safeParse(answer.body).data;
  if (!granted) throw failed('X gave access in a form that can not be read');
  const missing = missingScopes(granted);
  const tokens = tokensOf(granted, '', deps.clock());
  if (missing.length > 0) {
    await revoke(deps, tokens);
    throw failed(`X did not grant ${missing.join(', ')}; allow all that is asked for`, { missing });
  }
  return { ...(await whoAmI(deps, tokens)), credentials: JSON.stringify(tokens), facts: null };
}

function missingScopes({ scope, refresh_token }: z.infer<typeof Granted>): string[] {
  const granted = new Set(scope.split(' '));
  if (!refresh_token) granted.delete('offline.access');
  return scopes.filter((one) => !granted.has(one));
}

async function whoAmI(
  deps: ConsentDeps,
  tokens: Tokens,
): Promise<Pick<Identity, 'remoteId' | 'handle' | 'displayName'>> {
  const request = { method: 'GET', path: '/2/users/me', bucket: 'me' } as const;
  const signal = AbortSignal.timeout(readTimeoutMs);
  const answer = await deps.api.callWith(tokens.access, request, signal);
  if (answer.kind !== 'done') throw failed(`X does not say whose account it is: ${answer.detail}`);
  const me = Me.safeParse(answer.body).data?.data;
  if (!me) throw failed('X does not say whose account it is');
  return { remoteId: me.id, handle: me.username, displayName: me.name };
}

async function refresh(deps: ConsentDeps, credentials: string): Promise<Refreshed> {
  const old = readTokens(credentials);
  const answer = await deps.api.exchange('/2/oauth2/token', {
    grant_type: 'refresh_token',
    refresh_token: old.refresh,
  });
  if (answer.kind !== 'done') {
    return isRevoked(answer)
      ? { kind: 'revoked', detail: 'X says that the access was taken back' }
      : { kind: 'later', detail: `X did not renew the access: ${answer.detail}` };
  }
  const granted = Granted.safeParse(answer.body).data;
  if (!granted)
    return { kind: 'later', detail: 'X renewed the access in a form that can not be read' };
  const fresh = tokensOf(granted, old.refresh, deps.clock());
  return { kind: 'fresh', credentials: JSON.stringify(fresh) };
}

/** X says `invalid_request` of a token that was used or taken back, where OAuth has `invalid_grant`. */
function isRevoked(answer: XAnswer): boolean {
  if (answer.kind !== 'refused') return false;
  const said = OAuthError.safeParse(answer.body).data;
  if (!said) return false;
  return (
    said.error === 'invalid_grant' ||
    (said.error === 'invalid_request' && /token was invalid/i.test(said.error_description ?? ''))
  );
}

/** Ends the access, and with it the grant; that it did not work is only told to the log. */
async function revoke(deps: ConsentDeps, { access, refresh }: Tokens): Promise<void> {
  const tokens = { refresh_token: refresh, access_token: access };
  for (const [token_type_hint, token] of Object.entries(tokens)) {
    if (token === '') continue;
    try {
      const answer = await deps.api.exchange('/2/oauth2/revoke', { token, token_type_hint });
      if (answer.kind !== 'done')
        deps.log.warn({ detail: answer.detail }, 'X did not end the access');
    } catch (err) {
      deps.log.warn({ err }, 'X did not end the access');
    }
  }
}

function tokensOf(granted: z.infer<typeof Granted>, refresh: string, nowMs: number): Tokens {
  return {
    access: granted.access_token,
    refresh: granted.refresh_token ?? refresh,
    expiresAtMs: nowMs + granted.expires_in * 1_000,
  };
}

function failed(detail: string, more: Record<string, unknown> = {}): Fault {
  return new Fault('connection_failed', { detail, ...more });
}
