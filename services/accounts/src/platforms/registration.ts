import type { PlatformName } from '@perch/proto/accounts';
import type { PlatformInfo } from '@perch/proto/connections';
import { scopes } from './bluesky/scopes.ts';

/** What an operator needs to know before a platform can be used; docs/platforms has the long form. */
export const registration: Record<
  Exclude<PlatformName, 'sandbox'>,
  Pick<PlatformInfo, 'scopes' | 'how' | 'server'>
> = {
  x: {
    scopes: ['tweet.read', 'tweet.write', 'users.read', 'media.write', 'offline.access'],
    how: 'Register an app in the X developer console with this callback URL; set PERCH_X_CLIENT_ID and, for a confidential client, PERCH_X_CLIENT_SECRET.',
    server: 'none',
  },
  bluesky: {
    scopes,
    how: 'Nothing to register: Bluesky reads the client metadata from PERCH_PUBLIC_URL. PERCH_BLUESKY=off turns it off.',
    server: 'optional',
  },
  mastodon: {
    scopes: ['profile', 'write:statuses', 'write:media', 'read:statuses', 'read:notifications'],
    how: 'Nothing to register: Perch registers itself at each instance. PERCH_MASTODON=off turns it off.',
    server: 'required',
  },
};
