import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';

/** All that a verb may use. */
export interface Deps {
  db: Database;
  clock: Clock;
}
