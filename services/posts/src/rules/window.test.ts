import fc from 'fast-check';
import { expect, test } from 'vitest';
import { isOpen, nextOpening } from './window.ts';

const paris = 'Europe/Paris';
const day = { opens: '06:00', closes: '23:00' };
const night = { opens: '22:00', closes: '02:30' };
const at = (iso: string) => Date.parse(iso);

test('opens with the first minute and closes before the last one', () => {
  expect(isOpen(at('2026-01-10T04:59:59.999Z'), paris, day)).toBe(false);
  expect(isOpen(at('2026-01-10T05:00:00.000Z'), paris, day)).toBe(true);
  expect(isOpen(at('2026-01-10T21:59:59.999Z'), paris, day)).toBe(true);
  expect(isOpen(at('2026-01-10T22:00:00.000Z'), paris, day)).toBe(false);
});

test('a window may wrap midnight', () => {
  expect(isOpen(at('2026-01-10T23:30:00.000Z'), paris, night)).toBe(true);
  expect(isOpen(at('2026-01-10T12:00:00.000Z'), paris, night)).toBe(false);
});

test('the same wall time is another instant in summer', () => {
  expect(nextOpening(at('2026-07-10T00:00:00.000Z'), paris, day)).toBe(
    at('2026-07-10T04:00:00.000Z'),
  );
  expect(nextOpening(at('2026-01-10T00:00:00.000Z'), paris, day)).toBe(
    at('2026-01-10T05:00:00.000Z'),
  );
});

test('opens when the clocks land where DST skips the opening time', () => {
  const skipped = { opens: '02:30', closes: '06:00' };
  expect(nextOpening(at('2026-03-29T00:30:00.000Z'), paris, skipped)).toBe(
    at('2026-03-29T01:00:00.000Z'),
  );
});

test('opens a second time where DST repeats an hour', () => {
  const short = { opens: '02:30', closes: '02:45' };
  expect(nextOpening(at('2026-10-25T00:50:00.000Z'), paris, short)).toBe(
    at('2026-10-25T01:30:00.000Z'),
  );
  // 02:30 summer time closes; half an hour later the clocks go back to 02:00, which is inside again.
  expect(nextOpening(at('2026-10-25T00:40:00.000Z'), paris, night)).toBe(
    at('2026-10-25T01:00:00.000Z'),
  );
});

test('the next opening is the first open minute, in any zone, over any DST change', () => {
  const time = fc.tuple(fc.integer({ min: 0, max: 23 }), fc.constantFrom('00', '15', '30', '45'));
  const text = ([hour, minute]: [number, string]) => `${String(hour).padStart(2, '0')}:${minute}`;
  fc.assert(
    fc.property(
      fc.constantFrom(
        'Europe/Paris',
        'America/New_York',
        'Australia/Lord_Howe',
        'Asia/Kathmandu',
        'UTC',
      ),
      // Quarter hours around the changes of clocks of 2026, and a plain day.
      fc.constantFrom(
        '2026-03-07T20:00',
        '2026-03-28T20:00',
        '2026-04-04T08:00',
        '2026-10-03T08:00',
        '2026-10-24T20:00',
        '2026-11-01T00:00',
        '2026-06-15T00:00',
      ),
      fc.integer({ min: 0, max: 48 }),
      time,
      time,
      (zone, from, quarters, opens, closes) => {
        fc.pre(text(opens) !== text(closes));
        const window = { opens: text(opens), closes: text(closes) };
        const start = at(`${from}:00.000Z`) + quarters * 900_000;
        let expected = start;
        while (!isOpen(expected, zone, window)) expected += 900_000;
        expect(nextOpening(start, zone, window)).toBe(expected);
      },
    ),
    { numRuns: 500 },
  );
});
