import { toIso } from '@perch/proto/clock';
import { limits } from '@perch/proto/limits';
import type { DailyUse } from '@perch/proto/posts';
import { dayUse } from '../day-use.ts';
import type { Deps } from '../deps.ts';
import { localDay } from '../rules/local-day.ts';

/** How much of the present local day of each account is taken. */
export async function dailyUse(
  deps: Deps,
  input: { accounts: { account_id: string; time_zone: string }[] },
): Promise<DailyUse[]> {
  const uses: DailyUse[] = [];
  for (const { account_id, time_zone } of input.accounts) {
    const day = localDay(deps.clock(), time_zone);
    const used = await dayUse(deps.db, account_id, day);
    const remaining = Math.max(0, limits.dailyTweets - used);
    uses.push({
      account_id,
      limit: limits.dailyTweets,
      used,
      remaining,
      resets_at: toIso(day.endMs),
    });
  }
  return uses;
}
