import type { EntityManager } from '@mikro-orm/postgresql';
import { toIso } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { type LocalDay, localDay } from './rules/local-day.ts';
import { countsTowardDay } from './rules/status.ts';

/** How many tweets of the account count toward the day; those of failed posts that stand count too. */
export async function dayUse(
  em: EntityManager,
  accountId: string,
  day: LocalDay,
  exceptPostId = '',
): Promise<number> {
  const [row]: { used: string }[] = await em.execute(
    `select coalesce(sum(case when status = any(?) then tweet_count else jsonb_array_length(parts) end), 0) as used
     from post
     where account_id = ? and scheduled_at >= ? and scheduled_at < ? and id <> ?`,
    [
      `{${countsTowardDay.join()}}`,
      accountId,
      new Date(day.startMs),
      new Date(day.endMs),
      exceptPostId,
    ],
  );
  return Number(row?.used ?? 0);
}

/**
 * Makes sure that the day of `dueMs` has room for so many tweets, until the transaction ends: whoever
 * else schedules on the account waits for it. Throws `daily_limit_reached`.
 */
export async function takeDay(
  em: EntityManager,
  want: {
    accountId: string;
    timeZone: string;
    dueMs: number;
    tweetCount: number;
    exceptPostId?: string;
  },
): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 0))', [want.accountId]);
  const day = localDay(want.dueMs, want.timeZone);
  const used = await dayUse(em, want.accountId, day, want.exceptPostId);
  if (used + want.tweetCount <= limits.dailyTweets) return;
  throw new Fault('daily_limit_reached', {
    detail: `${used} of ${limits.dailyTweets} tweets are taken on ${day.date} (${want.timeZone}); ${want.tweetCount} more do not fit`,
    limit: limits.dailyTweets,
    used,
    required: want.tweetCount,
    local_date: day.date,
    resets_at: toIso(day.endMs),
  });
}
