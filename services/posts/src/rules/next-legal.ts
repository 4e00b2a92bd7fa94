import type { Account } from '@perch/proto/accounts';
import { limits } from '@perch/proto/limits';
import { type LocalDay, localDay } from './local-day.ts';
import { nextOpening } from './window.ts';

/** The first instant from `fromMs` on at which window and day limit let the tweets through; null when none does. */
export async function nextLegal(
  fromMs: number,
  account: Pick<Account, 'time_zone' | 'posting_window' | 'outside_window'>,
  tweetCount: number,
  usedOn: (day: LocalDay) => Promise<number>,
): Promise<number | null> {
  if (tweetCount > limits.dailyTweets) return null;
  const { time_zone, posting_window, outside_window } = account;
  let atMs = fromMs;
  for (let days = 0; days < limits.scheduleAheadDays; days++) {
    if (outside_window === 'fail') atMs = nextOpening(atMs, time_zone, posting_window);
    const day = localDay(atMs, time_zone);
    if ((await usedOn(day)) + tweetCount <= limits.dailyTweets) return atMs;
    atMs = day.endMs;
  }
  return null;
}
