import { type NodeSavedSession, TokenRefreshError } from '@atproto/oauth-client-node';
import type { Connection, ConnectorDeps, Refreshed } from '../platform.ts';
import { endSession, refreshTokens, signIn } from './app-password.ts';
import type { BlueskySettings } from './bluesky.ts';
import { createConsent, sealedGrant } from './consent.ts';
import { expiresAtMs, type OAuthCredentials, readCredentials } from './credentials.ts';
import { createOAuthClient, type Kept } from './oauth-client.ts';

/** Bluesky accounts are connected by the consent page of their server, or by an app password. */
export function createConnection(deps: ConnectorDeps, settings: BlueskySettings): Connection {
  return {
    consent: createConsent(deps, settings),
    signIn: (input) => signIn(deps, settings, input),
    expiresAtMs: (credentials) => expiresAtMs(readCredentials(credentials)),
    refresh: async (text) => {
      const credentials = readCredentials(text);
      return credentials.kind === 'password'
        ? refreshTokens(deps, credentials)
        : refreshGrant(deps, settings, credentials);
    },
    revoke: async (text) => {
      try {
        const credentials = readCredentials(text);
        if (credentials.kind === 'password') await endSession(deps, credentials);
        else {
          const kept = keptOf(credentials);
          await (await createOAuthClient(deps, settings, kept)).revoke(credentials.tokenSet.sub);
        }
      } catch (err) {
        deps.log.warn({ err }, 'a grant could not be ended at Bluesky');
      }
    },
  };
}

async function refreshGrant(
  deps: ConnectorDeps,
  settings: BlueskySettings,
  credentials: OAuthCredentials,
): Promise<Refreshed> {
  const { sub } = credentials.tokenSet;
  const kept = keptOf(credentials);
  try {
    await (await createOAuthClient(deps, settings, kept)).restore(sub, true);
    const fresh = kept.sessions.get(sub);
    if (!fresh) return { kind: 'later', detail: 'the client kept no session' };
    return { kind: 'fresh', credentials: sealedGrant(fresh) };
  } catch (error) {
    const detail = error instanceof Error ? error.message.slice(0, 300) : 'it failed';
    // An account that has moved to another server is one to connect again, too.
    const gone = error instanceof TokenRefreshError || detail === 'Issuer mismatch';
    return { kind: gone ? 'revoked' : 'later', detail };
  }
}

function keptOf({ dpopJwk, authMethod, tokenSet }: OAuthCredentials): Kept {
  const session = { dpopJwk, authMethod, tokenSet } as NodeSavedSession;
  return { states: new Map(), sessions: new Map([[tokenSet.sub, session]]) };
}
