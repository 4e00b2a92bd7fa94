import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { FaultPoint } from '@perch/proto/fault-points';
import type { Pricing } from '@perch/proto/posts';
import type { Logger } from '@perch/proto/process';
import type { ReadAccount } from './account-cache.ts';
import type { Arming } from './arming.ts';

/** All that a verb may use. */
export interface Deps {
  db: Database;
  clients: Clients;
  arming: Arming;
  readAccount: ReadAccount;
  faultPoint: FaultPoint;
  clock: Clock;
  pricing: Pricing;
  /** How auto-reply goes on after a post, below what balance `credits.low` is told, and how long a held post waits. */
  policy: { replyEveryMs: number; replyForMs: number; creditsLow: number; retryForMs: number };
  log: Logger;
}
