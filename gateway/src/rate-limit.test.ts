import fc from 'fast-check';
import { expect, test } from 'vitest';
import { type Lease, ownRate, rateHeaders, sharedRate } from './rate-limit.ts';

/** What accounts does: one count for all replicas. */
function shared(limit: number): { lease: Lease; calls: () => number } {
  const counts = new Map<string, number>();
  let calls = 0;
  const lease: Lease = async (caller, want, windowStartMs) => {
    calls += 1;
    const place = `${caller} ${windowStartMs}`;
    const before = counts.get(place) ?? 0;
    counts.set(place, before + want);
    const granted = Math.max(0, Math.min(want, limit - before));
    return { granted, used: Math.min(limit, before + granted) };
  };
  return { lease, calls: () => calls };
}

test('replicas together never exceed the limit, and leave at most 2 % of it', async () => {
  const limits = fc.integer({ min: 1, max: 3_000 });
  const shares = fc.array(fc.integer({ min: 0, max: 1 }), { minLength: 3_200, maxLength: 3_200 });
  await fc.assert(
    fc.asyncProperty(limits, shares, async (limit, share) => {
      const { lease } = shared(limit);
      const replicas = [0, 1].map(() => sharedRate({ lease, limit, clock: () => 5_000 }));
      let allowed = 0;
      for (const at of share) if ((await replicas[at]?.('key'))?.allowed) allowed += 1;
      expect(allowed).toBeLessThanOrEqual(limit);
      expect(allowed).toBeGreaterThanOrEqual(Math.floor(limit * 0.98) - 2);
    }),
    { numRuns: 30 },
  );
});

test('a window costs a bounded number of calls, whatever the rate', async () => {
  const { lease, calls } = shared(100_000);
  const take = sharedRate({ lease, limit: 100_000, clock: () => 0 });
  await Promise.all(Array.from({ length: 50_000 }, () => take('key')));
  expect(calls()).toBeLessThanOrEqual(202);
});

test('the next minute brings a whole quota, and says so before', async () => {
  let nowMs = 59_000;
  const take = sharedRate({ ...shared(3), limit: 3, clock: () => nowMs });
  const first = [await take('a'), await take('a'), await take('a'), await take('a')];
  expect(first.map((rate) => [rate.allowed, rate.remaining, rate.resetSeconds])).toEqual([
    [true, 2, 1],
    [true, 1, 1],
    [true, 0, 1],
    [false, 0, 1],
  ]);
  expect((await take('b')).allowed).toBe(true);
  nowMs = 60_000;
  expect(await take('a')).toMatchObject({ allowed: true, remaining: 2, resetSeconds: 60 });
});

test('where nobody can be asked, requests pass', async () => {
  const lease = async () => Promise.reject(new Error('away'));
  const take = sharedRate({ lease, limit: 10, clock: () => 0 });
  for (let n = 0; n < 30; n++) expect((await take('key')).allowed).toBe(true);
});

test('an address has a limit of its own, told in the fields of the IETF draft', async () => {
  const take = ownRate({ limit: 1, clock: () => 0 });
  expect((await take('::1')).allowed).toBe(true);
  const second = await take('::1');
  expect(second.allowed).toBe(false);
  expect(rateHeaders(second)).toEqual({
    'ratelimit-policy': '"ip";q=1;w=60',
    ratelimit: '"ip";r=0;t=60',
  });
});
