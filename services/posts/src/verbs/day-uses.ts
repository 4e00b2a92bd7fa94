import { toIso } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import type { DayUse } from '@perch/proto/posts';
import type { Tenant } from '@perch/proto/tenant';
import { dayUse } from '../day-use.ts';
import type { Deps } from '../deps.ts';
import { localDays } from '../rules/local-day.ts';

/** How full each local day of the account is, for a calendar. */
export async function dayUses(
  deps: Deps,
  input: { tenant: Tenant; account_id: string; from: string; to: string },
): Promise<DayUse[]> {
  const { tenant, account_id, from, to } = input;
  const { time_zone } = await deps.clients.accounts.get.query({ tenant, account_id });
  const days = localDays(from, to, time_zone, limits.dayUses);
  if (!days) {
    const detail = `must be from \`from\` on, ${limits.dayUses} days at the most`;
    const errors = [{ pointer: '/to', code: 'out_of_range', detail }];
    throw new Fault('validation_failed', { detail: `/to: ${detail}`, errors });
  }
  return Promise.all(
    days.map(async (day) => ({
      date: day.date,
      starts_at: toIso(day.startMs),
      ends_at: toIso(day.endMs),
      used: await dayUse(deps.db, account_id, day),
      limit: limits.dailyTweets,
    })),
  );
}
