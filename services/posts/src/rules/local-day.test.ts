import fc from 'fast-check';
import { expect, test } from 'vitest';
import { localDay } from './local-day.ts';

const hours = (day: { startMs: number; endMs: number }) => (day.endMs - day.startMs) / 3_600_000;

test('the day is the account’s, not UTC’s', () => {
  const day = localDay(Date.parse('2026-01-10T23:30:00.000Z'), 'Asia/Tokyo');
  expect(day).toEqual({
    date: '2026-01-11',
    startMs: Date.parse('2026-01-10T15:00:00.000Z'),
    endMs: Date.parse('2026-01-11T15:00:00.000Z'),
  });
});

test('a day of changing clocks has 23 or 25 hours', () => {
  expect(hours(localDay(Date.parse('2026-03-29T12:00:00.000Z'), 'Europe/Paris'))).toBe(23);
  expect(hours(localDay(Date.parse('2026-10-25T12:00:00.000Z'), 'Europe/Paris'))).toBe(25);
});

test('a day whose midnight does not exist starts when it can', () => {
  const day = localDay(Date.parse('2018-11-04T12:00:00.000Z'), 'America/Sao_Paulo');
  expect(day.startMs).toBe(Date.parse('2018-11-04T03:00:00.000Z'));
  expect(hours(day)).toBe(23);
});

test('every instant lies in exactly one day, and days follow each other without a gap', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: Date.parse('2026-01-01'), max: Date.parse('2027-01-01') }),
      fc.constantFrom('Europe/Paris', 'America/New_York', 'Pacific/Apia', 'Asia/Kathmandu', 'UTC'),
      (instantMs, zone) => {
        const day = localDay(instantMs, zone);
        expect(day.startMs).toBeLessThanOrEqual(instantMs);
        expect(day.endMs).toBeGreaterThan(instantMs);
        expect(localDay(day.endMs, zone).startMs).toBe(day.endMs);
        expect(localDay(day.endMs - 1, zone).date).toBe(day.date);
      },
    ),
  );
});
