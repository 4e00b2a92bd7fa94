import { Temporal } from 'temporal-polyfill';

/** A local calendar day as the half-open span of instants that it covers; 23 to 25 hours long over DST. */
export interface LocalDay {
  /** `YYYY-MM-DD` in the time zone. */
  date: string;
  startMs: number;
  endMs: number;
}

/** The day of `timeZone` that the instant falls into (seed §8: the account's time zone rules). */
export function localDay(instantMs: number, timeZone: string): LocalDay {
  const start = Temporal.Instant.fromEpochMilliseconds(instantMs)
    .toZonedDateTimeISO(timeZone)
    .startOfDay();
  return {
    date: start.toPlainDate().toString(),
    startMs: start.epochMilliseconds,
    endMs: start.add({ days: 1 }).startOfDay().epochMilliseconds,
  };
}

/** The instant on the clock of `timeZone`, with its offset. */
export function localTime(instantMs: number, timeZone: string): string {
  return Temporal.Instant.fromEpochMilliseconds(instantMs)
    .toZonedDateTimeISO(timeZone)
    .toString({ timeZoneName: 'never' });
}

/** The days of `timeZone` from one date to another, both included; null when that is none, or more than `limit`. */
export function localDays(
  from: string,
  to: string,
  timeZone: string,
  limit: number,
): LocalDay[] | null {
  const [first, last] = [Temporal.PlainDate.from(from), Temporal.PlainDate.from(to)];
  const count = first.until(last).days + 1;
  if (count < 1 || count > limit) return null;
  return Array.from({ length: count }, (_, index) => {
    const start = first.add({ days: index }).toZonedDateTime(timeZone);
    return localDay(start.epochMilliseconds, timeZone);
  });
}
