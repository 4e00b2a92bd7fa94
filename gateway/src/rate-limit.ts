import type { Clock } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';

/** How much of a quota is left, as the RateLimit fields of the IETF draft tell it. */
export interface Rate {
  /** Names the quota. */
  policy: 'key' | 'ip';
  limit: number;
  remaining: number;
  /** Until the quota is whole again. */
  resetSeconds: number;
  allowed: boolean;
}

/** Counts one request of that caller. */
export type TakeRate = (caller: string) => Promise<Rate>;

/** Takes up to `want` requests of the caller's window from what all replicas share. */
export type Lease = (
  caller: string,
  want: number,
  windowStartMs: number,
) => Promise<{ granted: number; used: number }>;

const windowMs = 60_000;
/** A lease is this part of the limit: what a replica may leave unused, and a bound on the calls per window. */
const leasesPerWindow = 200;
const maxCallers = 50_000;

interface Bucket {
  windowStartMs: number;
  /** Leased and not used yet. */
  left: number;
  /** Leased by all replicas, as last heard. */
  used: number;
  /** Nothing more is to be had in this window. */
  empty: boolean;
  asking: Promise<void> | null;
}

/**
 * A limit per minute and key that all replicas share: each leases small parts of the window, ahead of need, so
 * that hardly a request waits. Never more than the limit in a window; where nobody can be asked, requests pass.
 */
export function sharedRate(deps: { lease: Lease; clock: Clock; limit: number }): TakeRate {
  const { lease, clock, limit } = deps;
  const want = Math.max(1, Math.floor(limit / leasesPerWindow));
  const buckets = new Map<string, Bucket>();

  function ask(caller: string, bucket: Bucket): Promise<void> {
    bucket.asking ??= lease(caller, want, bucket.windowStartMs)
      .catch(() => ({ granted: want, used: bucket.used }))
      .then(({ granted, used }) => {
        bucket.left += granted;
        bucket.used = Math.max(used, bucket.used);
        bucket.empty = granted === 0;
        bucket.asking = null;
      });
    return bucket.asking;
  }

  return async (caller) => {
    const windowStartMs = startOfWindow(clock());
    const known = buckets.get(caller);
    const bucket =
      known?.windowStartMs === windowStartMs
        ? known
        : { windowStartMs, left: 0, used: 0, empty: false, asking: null };
    if (bucket !== known) remember(buckets, caller, bucket);
    while (bucket.left === 0 && !bucket.empty) await ask(caller, bucket);
    const allowed = bucket.left > 0;
    if (allowed) bucket.left -= 1;
    if (bucket.left <= want / 2 && !bucket.empty) void ask(caller, bucket);
    const remaining = Math.max(0, limit - bucket.used) + bucket.left;
    return { policy: 'key', limit, remaining, resetSeconds: secondsLeft(clock()), allowed };
  };
}

/** A limit per minute and address for this process alone: it keeps floods of bad keys away from the services. */
export function ownRate(deps: { clock: Clock; limit: number }): TakeRate {
  const { clock, limit } = deps;
  const counts = new Map<string, { windowStartMs: number; count: number }>();
  return async (caller) => {
    const windowStartMs = startOfWindow(clock());
    const known = counts.get(caller);
    const entry = known?.windowStartMs === windowStartMs ? known : { windowStartMs, count: 0 };
    if (entry !== known) remember(counts, caller, entry);
    entry.count += 1;
    const remaining = Math.max(0, limit - entry.count);
    const allowed = entry.count <= limit;
    return { policy: 'ip', limit, remaining, resetSeconds: secondsLeft(clock()), allowed };
  };
}

/** The fields of the answer: the IETF draft's. */
export function rateHeaders(rate: Rate): Record<string, string> {
  return {
    'ratelimit-policy': `"${rate.policy}";q=${rate.limit};w=${windowMs / 1_000}`,
    ratelimit: `"${rate.policy}";r=${rate.remaining};t=${rate.resetSeconds}`,
  };
}

/** `rate_limited`: the identical request succeeds after that time. */
export function rateLimited(rate: Rate): Fault {
  const whose = rate.policy === 'key' ? 'this API key' : 'this address';
  return new Fault('rate_limited', {
    detail: `${rate.limit} requests a minute are allowed for ${whose}`,
    policy: rate.policy,
    limit: rate.limit,
    retry_after_seconds: rate.resetSeconds,
  });
}

function startOfWindow(nowMs: number): number {
  return Math.floor(nowMs / windowMs) * windowMs;
}

function secondsLeft(nowMs: number): number {
  return Math.ceil((startOfWindow(nowMs) + windowMs - nowMs) / 1_000);
}

function remember<T>(map: Map<string, T>, caller: string, entry: T): void {
  map.delete(caller);
  map.set(caller, entry);
  const [oldest] = map.keys();
  if (map.size > maxCallers && oldest !== undefined) map.delete(oldest);
}
