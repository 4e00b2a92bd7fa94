import type { Connections } from '@perch/proto/connections';
import type { Deps } from './deps.ts';
import { begin } from './verbs/begin-connection.ts';
import { create, get } from './verbs/connections.ts';
import { finish } from './verbs/finish-connection.ts';
import { document, platforms } from './verbs/platforms.ts';
import { signIn } from './verbs/sign-in-account.ts';

/** Connecting accounts of real platforms, over the service's dependencies. */
export function createConnections(deps: Deps): Connections {
  return {
    platforms: async () => platforms(deps),
    create: (input) => create(deps, input),
    get: (input) => get(deps, input),
    begin: (input) => begin(deps, input),
    finish: (input) => finish(deps, input),
    signIn: (input) => signIn(deps, input),
    document: async (input) => document(deps, input),
  };
}
