import type { Account } from '@perch/proto/accounts';
import { toIso } from '@perch/proto/clock';
import { Fault, type FieldError } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { isOpen, nextOpening } from './window.ts';

const dayMs = 86_400_000;

/** What is wrong with the due time by itself, before any account is asked. */
export function scheduleErrors(dueMs: number, nowMs: number): FieldError[] {
  if (dueMs <= nowMs) {
    const detail = `must be in the future; now it is ${toIso(nowMs)}`;
    return [{ pointer: '/scheduled_at', code: 'in_past', detail }];
  }
  if (dueMs > nowMs + limits.scheduleAheadDays * dayMs) {
    const detail = `must be within ${limits.scheduleAheadDays} days from now`;
    return [{ pointer: '/scheduled_at', code: 'too_far', detail }];
  }
  return [];
}

/** What is wrong with a thread that no day can hold. */
export function threadErrors(tweetCount: number): FieldError[] {
  if (tweetCount <= limits.dailyTweets) return [];
  const detail = `${tweetCount} tweets can never fit the account's ${limits.dailyTweets} a day`;
  return [{ pointer: '/tweets', code: 'exceeds_daily_limit', detail }];
}

/** `outside_posting_window`; null when the account may post then, or defers what is outside. */
export function windowFault(dueMs: number, account: Account): Fault | null {
  const { time_zone, posting_window, outside_window } = account;
  if (outside_window === 'defer' || isOpen(dueMs, time_zone, posting_window)) return null;
  const opens = toIso(nextOpening(dueMs, time_zone, posting_window));
  return new Fault('outside_posting_window', {
    detail: `${toIso(dueMs)} is outside ${posting_window.opens}-${posting_window.closes} ${time_zone}; the window opens at ${opens}`,
    errors: [
      {
        pointer: '/scheduled_at',
        code: 'outside_posting_window',
        detail: `next opening: ${opens}`,
      },
    ],
    posting_window,
    time_zone,
    next_window_start: opens,
  });
}

/** Throws what {@link windowFault} finds. */
export function requireWindow(dueMs: number, account: Account): void {
  const fault = windowFault(dueMs, account);
  if (fault) throw fault;
}
