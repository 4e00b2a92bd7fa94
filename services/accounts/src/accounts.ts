import type { Accounts } from '@perch/proto/accounts';
import type { Deps } from './deps.ts';
import { findAccount } from './find.ts';
import { sandboxFeed } from './platforms/sandbox/sandbox.ts';
import { changeSettings, disconnect, get, list } from './verbs/accounts.ts';
import { authenticate } from './verbs/authenticate.ts';
import { connectSandbox } from './verbs/connect-sandbox.ts';
import { createKey } from './verbs/create-key.ts';
import { listKeys, revokeKey } from './verbs/keys.ts';
import { leaseRequests } from './verbs/lease-requests.ts';
import { review } from './verbs/review.ts';
import { takeDown } from './verbs/take-down.ts';
import { createUser, getUser, setPlan } from './verbs/users.ts';

/** The accounts service over its dependencies. */
export function createAccounts(deps: Deps): Accounts {
  return {
    createUser: (input) => createUser(deps, input),
    getUser: (input) => getUser(deps, input),
    setPlan: (input) => setPlan(deps, input),
    createKey: (input) => createKey(deps, input),
    listKeys: (input) => listKeys(deps, input),
    revokeKey: (input) => revokeKey(deps, input),
    authenticate: (input) => authenticate(deps, input),
    leaseRequests: (input) => leaseRequests(deps, input),
    connectSandbox: (input) => connectSandbox(deps, input),
    list: (input) => list(deps, input),
    get: (input) => get(deps, input),
    changeSettings: (input) => changeSettings(deps, input),
    disconnect: (input) => disconnect(deps, input),
    review: (input) => review(deps, input),
    takeDown: (input) => takeDown(deps, input),
    sandboxFeed: async (input) => sandboxFeed(deps.db, await findAccount(deps.db.fork(), input)),
    health: async () => {
      const database = await deps.db.check();
      return { ok: database.ok, checks: [database] };
    },
  };
}
