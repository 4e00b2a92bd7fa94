import { expect, test } from 'vitest';
import { defaultPolicy, retryAfterMs, waitBefore } from './retry.ts';

test('waits double up to the longest, half of each by chance', () => {
  const policy = { ...defaultPolicy, retries: 10, firstWaitMs: 100, longestWaitMs: 1_000 };
  const waits = (random: number) =>
    [0, 1, 2, 3, 4, 9].map((attempt) => waitBefore(policy, attempt, null, random));
  expect(waits(0)).toEqual([50, 100, 200, 400, 500, 500]);
  expect(waits(1)).toEqual([100, 200, 400, 800, 1_000, 1_000]);
  expect(waitBefore(policy, 10, null, 0)).toBeNull();
});

test('never less than what is asked for', () => {
  expect(waitBefore(defaultPolicy, 0, 5_000, 0)).toBeGreaterThan(5_000);
  expect(waitBefore(defaultPolicy, 0, 60_001, 0)).toBeNull();
});

test('Retry-After is a number of seconds or a date', () => {
  const now = Date.parse('2026-12-01T00:00:00Z');
  expect(retryAfterMs('7', now)).toBe(7_000);
  expect(retryAfterMs('Tue, 01 Dec 2026 00:00:09 GMT', now)).toBe(9_000);
  expect(retryAfterMs('Mon, 30 Nov 2026 00:00:00 GMT', now)).toBe(0);
  expect(retryAfterMs('soon', now)).toBeNull();
  expect(retryAfterMs(null, now)).toBeNull();
});
