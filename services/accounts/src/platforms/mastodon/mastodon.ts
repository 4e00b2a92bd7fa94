import type { ConnectorDeps, Platform } from '../platform.ts';
import { asAccount, laterOf, readAs } from './as-account.ts';
import { createConsent } from './consent.ts';
import { readCredentials } from './credentials.ts';
import { lookUp } from './look-up.ts';
import { refresh } from './refresh.ts';
import { replies } from './replies.ts';
import { revoke } from './revoke.ts';
import { capabilities, review } from './rules.ts';
import { send } from './send.ts';
import { Status } from './status.ts';
import { uploadMedia } from './upload-media.ts';

/** What a replica that an instance reads from may lag behind. */
const readBackLagMs = 5_000;

/** Mastodon, and every server with its API (issue 4; facts in README.md). */
export function createMastodon(
  settings: { publicUrl: string; sendTimeoutMs: number; loopback: boolean },
  deps: ConnectorDeps,
): Platform {
  return {
    capabilities,
    connection: {
      consent: createConsent(deps, settings),
      expiresAtMs: (credentials) => readCredentials(credentials).expiresAtMs,
      refresh: (credentials) => refresh(deps, credentials),
      revoke: (credentials) => revoke(deps, credentials),
    },
    sendTimeoutMs: settings.sendTimeoutMs,
    readBackLagMs,
    review,
    uploadMedia: (session, upload, signal) => uploadMedia(deps, session, upload, signal),
    send: (session, outgoing, signal) => send(deps, session, outgoing, signal),
    lookUp: (session, sought, sent) => lookUp(deps, session, sought, sent),
    stands: async (session, platformId) =>
      (await readAs(deps, session, pathOf(platformId), Status)) !== null,
    replies: (session, to) => replies(deps, session, to),
    delete: async (session, platformId) => {
      const request = { method: 'DELETE' as const, path: pathOf(platformId) };
      const answer = await asAccount(deps, session, 'statuses', request);
      if (answer.kind === 'ok' || (answer.kind === 'refused' && answer.status === 404)) return;
      throw laterOf(answer);
    },
  };
}

function pathOf(platformId: string): string {
  return `/api/v1/statuses/${encodeURIComponent(platformId)}`;
}
