import type { PostingWindow } from '@perch/proto/accounts';
import { minutesInDay } from './local-calendar.ts';

/** A part of a day, in minutes on the face of its clock: from inclusive, to exclusive. */
export interface Stretch {
  from: number;
  to: number;
}

/** When a window is open on any day; in two parts where it goes over midnight, none where it is not a window. */
export function openMinutes({ opens, closes }: PostingWindow): Stretch[] {
  const from = minuteOfDay(opens);
  const to = minuteOfDay(closes);
  if (from === to || Number.isNaN(from) || Number.isNaN(to)) return [];
  if (from < to) return [{ from, to }];
  return [
    { from: 0, to },
    { from, to: minutesInDay },
  ].filter((part) => part.from < part.to);
}

/** The rest of the day: what a calendar shades. */
export function closedMinutes(window: PostingWindow): Stretch[] {
  const closed: Stretch[] = [];
  let at = 0;
  for (const { from, to } of openMinutes(window)) {
    if (from > at) closed.push({ from: at, to: from });
    at = to;
  }
  if (at < minutesInDay) closed.push({ from: at, to: minutesInDay });
  return closed;
}

function minuteOfDay(time: string): number {
  const [hour, minute] = time.split(':').map(Number);
  return (hour ?? Number.NaN) * 60 + (minute ?? Number.NaN);
}
