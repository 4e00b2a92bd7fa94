import type { PlatformName } from '@perch/proto/accounts';

/** What people call the platforms. */
export const platformNames: Record<PlatformName, string> = {
  sandbox: 'Sandbox',
  x: 'X',
  bluesky: 'Bluesky',
  mastodon: 'Mastodon',
};
