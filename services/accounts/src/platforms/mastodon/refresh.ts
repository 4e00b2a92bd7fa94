import type { ConnectorDeps, Refreshed } from '../platform.ts';
import { callApi } from './api.ts';
import { type Credentials, Grant, readCredentials, withGrant } from './credentials.ts';

type Deps = Pick<ConnectorDeps, 'fetch' | 'clock'>;

/**
 * New credentials by a refresh token, where the server gave one. Mastodon gives none, for its tokens do not expire: there
 * one that was refused is asked about once more, so that no passing trouble disconnects an account.
 */
export async function refresh(deps: Deps, credentials: string): Promise<Refreshed> {
  const held = readCredentials(credentials);
  return held.refreshToken === null ? check(deps, held) : renew(deps, held, held.refreshToken);
}

async function check(deps: Deps, held: Credentials): Promise<Refreshed> {
  const path = '/api/v1/accounts/verify_credentials';
  const answer = await callApi(deps, held.origin, { method: 'GET', path, token: held.token });
  if (answer.kind === 'ok') return { kind: 'fresh', credentials: JSON.stringify(held) };
  const { detail } = answer;
  if (answer.kind === 'refused' && answer.status === 401) return { kind: 'revoked', detail };
  return { kind: 'later', detail };
}

async function renew(deps: Deps, held: Credentials, refresh_token: string): Promise<Refreshed> {
  const { origin, clientId: client_id, clientSecret: client_secret } = held;
  const answer = await callApi(deps, origin, {
    method: 'POST',
    path: '/oauth/token',
    form: { grant_type: 'refresh_token', refresh_token, client_id, client_secret },
  });
  if (answer.kind === 'ok') {
    const grant = Grant.safeParse(answer.body);
    if (!grant.success) return { kind: 'later', detail: 'the answer can not be read' };
    const fresh = withGrant(held, grant.data, deps.clock(), refresh_token);
    return { kind: 'fresh', credentials: JSON.stringify(fresh) };
  }
  const { detail } = answer;
  // An instance that forgot Perch's registration forgot its grants with it.
  const over = answer.kind === 'refused' && /^invalid_(grant|client)$/.test(answer.error);
  return { kind: over ? 'revoked' : 'later', detail };
}
