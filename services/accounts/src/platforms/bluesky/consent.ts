import type { NodeSavedSession, NodeSavedState } from '@atproto/oauth-client-node';
import { Fault } from '@perch/proto/faults';
import { z } from 'zod';
import type { ConnectorDeps, Consent, Identity } from '../platform.ts';
import type { BlueskySettings } from './bluesky.ts';
import { readCredentials } from './credentials.ts';
import { identify } from './identify.ts';
import { clientMetadata, createOAuthClient, isPublic, type Kept } from './oauth-client.ts';
import { scopes } from './scopes.ts';
import { serverUrl } from './server-url.ts';

/** Connecting by the consent page of the account's own server: OAuth with PAR, PKCE (S256) and DPoP. */
export function createConsent(deps: ConnectorDeps, settings: BlueskySettings): Consent {
  return {
    begin: ({ server, redirectUri }) => begin(deps, settings, { server, redirectUri }),
    finish: (input) => finish(deps, settings, input),
    document: (name) => document(settings, name),
  };
}

async function begin(
  deps: ConnectorDeps,
  settings: BlueskySettings,
  { server, redirectUri }: { server: string | null; redirectUri: string },
): Promise<{ authorizeUrl: string; state: string; secret: string }> {
  const kept: Kept = { states: new Map(), sessions: new Map() };
  const client = await createOAuthClient(deps, settings, kept);
  const options = { scope: scopes.join(' '), redirect_uri: redirectUri as never };
  const url = await firstOf(candidates(settings, server), (input) =>
    client.authorize(input, options),
  );
  const [[state, saved] = []] = kept.states;
  if (!state) throw new Error('the client kept no state');
  return { authorizeUrl: url.href, state, secret: JSON.stringify({ state, saved }) };
}

/** What a person may have meant: a handle or DID, else the server itself. */
function candidates(settings: BlueskySettings, server: string | null): string[] {
  if (server === null) return [settings.service];
  const name = server.replace(/^@/, '');
  if (name.startsWith('did:')) return [name];
  return name.includes(':') ? [serverUrl(name)] : [name, serverUrl(name)];
}

async function firstOf<T>(inputs: string[], work: (input: string) => Promise<T>): Promise<T> {
  let failure: unknown = null;
  for (const input of inputs) {
    try {
      return await work(input);
    } catch (error) {
      failure ??= error;
    }
  }
  throw failed(failure);
}

const Secret = z.object({
  state: z.string(),
  saved: z.custom<NodeSavedState>((value) => typeof value === 'object' && value !== null),
});

async function finish(
  deps: ConnectorDeps,
  settings: BlueskySettings,
  input: { secret: string; redirectUri: string; params: Record<string, string> },
): Promise<Identity> {
  const { state, saved } = Secret.parse(JSON.parse(input.secret));
  const kept: Kept = { states: new Map([[state, saved]]), sessions: new Map() };
  const client = await createOAuthClient(deps, settings, kept);
  try {
    await client.callback(new URLSearchParams(input.params), {
      redirect_uri: input.redirectUri as never,
    });
  } catch (error) {
    throw failed(error);
  }
  const [[did, session] = []] = kept.sessions;
  if (!did || !session) throw new Error('the client kept no session');
  const missing = scopes.filter((scope) => !session.tokenSet.scope.split(' ').includes(scope));
  if (missing.length > 0) {
    await client.revoke(did).catch(() => undefined);
    throw new Fault('connection_failed', { detail: `it was not granted: ${missing.join(', ')}` });
  }
  return identify(deps, did, sealedGrant(session));
}

/** A grant as an account keeps it. */
export function sealedGrant({ dpopJwk, authMethod, tokenSet }: NodeSavedSession): string {
  const text = JSON.stringify({ kind: 'oauth', dpopJwk, authMethod, tokenSet });
  readCredentials(text);
  return text;
}

async function document(settings: BlueskySettings, name: string): Promise<unknown> {
  if (!isPublic(settings)) return null;
  if (name === 'client-metadata.json') return clientMetadata(settings);
  const { privateKey } = settings;
  if (name !== 'jwks.json' || !privateKey) return null;
  const { d: _private, ...key } = privateKey;
  return { keys: [{ ...key, use: 'sig', alg: 'ES256' }] };
}

/** In the server's words, as far as it has said any. */
function failed(error: unknown): Fault {
  const detail = error instanceof Error ? error.message.slice(0, 300) : 'the server did not agree';
  return new Fault('connection_failed', { detail });
}
