import type { PlatformName } from '@perch/proto/accounts';
import type { Perch } from '../perch.ts';

/** A platform's server for tests: real, or a stand-in that says so. */
export interface PlatformServer {
  platform: PlatformName;
  /** Where it listens; Perch may be pointed at a proxy before it instead. */
  url: string;
  /** Perch's settings to reach it at that URL. */
  env(url: string): Record<string, string>;
  /** Connects a fresh account of the platform to a user, as a person would; gives the account_id and the platform's own id. */
  connect(perch: Perch, userId: string): Promise<{ accountId: string; remoteId: string }>;
  /** Everything that stands there of that account, oldest first; no text twice unless it was sent twice. */
  posts(
    remoteId: string,
  ): Promise<{ id: string; text: string; inReplyTo: string | null; media: number }[]>;
  stop(): Promise<void>;
}
