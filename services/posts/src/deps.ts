import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Pricing } from '@perch/proto/posts';
import type { Logger } from '@perch/proto/process';
import type { Arming } from './arming.ts';

/** All that a verb may use. */
export interface Deps {
  db: Database;
  clients: Clients;
  arming: Arming;
  clock: Clock;
  pricing: Pricing;
  log: Logger;
}
