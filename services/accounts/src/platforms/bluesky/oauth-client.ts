import {
  buildAtprotoLoopbackClientMetadata,
  JoseKey,
  NodeOAuthClient,
  type NodeSavedSession,
  type NodeSavedState,
  type OAuthClientMetadataInput,
} from '@atproto/oauth-client-node';
import type { ConnectorDeps } from '../platform.ts';
import type { BlueskySettings } from './bluesky.ts';
import { boundedFetch } from './bounded-fetch.ts';
import { scopes } from './scopes.ts';

/** What the client keeps while it works, handed to whoever really keeps it. */
export interface Kept {
  states: Map<string, NodeSavedState>;
  sessions: Map<string, NodeSavedSession>;
}

/** An OAuth client for one piece of work. It renews nothing by itself beyond what `kept` lets it. */
export async function createOAuthClient(
  deps: ConnectorDeps,
  settings: BlueskySettings,
  kept: Kept = { states: new Map(), sessions: new Map() },
): Promise<NodeOAuthClient> {
  const key = settings.privateKey === null ? null : await JoseKey.fromJWK(settings.privateKey);
  return new NodeOAuthClient({
    clientMetadata: clientMetadata(settings),
    ...(key && isPublic(settings) && { keyset: [key] }),
    fetch: boundedFetch(deps.fetch),
    handleResolver: settings.service,
    plcDirectoryUrl: settings.plcUrl,
    allowHttp: settings.loopback,
    // Whoever calls holds the account's lock already.
    requestLock: async (_name, work) => work(),
    stateStore: store(kept.states),
    sessionStore: store(kept.sessions),
  });
}

/** What servers must know of Perch: read by them at the client id, or on loopback carried in it. */
export function clientMetadata(settings: BlueskySettings): OAuthClientMetadataInput {
  const shared = { redirect_uris: [settings.callbackUrl], scope: scopes.join(' ') };
  if (!isPublic(settings))
    return buildAtprotoLoopbackClientMetadata(shared as LoopbackConfig) as OAuthClientMetadataInput;
  const document = (name: string) => `${settings.publicUrl}/connect/bluesky/${name}` as const;
  const web = {
    ...shared,
    client_id: document('client-metadata.json'),
    client_name: 'Perch',
    client_uri: settings.publicUrl,
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    application_type: 'web',
    dpop_bound_access_tokens: true,
  };
  const method = settings.privateKey
    ? {
        token_endpoint_auth_method: 'private_key_jwt',
        token_endpoint_auth_signing_alg: 'ES256',
        jwks_uri: document('jwks.json'),
      }
    : { token_endpoint_auth_method: 'none' };
  return { ...web, ...method } as OAuthClientMetadataInput;
}

/** Whether servers can fetch our documents. */
export function isPublic(settings: BlueskySettings): boolean {
  return settings.publicUrl.startsWith('https:');
}

type LoopbackConfig = Parameters<typeof buildAtprotoLoopbackClientMetadata>[0];

function store<T>(map: Map<string, T>) {
  return {
    get: async (key: string) => map.get(key),
    set: async (key: string, value: T) => void map.set(key, value),
    del: async (key: string) => void map.delete(key),
  };
}
