import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Logger } from '@perch/proto/process';
import type { Network } from '@perch/proto/public-network';
import type { Storage } from './storage/storage.ts';

/** All that a verb may use. */
export interface Deps {
  db: Database;
  storage: Storage;
  network: Network;
  clock: Clock;
  log: Logger;
  /** This service's own URL, and what signs the paths below it. */
  ownUrl: string;
  secret: string;
}
