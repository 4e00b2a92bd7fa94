import fc from 'fast-check';
import { expect, test } from 'vitest';
import { sideBySide } from './side-by-side.ts';

const height = 40;

test('posts far apart have the whole width', () => {
  expect(sideBySide([0, 60, 600], height)).toEqual([
    { column: 0, columns: 1 },
    { column: 0, columns: 1 },
    { column: 0, columns: 1 },
  ]);
});

test('posts at one time share it', () => {
  expect(sideBySide([90, 90, 100], height).map(({ column }) => column)).toEqual([0, 1, 2]);
});

test('no post ever covers another', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 1_439 }), { maxLength: 12 }), (minutes) => {
      const places = sideBySide(minutes, height);
      for (const [one, a] of minutes.entries())
        for (const [other, b] of minutes.entries()) {
          if (one === other || Math.abs(a - b) >= height) continue;
          expect(places[one]?.column).not.toBe(places[other]?.column);
          expect(places[one]?.columns).toBe(places[other]?.columns);
        }
      for (const place of places) expect(place.column).toBeLessThan(place.columns);
    }),
  );
});
