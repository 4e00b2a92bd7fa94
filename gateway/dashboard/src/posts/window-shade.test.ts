import fc from 'fast-check';
import { expect, test } from 'vitest';
import { clock, minutesInDay } from './local-calendar.ts';
import { closedMinutes, openMinutes } from './window-shade.ts';

test('a window in the day leaves its morning and its night shaded', () => {
  const window = { opens: '06:00', closes: '23:00' };
  expect(openMinutes(window)).toEqual([{ from: 360, to: 1_380 }]);
  expect(closedMinutes(window)).toEqual([
    { from: 0, to: 360 },
    { from: 1_380, to: 1_440 },
  ]);
});

test('a window over midnight leaves the middle of the day shaded', () => {
  const window = { opens: '22:00', closes: '02:00' };
  expect(openMinutes(window)).toEqual([
    { from: 0, to: 120 },
    { from: 1_320, to: 1_440 },
  ]);
  expect(closedMinutes(window)).toEqual([{ from: 120, to: 1_320 }]);
});

test('a window until midnight, or from it, is one stretch', () => {
  expect(openMinutes({ opens: '20:00', closes: '24:00' })).toEqual([{ from: 1_200, to: 1_440 }]);
  expect(openMinutes({ opens: '20:00', closes: '00:00' })).toEqual([{ from: 1_200, to: 1_440 }]);
  expect(closedMinutes({ opens: '00:00', closes: '24:00' })).toEqual([]);
});

test('a window that is being typed shades the day and breaks nothing', () => {
  expect(closedMinutes({ opens: '', closes: '10:00' })).toEqual([{ from: 0, to: 1_440 }]);
});

test('open and shaded minutes make up every day, for any window', () => {
  const minutes = fc.integer({ min: 0, max: minutesInDay - 1 });
  fc.assert(
    fc.property(minutes, minutes, (opens, closes) => {
      const window = { opens: clock(opens), closes: clock(closes) };
      const parts = [...openMinutes(window), ...closedMinutes(window)];
      const sorted = parts.toSorted((a, b) => a.from - b.from);
      expect(sorted.at(0)?.from).toBe(0);
      expect(sorted.at(-1)?.to).toBe(minutesInDay);
      for (const [index, part] of sorted.entries())
        expect(sorted[index + 1]?.from ?? minutesInDay).toBe(part.to);
    }),
  );
});
