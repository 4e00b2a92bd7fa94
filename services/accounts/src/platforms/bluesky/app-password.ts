import { extractPdsUrl } from '@atproto/oauth-client-node';
import { Fault } from '@perch/proto/faults';
import { z } from 'zod';
import type { ConnectorDeps, Identity, Refreshed } from '../platform.ts';
import { callServer, json } from './api.ts';
import type { BlueskySettings } from './bluesky.ts';
import { jwtClaims, type PasswordCredentials } from './credentials.ts';
import { identify } from './identify.ts';
import { createOAuthClient } from './oauth-client.ts';
import { serverUrl } from './server-url.ts';

/** Connects by an app password, at the server named or at the one that holds the account; throws `connection_failed`. */
export async function signIn(
  deps: ConnectorDeps,
  settings: BlueskySettings,
  input: { server: string | null; handle: string; password: string },
): Promise<Identity> {
  const identifier = input.handle.replace(/^@/, '');
  const service = input.server ? serverUrl(input.server) : await homeOf(deps, settings, identifier);
  const answer = await callServer(deps, service, {
    nsid: 'com.atproto.server.createSession',
    body: json({ identifier, password: input.password }),
    answer: Tokens,
  });
  if (answer.kind !== 'ok')
    throw refused(answer.kind === 'refused' ? answer.error : '', answer.detail);
  const { did, accessJwt, refreshJwt } = answer.body;
  const credentials = { kind: 'password', service, did, accessJwt, refreshJwt } as const;
  if (jwtClaims(accessJwt).scope === 'com.atproto.access') {
    await endSession(deps, credentials);
    const detail =
      "that is the account's main password; make an app password in Bluesky's settings and use it";
    throw new Fault('connection_failed', { detail });
  }
  return identify(deps, did, JSON.stringify(credentials));
}

const Tokens = z.object({
  did: z.string().regex(/^did:[a-z]+:/),
  accessJwt: z.string(),
  refreshJwt: z.string(),
});

/** The server that holds an account, from its handle or DID. */
async function homeOf(
  deps: ConnectorDeps,
  settings: BlueskySettings,
  identifier: string,
): Promise<string> {
  try {
    const client = await createOAuthClient(deps, settings);
    const { didDoc } = await client.identityResolver.resolve(identifier);
    return extractPdsUrl(didDoc).href;
  } catch {
    const detail = `no server is known for ${identifier}; is it the whole handle, like name.bsky.social?`;
    throw new Fault('connection_failed', { detail });
  }
}

function refused(error: string, detail: string): Fault {
  const said =
    error === 'AuthFactorTokenRequired'
      ? 'the account asks for a second factor; use an app password, which needs none'
      : detail;
  return new Fault('connection_failed', { detail: said });
}

/** New tokens for old; the refresh token works once (the server forgives a lost answer for two hours). */
export async function refreshTokens(
  deps: ConnectorDeps,
  old: PasswordCredentials,
): Promise<Refreshed> {
  const answer = await callServer(deps, old.service, {
    nsid: 'com.atproto.server.refreshSession',
    body: async () => ({ content: '', type: 'application/json' }),
    token: old.refreshJwt,
    answer: Tokens,
  });
  if (answer.kind === 'ok') {
    const { accessJwt, refreshJwt } = answer.body;
    return { kind: 'fresh', credentials: JSON.stringify({ ...old, accessJwt, refreshJwt }) };
  }
  const { detail } = answer;
  if (answer.kind === 'revoked') return { kind: 'revoked', detail };
  const dead = answer.kind === 'refused' && deadToken.has(answer.error);
  return dead ? { kind: 'revoked', detail } : { kind: 'later', detail };
}

/** What servers say of a refresh token that was revoked, has ended, or is none. */
const deadToken = new Set(['ExpiredToken', 'InvalidToken']);

/** Ends the session of an app password; the password itself stays. */
export async function endSession(deps: ConnectorDeps, of: PasswordCredentials): Promise<void> {
  await callServer(deps, of.service, {
    nsid: 'com.atproto.server.deleteSession',
    body: async () => ({ content: '', type: 'application/json' }),
    token: of.refreshJwt,
    answer: z.unknown(),
  });
}
