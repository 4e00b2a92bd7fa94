import type { PostingWindow } from '@perch/proto/accounts';
import { Temporal } from 'temporal-polyfill';

/** Whether an account may post at that instant (seed §8). The closing minute itself is outside. */
export function isOpen(instantMs: number, timeZone: string, window: PostingWindow): boolean {
  const local = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timeZone);
  const minute = local.hour * 60 + local.minute;
  const opens = minuteOfDay(window.opens);
  const closes = minuteOfDay(window.closes);
  return opens < closes ? minute >= opens && minute < closes : minute >= opens || minute < closes;
}

/**
 * The first instant at or after the given one at which the window is open. Over DST it may also open
 * when the clocks jump: past its opening time, or back into it.
 */
export function nextOpening(instantMs: number, timeZone: string, window: PostingWindow): number {
  if (isOpen(instantMs, timeZone, window)) return instantMs;
  const local = Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(timeZone);
  for (const days of [0, 1, 2, 3]) {
    const day = local.toPlainDate().add({ days });
    const [first] = possibleOpenings(day, timeZone, window)
      .filter((at) => at > instantMs && isOpen(at, timeZone, window))
      .sort((a, b) => a - b);
    if (first !== undefined) return first;
  }
  throw new Error(`the window ${window.opens}-${window.closes} never opens in ${timeZone}`);
}

/** The instants of a local day at which the window can turn open: its opening time, or a change of clocks. */
function possibleOpenings(
  day: Temporal.PlainDate,
  timeZone: string,
  window: PostingWindow,
): number[] {
  const opening = day.toPlainDateTime(Temporal.PlainTime.from(window.opens));
  const change = day.toZonedDateTime(timeZone).getTimeZoneTransition('next');
  return [
    opening.toZonedDateTime(timeZone, { disambiguation: 'earlier' }),
    opening.toZonedDateTime(timeZone, { disambiguation: 'later' }),
    ...(change?.toPlainDate().equals(day) ? [change] : []),
  ].map((at) => at.epochMilliseconds);
}

function minuteOfDay(time: string): number {
  return Number(time.slice(0, 2)) * 60 + Number(time.slice(3, 5));
}
