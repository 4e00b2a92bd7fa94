import { createLogger } from '@perch/proto/process';
import { internet, publicFetch } from '@perch/proto/public-network';
import type { XSettings } from '../../../services/accounts/src/config.ts';
import type {
  ConnectorDeps,
  Identity,
  Outgoing,
  Platform,
  Session,
  Sought,
  Upload,
} from '../../../services/accounts/src/platforms/platform.ts';
import { createX } from '../../../services/accounts/src/platforms/x/x.ts';
import type { XServer } from './start.ts';
import type { XAccount } from './world.ts';

/** Where X sends people back to, for tests. */
export const redirectUri = 'http://127.0.0.1:3000/connect/x/callback';

/** The settings that lead to the stand-in. */
export function settingsFor(server: XServer, more: Partial<XSettings> = {}): XSettings {
  const { id, secret } = server.world.options.client;
  return {
    clientId: id,
    clientSecret: secret,
    apiUrl: server.url,
    authorizeUrl: `${server.url}/i/oauth2/authorize`,
    sendTimeoutMs: 1_000,
    readBackLagMs: 500,
    ...more,
  };
}

/** The connector as the accounts service makes it, by the clock of the stand-in. */
export function connectorFor(server: XServer, more: Partial<XSettings> = {}): Platform {
  return createX(settingsFor(server, more), connectorDepsFor(server));
}

function connectorDepsFor(server: XServer): ConnectorDeps {
  return {
    fetch: publicFetch({ ...internet, loopback: true }),
    clock: () => server.world.options.clock(),
    log: createLogger('test', 'silent'),
    vault: { get: async () => null, set: async () => {} },
  };
}

/** A person connects an account: there, through the consent page, and back. */
export async function consentTo(
  server: XServer,
  platform: Platform,
  account: XAccount,
): Promise<Identity> {
  const consent = platform.connection?.consent;
  if (!consent) throw new Error('X has a consent page');
  const begun = await consent.begin({ server: null, redirectUri });
  const back = await server.consent(begun.authorizeUrl, account);
  if (back.searchParams.get('state') !== begun.state) throw new Error('another state came back');
  const params = Object.fromEntries(back.searchParams);
  return consent.finish({ secret: begun.secret, redirectUri, params });
}

/** A session as the accounts service opens one, its limits and renewals kept here. */
export function sessionOf(
  platform: Platform,
  identity: Identity,
): Session & { blocked: Map<string, number>; renewals: number } {
  const blocked = new Map<string, number>();
  const session = {
    accountId: 'account_1',
    ...identity,
    blocked,
    renewals: 0,
    renew: async () => {
      session.renewals += 1;
      const refreshed = await platform.connection?.refresh(session.credentials);
      if (refreshed?.kind !== 'fresh') throw new Error('not renewed');
      return refreshed.credentials;
    },
    rateLimits: {
      blockedUntilMs: async (bucket: string) => blocked.get(bucket) ?? null,
      note: async (bucket: string, limit: { resetMs: number }) => {
        blocked.set(bucket, limit.resetMs);
      },
    },
  };
  return session;
}

/** A tweet on its way out. */
export function outgoing(text: string, more: Partial<Outgoing> = {}): Outgoing {
  return {
    kind: 'post',
    text,
    media: [],
    inReplyTo: null,
    root: null,
    key: 'post_1/tweet:0',
    attempt: 1,
    ...more,
  };
}

/** The same as it is looked for. */
export function sought(text: string, more: Partial<Sought> = {}): Sought {
  const { media, ...rest } = outgoing(text);
  return { ...rest, mediaCount: media.length, ...more };
}

/** A file on its way to X; `saved` is what the connector kept of it. */
export function upload(
  type: Upload['media']['type'],
  bytes: Uint8Array<ArrayBuffer>,
  altText: string | null = null,
): Upload & { saved: unknown[]; opened: number[] } {
  const saved: unknown[] = [];
  const opened: number[] = [];
  return {
    media: {
      id: 'media_1',
      type,
      bytes: bytes.length,
      alt_text: altText,
      width: null,
      height: null,
      duration_ms: null,
    },
    state: null,
    saved,
    opened,
    save: async (state) => void saved.push(state),
    open: async (fromByte) => {
      opened.push(fromByte);
      return new Blob([bytes.subarray(fromByte)]).stream();
    },
  };
}

const magic: Partial<Record<Upload['media']['type'], string>> = {
  'image/png': '\x89PNG\r\n\x1a\n',
  'image/jpeg': '\xff\xd8\xff\xe0',
  'image/gif': 'GIF89a',
  'image/webp': 'RIFF\0\0\0\0WEBP',
  'video/mp4': '\0\0\0\x18ftypmp42',
};

/** A file of a type and size whose every byte depends on its place, so that a piece out of place is another file. */
export function fileOf(type: Upload['media']['type'], bytes: number): Uint8Array<ArrayBuffer> {
  const file = Buffer.alloc(bytes);
  for (let at = 0; at + 4 <= bytes; at += 4) file.writeUInt32LE(at, at);
  file.write(magic[type] ?? '', 'latin1');
  return new Uint8Array(file);
}
