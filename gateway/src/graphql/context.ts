import type { Clients } from '@perch/proto/clients';
import type { Actor } from '@perch/proto/operators';
import type { Logger } from '@perch/proto/process';
import type { Loaders } from './loaders.ts';

/** What a resolver knows of the request that it answers. */
export interface Context {
  actor: Actor;
  requestId: string;
  clients: Clients;
  loaders: Loaders;
  log: Logger;
}
