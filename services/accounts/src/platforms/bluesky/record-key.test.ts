import { newId } from '@perch/proto/ids';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import { recordKey } from './record-key.ts';

const instant = fc.integer({ min: 1_600_000_000_000, max: 4_000_000_000_000 });

test('every step has a valid record key, the same at every attempt', () => {
  fc.assert(
    fc.property(instant, fc.integer({ min: 0, max: 24 }), (atMs, index) => {
      const key = `${newId('post', () => atMs)}/tweet:${index}`;
      expect(recordKey(key)).toMatch(/^[2-7a-j][2-7a-z]{12}$/);
      expect(recordKey(key)).toBe(recordKey(key));
    }),
  );
});

test('tweets of a thread sort in their order, and no two steps of any post share a key', () => {
  const keys = new Set<string>();
  for (let post = 0; post < 200; post++) {
    const id = newId('post', () => 1_800_000_000_000);
    const thread = Array.from({ length: 25 }, (_, index) => recordKey(`${id}/tweet:${index}`));
    expect(thread).toEqual(thread.toSorted());
    const replies = Array.from({ length: 100 }, (_, index) =>
      recordKey(`${id}/reply:at://${index}`),
    );
    for (const key of [...thread, ...replies, recordKey(`${id}/repost`)]) keys.add(key);
  }
  expect(keys.size).toBe(200 * 126);
});
