import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { MailMode } from '@perch/proto/identity';

/** All that signing up and in may use. */
export interface IdentityDeps {
  db: Database;
  clock: Clock;
  mailMode: MailMode;
  /** A session that is not used for so long has expired. */
  sessionIdleMs: number;
  /** No session lasts longer, however much it is used. */
  sessionMaxMs: number;
  /** Attempts from one IP in a window; see `attempts.ts`. */
  attemptsPerIp: number;
  /** Tells that the user is there, so that the credits of the month are granted. */
  onSignedIn(userId: string): Promise<void>;
}
