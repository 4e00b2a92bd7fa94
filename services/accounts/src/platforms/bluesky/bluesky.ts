import { z } from 'zod';
import type { ConnectorDeps, Platform } from '../platform.ts';
import { Later } from '../platform.ts';
import { call, json, settled } from './api.ts';
import { createConnection } from './connection.ts';
import { lookUp } from './look-up.ts';
import { readRecord, readUri } from './records.ts';
import { replies } from './replies.ts';
import { capabilities, review } from './rules.ts';
import { send } from './send.ts';
import { uploadMedia } from './upload-media.ts';

/** What the settings say of Bluesky; see config.ts. */
export interface BlueskySettings {
  /** Where people sign in that name no server, and where handles are resolved. */
  service: string;
  plcUrl: string;
  /** An ES256 key as a JWK with `kid`, that makes Perch a confidential client; null: a public one. */
  privateKey: ({ kid: string; d: string } & Record<string, unknown>) | null;
  /** Where servers and browsers find the gateway. */
  publicUrl: string;
  callbackUrl: string;
  sendTimeoutMs: number;
  loopback: boolean;
}

/** Bluesky and every other server of the AT Protocol; see README.md. */
export function createBluesky(settings: BlueskySettings, deps: ConnectorDeps): Platform {
  return {
    capabilities,
    connection: createConnection(deps, settings),
    sendTimeoutMs: settings.sendTimeoutMs,
    // A repository shows what it has taken at once.
    readBackLagMs: 0,
    review,
    uploadMedia: (session, upload, signal) => uploadMedia(deps, session, upload, signal),
    send: (session, outgoing, signal) => send(deps, session, outgoing, signal),
    lookUp: (session, sought, sent) => lookUp(deps, session, sought, sent),
    stands: async (session, platformId) => {
      const at = readUri(platformId);
      const answer = at && settled(await readRecord(deps, session, at));
      if (answer?.kind === 'refused') throw new Later(answer.detail);
      return Boolean(answer?.body);
    },
    replies: (session, to) => replies(deps, session, to),
    delete: async (session, platformId) => {
      const at = readUri(platformId);
      if (!at) return;
      const answer = settled(
        await call(deps, session, {
          nsid: 'com.atproto.repo.deleteRecord',
          body: json({ ...at, repo: session.remoteId }),
          answer: z.unknown(),
        }),
      );
      if (answer.kind === 'refused') throw new Later(answer.detail);
    },
  };
}
