import { Fault } from '@perch/proto/faults';
import { z } from 'zod';
import type { ConnectorDeps } from '../platform.ts';
import { callApi } from './api.ts';
import { type Facts, readInstance } from './facts.ts';
import { notConnected } from './register-app.ts';

type Deps = Pick<ConnectorDeps, 'fetch' | 'clock'>;

/** An instance, as far as connecting an account needs to know it. */
export interface Instance {
  /** Of the handles of its accounts; not always the host of its API. */
  domain: string;
  facts: Facts;
}

/**
 * The origin of the instance that a person named, by its host or by a handle. HTTPS always, but for this machine where
 * the settings allow it. Throws `connection_failed`.
 */
export function originOf(server: string | null, loopback: boolean): string {
  const host = server?.slice(server.lastIndexOf('@') + 1).toLowerCase() ?? '';
  const local = loopback && /^(localhost|127\.0\.0\.1)(:\d{1,5})?$/.test(host);
  const url = URL.parse(`${local ? 'http' : 'https'}://${host}`);
  if (url && url.pathname === '/' && (local || (url.port === '' && url.hostname.includes('.'))))
    return url.origin;
  const detail = 'say on which server the account lives, such as mastodon.social';
  throw new Fault('connection_failed', { detail, reason: 'server_malformed' });
}

/** What the instance tells of itself, by the API of 4.0 or the one before. Throws `connection_failed`. */
export async function readInstanceAt(deps: Deps, origin: string): Promise<Instance> {
  const host = new URL(origin).host;
  const now = await callApi(deps, origin, { method: 'GET', path: '/api/v2/instance' });
  const answer =
    now.kind === 'refused' && now.status === 404
      ? await callApi(deps, origin, { method: 'GET', path: '/api/v1/instance' })
      : now;
  const isOne =
    answer.kind === 'ok' && z.looseObject({ version: z.string() }).safeParse(answer.body);
  if (answer.kind !== 'ok' || !isOne || !isOne.success) {
    throw notConnected(answer, `at ${host} can not be reached as a Mastodon server`);
  }
  const { domain, facts } = readInstance(answer.body);
  return { domain: domain && /^[a-z0-9.:-]+$/i.test(domain) ? domain : host, facts };
}

const Metadata = z.object({
  code_challenge_methods_supported: z.array(z.string()).default([]),
  scopes_supported: z.array(z.string()).default([]),
});

/** What the instance's OAuth server can do; servers before 4.3 do not tell. */
export async function readOAuthServer(
  deps: Deps,
  origin: string,
): Promise<{ pkce: boolean; profileScope: boolean }> {
  const path = '/.well-known/oauth-authorization-server';
  const answer = await callApi(deps, origin, { method: 'GET', path });
  const told = Metadata.safeParse(answer.kind === 'ok' ? answer.body : null).data;
  return {
    pkce: told?.code_challenge_methods_supported.includes('S256') ?? false,
    profileScope: told?.scopes_supported.includes('profile') ?? false,
  };
}
