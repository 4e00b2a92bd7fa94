import { toIso } from '@perch/proto/clock';

/** The calendar month of an instant, in UTC: `2026-11`. Credits are granted once in each. */
export function monthOf(instantMs: number): string {
  return toIso(instantMs).slice(0, '2026-11'.length);
}
