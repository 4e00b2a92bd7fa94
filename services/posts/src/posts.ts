import type { Posts } from '@perch/proto/posts';
import type { Health } from '@perch/proto/rpc';
import type { Deps } from './deps.ts';
import { advanceClock } from './verbs/advance-clock.ts';
import { begin } from './verbs/begin.ts';
import { cancel } from './verbs/cancel.ts';
import { content } from './verbs/content.ts';
import { create } from './verbs/create.ts';
import { dailyUse } from './verbs/daily-use.ts';
import { dayUses } from './verbs/day-uses.ts';
import { events, verify } from './verbs/events.ts';
import { get } from './verbs/get.ts';
import { list } from './verbs/list.ts';
import { rehearse } from './verbs/rehearse.ts';
import { settle } from './verbs/settle.ts';
import { upcoming } from './verbs/upcoming.ts';
import { update } from './verbs/update.ts';

/** The posts service over its dependencies. */
export function createPosts(deps: Deps & { health(): Promise<Health> }): Posts {
  return {
    create: (input) => create(deps, input),
    rehearse: (input) => rehearse(deps, input),
    advanceClock: (input) => advanceClock(deps, input),
    get: (input) => get(deps, input),
    list: (input) => list(deps, input),
    update: (input) => update(deps, input),
    cancel: (input) => cancel(deps, input),
    events: (input) => events(deps, input),
    verify: (input) => verify(deps, input),
    dailyUse: (input) => dailyUse(deps, input),
    dayUses: (input) => dayUses(deps, input),
    upcoming: (input) => upcoming(deps, input),
    pricing: async () => deps.pricing,
    content: (input) => content(deps, input),
    begin: (input) => begin(deps, input),
    settle: (input) => settle(deps, input),
    health: () => deps.health(),
  };
}
