import type { CreditsService } from '@perch/proto/credits';
import type { Health } from '@perch/proto/rpc';
import type { Deps } from './deps.ts';
import { findHolds } from './hold.ts';
import { balance } from './verbs/balance.ts';
import { capture } from './verbs/capture.ts';
import { daily } from './verbs/daily.ts';
import { entries } from './verbs/entries.ts';
import { grant } from './verbs/grant.ts';
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
