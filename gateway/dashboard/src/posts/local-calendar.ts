import { Temporal } from 'temporal-polyfill';

/** Minutes on the face of a clock from one midnight to the next; a day over DST still has this face. */
export const minutesInDay = 1_440;
/** What a time is snapped to when it is pressed or dragged. */
export const snapMinutes = 15;

/** The local date of an instant, `YYYY-MM-DD`, on the clock of the zone. */
export function dateOf(instantMs: number, zone: string): string {
  return local(instantMs, zone).toPlainDate().toString();
}

/** What the clock of the zone shows, in minutes since midnight. */
export function minuteOf(instantMs: number, zone: string): number {
  const { hour, minute } = local(instantMs, zone);
  return hour * 60 + minute;
}

/**
 * The instant at which the clock of the zone shows that minute of that date. Of two, when clocks go back, the
 * first; of none, when they go forward, the one as long after midnight as the clock would have had it.
 */
export function instantOf(date: string, minute: number, zone: string): number {
  const time = Temporal.PlainTime.from({ hour: Math.floor(minute / 60), minute: minute % 60 });
  const at = Temporal.PlainDate.from(date).toPlainDateTime(time);
  return at.toZonedDateTime(zone, { disambiguation: 'compatible' }).epochMilliseconds;
}

/** The instants at which a local date begins and ends: 23 to 25 hours apart over DST. */
export function spanOf(date: string, zone: string): { startMs: number; endMs: number } {
  const start = Temporal.PlainDate.from(date).toZonedDateTime(zone);
  return {
    startMs: start.epochMilliseconds,
    endMs: start.add({ days: 1 }).startOfDay().epochMilliseconds,
  };
}

/** The seven dates of the week that the date is in, from Monday. */
export function weekOf(date: string): string[] {
  return days(mondayOf(Temporal.PlainDate.from(date)), 7);
}

/** Whole weeks that hold all of the date's month. */
export function monthOf(date: string): string[] {
  const day = Temporal.PlainDate.from(date);
  const first = mondayOf(day.with({ day: 1 }));
  const last = mondayOf(day.with({ day: day.daysInMonth })).add({ days: 6 });
  return days(first, first.until(last, { largestUnit: 'days' }).days + 1);
}

/** A date so many days, or months, later. */
export function later(date: string, by: { days?: number; months?: number }): string {
  return Temporal.PlainDate.from(date).add(by).toString();
}

/** Whether both dates are in one month. */
export function sameMonth(one: string, other: string): boolean {
  return one.slice(0, 7) === other.slice(0, 7);
}

/** The nearest minute of a day that a post can be put on. */
export function snap(minute: number): number {
  const snapped = Math.round(minute / snapMinutes) * snapMinutes;
  return Math.min(Math.max(snapped, 0), minutesInDay - snapMinutes);
}

/** `14:05`. */
export function clock(minute: number): string {
  const two = (number: number) => String(number).padStart(2, '0');
  return `${two(Math.floor(minute / 60))}:${two(minute % 60)}`;
}

/** The instant as a `datetime-local` field shows it on the clock of the zone. */
export function toField(instantMs: number, zone: string): string {
  return `${dateOf(instantMs, zone)}T${clock(minuteOf(instantMs, zone))}`;
}

/** The instant that a `datetime-local` field means on the clock of the zone; null for half a time. */
export function fromField(value: string, zone: string): number | null {
  const parts = /^(\d{4,6}-\d\d-\d\d)T(\d\d):(\d\d)/.exec(value);
  if (!parts) return null;
  const [, date = '', hour, minute] = parts;
  return instantOf(date, Number(hour) * 60 + Number(minute), zone);
}

/** The next quarter of an hour that is at least so far away. */
export function quarterAfter(instantMs: number, aheadMs: number): number {
  const quarterMs = snapMinutes * 60_000;
  return Math.ceil((instantMs + aheadMs) / quarterMs) * quarterMs;
}

/** The minutes of a date that its clock skips when it goes forward; null on all other days. */
export function skippedMinutes(date: string, zone: string): { from: number; to: number } | null {
  const { startMs, endMs } = spanOf(date, zone);
  const change = Temporal.Instant.fromEpochMilliseconds(startMs - 1)
    .toZonedDateTimeISO(zone)
    .getTimeZoneTransition('next');
  if (!change || change.epochMilliseconds >= endMs) return null;
  const to = minuteOf(change.epochMilliseconds, zone);
  const before = minuteOf(change.epochMilliseconds - 60_000, zone) + 1;
  // A change at midnight skips the first minutes of the day, not those of the day before.
  const from = change.epochMilliseconds === startMs ? 0 : before;
  return to > from ? { from, to } : null;
}

function local(instantMs: number, zone: string): Temporal.ZonedDateTime {
  return Temporal.Instant.fromEpochMilliseconds(instantMs).toZonedDateTimeISO(zone);
}

function mondayOf(date: Temporal.PlainDate): Temporal.PlainDate {
  return date.subtract({ days: date.dayOfWeek - 1 });
}

function days(first: Temporal.PlainDate, count: number): string[] {
  return Array.from({ length: count }, (_, index) => first.add({ days: index }).toString());
}
