import type { PlatformName } from '@perch/proto/accounts';
import type { Cipher } from '@perch/proto/cipher';
import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import type { Logger } from '@perch/proto/process';
import { internet, publicFetch } from '@perch/proto/public-network';
import type { PlatformSettings } from '../config.ts';
import { createBluesky } from './bluesky/bluesky.ts';
import { createMastodon } from './mastodon/mastodon.ts';
import type { ConnectorDeps, Platform } from './platform.ts';
import { createSandbox } from './sandbox/sandbox.ts';
import { createVault } from './vault.ts';
import { createX } from './x/x.ts';

/** The platforms that are set up here; the sandbox always is. */
export type Platforms = Partial<Record<PlatformName, Platform>> & { sandbox: Platform };

/** Every platform that the settings allow. */
export function createPlatforms(
  settings: PlatformSettings,
  deps: { db: Database; clock: Clock; cipher: Cipher; log: Logger },
): Platforms {
  const connectorDeps = (platform: PlatformName): ConnectorDeps => ({
    fetch: publicFetch({ ...internet, loopback: settings.loopback }),
    clock: deps.clock,
    log: deps.log,
    vault: createVault(deps, platform),
  });
  const { bluesky } = settings;
  const publicUrl = browserUrl(settings.publicUrl);
  return {
    sandbox: createSandbox(deps),
    ...(bluesky && {
      bluesky: createBluesky(
        {
          ...settings,
          ...bluesky,
          publicUrl,
          callbackUrl: callbackUrl(settings.publicUrl, 'bluesky'),
        },
        connectorDeps('bluesky'),
      ),
    }),
    ...(settings.x && { x: createX(settings.x, connectorDeps('x')) }),
    ...(settings.mastodon && {
      mastodon: createMastodon({ ...settings, publicUrl }, connectorDeps('mastodon')),
    }),
  };
}

/** The connector of a platform; `service_unavailable` where it is not set up (any more). */
export function platformOf(platforms: Platforms, name: PlatformName): Platform {
  const platform = platforms[name];
  if (platform) return platform;
  throw new Fault('service_unavailable', { detail: `${name} is not set up here`, platform: name });
}

/** Where a platform sends people back to; registered there to the letter. */
export function callbackUrl(publicUrl: string, platform: PlatformName): string {
  return `${browserUrl(publicUrl)}/connect/${platform}/callback`;
}

/** The gateway as platforms know it: they take 127.0.0.1 where they refuse localhost. */
export function browserUrl(publicUrl: string): string {
  const url = new URL(publicUrl);
  if (url.hostname === 'localhost') url.hostname = '127.0.0.1';
  return url.href.replace(/\/$/, '');
}
