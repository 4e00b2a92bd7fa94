import { limits } from '@perch/proto/limits';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localDay, localTime } from './local-day.ts';
import { nextLegal } from './next-legal.ts';
import { isOpen } from './window.ts';

const paris = {
  time_zone: 'Europe/Paris',
  posting_window: { opens: '09:00', closes: '17:00' },
  outside_window: 'fail' as const,
};
const at = (iso: string) => Date.parse(iso);
const empty = async () => 0;

test('a legal time is its own answer', async () => {
  const noon = at('2026-05-04T10:00:00.000Z');
  expect(await nextLegal(noon, paris, 1, empty)).toBe(noon);
});

test('outside the window it is the next opening, on the local clock', async () => {
  expect(await nextLegal(at('2026-03-28T20:00:00.000Z'), paris, 1, empty)).toBe(
    at('2026-03-29T07:00:00.000Z'),
  );
});

test('a full day moves it to the first day with room', async () => {
  const full = new Set(['2026-05-04', '2026-05-05']);
  const used = async (day: { date: string }) => (full.has(day.date) ? limits.dailyTweets : 5);
  const legal = await nextLegal(at('2026-05-04T10:00:00.000Z'), paris, 2, used);
  expect(legal).toBe(at('2026-05-06T07:00:00.000Z'));
  expect(await nextLegal(at('2026-05-04T10:00:00.000Z'), paris, 3, used)).toBeNull();
});

test('where the account defers, only the day counts', async () => {
  const night = at('2026-05-04T02:00:00.000Z');
  expect(await nextLegal(night, { ...paris, outside_window: 'defer' }, 1, empty)).toBe(night);
});

test('what no day can hold has no legal time', async () => {
  expect(await nextLegal(0, paris, limits.dailyTweets + 1, empty)).toBeNull();
});

test('is never before the time asked for, open, and on a day with room', async () => {
  const instants = fc.integer({ min: at('2026-01-01T00:00:00Z'), max: at('2027-01-01T00:00:00Z') });
  const fullDays = fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 7, maxLength: 7 });
  await fc.assert(
    fc.asyncProperty(instants, fullDays, async (fromMs, uses) => {
      const used = async (day: { date: string }) => uses[Number(day.date.slice(-2)) % 7] ?? 0;
      const legal = await nextLegal(fromMs, paris, 1, used);
      if (legal === null) return expect(Math.min(...uses)).toBe(limits.dailyTweets);
      expect(legal).toBeGreaterThanOrEqual(fromMs);
      expect(isOpen(legal, paris.time_zone, paris.posting_window)).toBe(true);
      expect(await used(localDay(legal, paris.time_zone))).toBeLessThan(limits.dailyTweets);
    }),
    { numRuns: 50 },
  );
});

test('local time carries the offset of the day', () => {
  expect(localTime(at('2026-01-10T08:00:00.000Z'), 'Europe/Paris')).toBe(
    '2026-01-10T09:00:00+01:00',
  );
  expect(localTime(at('2026-07-10T08:00:00.000Z'), 'Europe/Paris')).toBe(
    '2026-07-10T10:00:00+02:00',
  );
});
