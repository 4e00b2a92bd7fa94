import { Fault } from '@perch/proto/faults';
import { z } from 'zod';
import type { ConnectorDeps, Identity } from '../platform.ts';
import { callServer } from './api.ts';
import { readCredentials, serverOf } from './credentials.ts';

/** Whom new credentials act for, as the account's server says. */
export async function identify(
  deps: ConnectorDeps,
  did: string,
  credentials: string,
): Promise<Identity> {
  const server = serverOf(readCredentials(credentials));
  const repo = await callServer(deps, server, {
    nsid: 'com.atproto.repo.describeRepo',
    params: { repo: did },
    answer: z.object({ handle: z.string(), did: z.literal(did) }),
  });
  if (repo.kind !== 'ok') {
    const detail = `the server does not say whose account it is: ${repo.detail}`;
    throw new Fault('connection_failed', { detail });
  }
  const profile = await callServer(deps, server, {
    nsid: 'com.atproto.repo.getRecord',
    params: { repo: did, collection: 'app.bsky.actor.profile', rkey: 'self' },
    answer: z.object({ value: z.object({ displayName: z.string().max(640).optional() }) }),
  });
  const { handle } = repo.body;
  // A new account has no profile yet.
  const displayName = (profile.kind === 'ok' && profile.body.value.displayName) || handle;
  return { remoteId: did, handle, displayName, credentials, facts: null };
}
