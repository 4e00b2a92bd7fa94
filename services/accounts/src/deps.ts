import type { Cipher } from '@perch/proto/cipher';
import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { FaultPoint } from '@perch/proto/fault-points';
import type { Logger } from '@perch/proto/process';
import type { Platforms } from './platforms/platforms.ts';

/** All that a verb or an activity may use. */
export interface Deps {
  db: Database;
  clients: Pick<Clients, 'credits' | 'media' | 'posts' | 'postsOversight' | 'webhooks'>;
  cipher: Cipher;
  platforms: Platforms;
  /** The gateway's address for browsers. */
  publicUrl: string;
  clock: Clock;
  log: Logger;
  faultPoint: FaultPoint;
}
