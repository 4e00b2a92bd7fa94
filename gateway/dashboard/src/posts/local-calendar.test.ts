import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  clock,
  dateOf,
  fromField,
  instantOf,
  later,
  minuteOf,
  minutesInDay,
  monthOf,
  quarterAfter,
  skippedMinutes,
  snap,
  spanOf,
  toField,
  weekOf,
} from './local-calendar.ts';

const zones = fc.constantFrom(
  'UTC',
  'Europe/Paris',
  'America/New_York',
  'Asia/Kathmandu',
  'Australia/Lord_Howe',
  'America/Sao_Paulo',
  'Pacific/Apia',
  'Africa/Casablanca',
);
const instants = fc
  .integer({ min: Date.UTC(2010, 0) / 60_000, max: Date.UTC(2037, 11) / 60_000 })
  .map((minute) => minute * 60_000);
const hourMs = 3_600_000;

describe('days over a change of clocks', () => {
  test('have 23 and 25 hours in Paris', () => {
    const spring = spanOf('2026-03-29', 'Europe/Paris');
    const autumn = spanOf('2026-10-25', 'Europe/Paris');
    expect(spring.endMs - spring.startMs).toBe(23 * hourMs);
    expect(autumn.endMs - autumn.startMs).toBe(25 * hourMs);
  });

  test('show the hour that does not exist, and only on its day', () => {
    expect(skippedMinutes('2026-03-29', 'Europe/Paris')).toEqual({ from: 120, to: 180 });
    expect(skippedMinutes('2026-03-28', 'Europe/Paris')).toBeNull();
    expect(skippedMinutes('2026-10-25', 'Europe/Paris')).toBeNull();
    expect(skippedMinutes('2026-10-04', 'Australia/Lord_Howe')).toEqual({ from: 120, to: 150 });
  });

  test('begin later where the clocks jump at midnight', () => {
    expect(skippedMinutes('2018-11-04', 'America/Sao_Paulo')).toEqual({ from: 0, to: 60 });
    expect(skippedMinutes('2018-11-03', 'America/Sao_Paulo')).toBeNull();
    expect(minuteOf(spanOf('2018-11-04', 'America/Sao_Paulo').startMs, 'America/Sao_Paulo')).toBe(
      60,
    );
  });

  test('take a time that does not exist as the one after the jump', () => {
    expect(new Date(instantOf('2026-03-29', 150, 'Europe/Paris')).toISOString()).toBe(
      '2026-03-29T01:30:00.000Z',
    );
  });

  test('take the first of two times that the clock shows twice', () => {
    expect(new Date(instantOf('2026-10-25', 150, 'Europe/Paris')).toISOString()).toBe(
      '2026-10-25T00:30:00.000Z',
    );
  });
});

test('what a field shows is what it means, but for the hour that comes twice', () => {
  fc.assert(
    fc.property(zones, instants, (zone, atMs) => {
      const field = toField(atMs, zone);
      const meant = fromField(field, zone);
      expect(meant === null ? null : toField(meant, zone)).toBe(field);
    }),
  );
});

test('every instant is in the span of its date', () => {
  fc.assert(
    fc.property(zones, instants, (zone, atMs) => {
      const { startMs, endMs } = spanOf(dateOf(atMs, zone), zone);
      expect(startMs).toBeLessThanOrEqual(atMs);
      expect(endMs).toBeGreaterThan(atMs);
    }),
  );
});

test('half a time in a field means nothing yet', () => {
  expect(fromField('', 'UTC')).toBeNull();
  expect(fromField('2026-11-21', 'UTC')).toBeNull();
});

test('a week is from Monday to Sunday, also over the end of a year', () => {
  expect(weekOf('2026-12-31')).toEqual([
    '2026-12-28',
    '2026-12-29',
    '2026-12-30',
    '2026-12-31',
    '2027-01-01',
    '2027-01-02',
    '2027-01-03',
  ]);
  expect(weekOf('2026-12-28')[0]).toBe('2026-12-28');
});

test('a month is shown in whole weeks that hold all of it', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 500 }), (months) => {
      const date = later('2010-01-15', { months });
      const shown = monthOf(date);
      expect(shown.length % 7).toBe(0);
      expect(shown).toContain(`${date.slice(0, 7)}-01`);
      expect(shown).toContain(later(later(`${date.slice(0, 7)}-01`, { months: 1 }), { days: -1 }));
    }),
  );
});

test('a post is put on a quarter of an hour inside the day, wherever it is dropped', () => {
  fc.assert(
    fc.property(fc.integer({ min: -3_000, max: 3_000 }), (minute) => {
      const snapped = snap(minute);
      expect(snapped % 15).toBe(0);
      expect(snapped).toBeGreaterThanOrEqual(0);
      expect(snapped).toBeLessThan(minutesInDay);
    }),
  );
  expect([snap(7), snap(8), snap(1_439)]).toEqual([0, 15, 1_425]);
});

test('a first suggestion is a quarter of an hour, and far enough away', () => {
  const atMs = Date.UTC(2026, 10, 21, 10, 7);
  expect(new Date(quarterAfter(atMs, hourMs)).toISOString()).toBe('2026-11-21T11:15:00.000Z');
});

test('minutes are told as a clock does', () => {
  expect([clock(0), clock(605), clock(1_439)]).toEqual(['00:00', '10:05', '23:59']);
});
