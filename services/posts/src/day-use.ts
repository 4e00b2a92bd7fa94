import type { EntityManager } from '@mikro-orm/postgresql';
import { toIso } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { type LocalDay, localDay } from './rules/local-day.ts';

/** Room that a post wants on the local day of its due time. */
export interface DayWish {
  accountId: string;
  timeZone: string;
  dueMs: number;
  tweetCount: number;
}

/** How many tweets of the account count toward the day; see `day_use` in the migrations for which do. */
export async function dayUse(db: Database, accountId: string, day: LocalDay): Promise<number> {
  const params = [accountId, new Date(day.startMs), new Date(day.endMs)];
  const [row] = await db.execute<{ used: number }>("select day_use(?, ?, ?, '') as used", params);
  return row?.used ?? 0;
}

/**
 * Makes sure that the day has room for the post, beside itself, until the transaction ends: whoever
 * else schedules on the account waits for it. Throws `daily_limit_reached`.
 */
export async function takeDay(em: EntityManager, wish: DayWish, postId: string): Promise<void> {
  const day = localDay(wish.dueMs, wish.timeZone);
  const [row]: { used: number }[] = await em.execute('select take_day(?, ?, ?, ?) as used', [
    wish.accountId,
    new Date(day.startMs),
    new Date(day.endMs),
    postId,
  ]);
  const used = row?.used ?? 0;
  if (used + wish.tweetCount > limits.dailyTweets) throw dayFull(wish, day, used);
}

/** `daily_limit_reached`, and when there is room again. */
export function dayFull(wish: DayWish, day: LocalDay, used: number): Fault {
  return new Fault('daily_limit_reached', {
    detail: `${used} of ${limits.dailyTweets} tweets are taken on ${day.date} (${wish.timeZone}); ${wish.tweetCount} more do not fit`,
    limit: limits.dailyTweets,
    used,
    required: wish.tweetCount,
    local_date: day.date,
    resets_at: toIso(day.endMs),
  });
}
