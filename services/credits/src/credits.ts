import type { CreditsService } from '@perch/proto/credits';
import type { CreditsOversight } from '@perch/proto/credits-oversight';
import type { Health } from '@perch/proto/rpc';
import type { Deps } from './deps.ts';
import { findHolds } from './hold.ts';
import { Wallet } from './ledger.ts';
import { balance } from './verbs/balance.ts';
import { capture } from './verbs/capture.ts';
import { daily } from './verbs/daily.ts';
import { entries } from './verbs/entries.ts';
import { grant } from './verbs/grant.ts';
import { entriesOf } from './verbs/overseen-entries.ts';
import { release } from './verbs/release.ts';
import { reserve } from './verbs/reserve.ts';

/** The credits service over its dependencies. */
export function createCredits(deps: Deps & { health(): Promise<Health> }): CreditsService {
  return {
    grant: (input) => grant(deps, input),
    reserve: (input) => reserve(deps, input),
    capture: (input) => capture(deps, input),
    release: (input) => release(deps, input),
    reservations: (input) => findHolds(deps.db.fork(), input.post_ids),
    balance: (input) => balance(deps.db.fork(), input.user_id),
    entries: (input) => entries(deps, input),
    daily: (input) => daily(deps, input),
    health: () => deps.health(),
  };
}

/** What operators see of it. */
export function createCreditsOversight(deps: Deps): CreditsOversight {
  return {
    balances: async (ids) => {
      const rows = await deps.db.fork().find(Wallet, { user_id: { $in: ids } });
      const known = new Map(rows.map((row) => [row.user_id, row]));
      return ids.map((user_id) => {
        const { balance = 0, reserved = 0 } = known.get(user_id) ?? {};
        return { user_id, balance, reserved, available: balance - reserved };
      });
    },
    entries: (input) => entriesOf(deps, input),
    reservations: (ids) => findHolds(deps.db.fork(), ids),
  };
}
