import type { PerchError } from './perch-error.ts';

/** How often and how long to try. */
export interface RetryPolicy {
  /** Attempts after the first one. */
  retries: number;
  /** The first wait; it doubles with each attempt. */
  firstWaitMs: number;
  /** The longest wait, unless the API asks for a longer one. */
  longestWaitMs: number;
  /** A wait that the API asks for is granted up to here; beyond, the call fails at once. */
  longestAskedWaitMs: number;
}

export const defaultPolicy: RetryPolicy = {
  retries: 4,
  firstWaitMs: 250,
  longestWaitMs: 8_000,
  longestAskedWaitMs: 60_000,
};

/** Whether the same request, with the same idempotency key, is worth another attempt. */
export function isWorthRetrying({ status, code }: PerchError): boolean {
  if (code === 'no_answer' || status === 429 || status === 503 || status === 504) return true;
  return status === 409 && code === 'idempotency_in_flight';
}

/** How long to wait after this attempt, from 0 on; null when no further one should be made. */
export function waitBefore(
  policy: RetryPolicy,
  attempt: number,
  askedMs: number | null,
  random: number,
): number | null {
  if (attempt >= policy.retries) return null;
  if (askedMs !== null && askedMs > policy.longestAskedWaitMs) return null;
  const full = Math.min(policy.firstWaitMs * 2 ** attempt, policy.longestWaitMs);
  // Between a half and the whole: callers that failed together do not come back together.
  const backoff = full * (0.5 + random / 2);
  return Math.round(askedMs === null ? backoff : askedMs + backoff * 0.5);
}

/** What `Retry-After` asks for: seconds, or a date. */
export function retryAfterMs(header: string | null, nowMs: number): number | null {
  if (header === null) return null;
  if (/^\d+$/.test(header.trim())) return Number(header) * 1_000;
  const at = Date.parse(header);
  return Number.isNaN(at) ? null : Math.max(0, at - nowMs);
}
