import type { CallOptions } from './call.ts';
import { errorOf, PerchError } from './perch-error.ts';
import { isHeaderText, type RequestPlan } from './request.ts';
import { isWorthRetrying, type RetryPolicy, retryAfterMs, waitBefore } from './retry.ts';

/** How requests are sent. */
export interface SendDeps {
  apiKey: string;
  fetch: typeof fetch;
  policy: RetryPolicy;
  /** How long one attempt may take. */
  timeoutMs: number;
  /** Waits; rejects when the signal aborts. */
  wait: (ms: number, signal: AbortSignal | undefined) => Promise<void>;
  random: () => number;
  now: () => number;
}

/** Sends a request until it is answered for good; resolves to the text of the good answer. */
export async function send(
  deps: SendDeps,
  plan: RequestPlan,
  { idempotencyKey, signal }: CallOptions,
): Promise<string> {
  if (idempotencyKey !== undefined && !isHeaderText(idempotencyKey)) {
    const detail = 'the idempotency key has characters that no header has';
    throw new PerchError({ code: 'invalid_input', detail });
  }
  // One key for all attempts: whatever became of an earlier one, it is done once.
  const key = plan.method === 'GET' ? undefined : (idempotencyKey ?? crypto.randomUUID());
  for (let attempt = 0; ; attempt++) {
    signal?.throwIfAborted();
    const outcome = await attemptOnce(deps, plan, key, signal);
    if ('text' in outcome) return outcome.text;
    const { error, askedMs } = outcome;
    const waitMs =
      plan.repeatable && isWorthRetrying(error)
        ? waitBefore(deps.policy, attempt, askedMs, deps.random())
        : null;
    if (waitMs === null) throw error;
    await deps.wait(waitMs, signal);
  }
}

type Outcome = { text: string } | { error: PerchError; askedMs: number | null };

async function attemptOnce(
  deps: SendDeps,
  plan: RequestPlan,
  idempotencyKey: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Outcome> {
  const { body, contentType } = plan.body();
  const timeout = AbortSignal.timeout(deps.timeoutMs);
  try {
    const response = await deps.fetch(plan.url, {
      method: plan.method,
      headers: {
        ...plan.headers,
        accept: 'application/json',
        authorization: `Bearer ${deps.apiKey}`,
        ...(contentType !== null && { 'content-type': contentType }),
        ...(idempotencyKey !== undefined && { 'idempotency-key': idempotencyKey }),
      },
      ...(body !== undefined && { body }),
      ...(body instanceof ReadableStream && { duplex: 'half' as const }),
      // The key goes where it was meant to go, and nowhere else.
      redirect: 'manual',
      signal: signal ? AbortSignal.any([signal, timeout]) : timeout,
    });
    const text = await response.text();
    if (response.ok) return { text };
    const askedMs = retryAfterMs(response.headers.get('retry-after'), deps.now());
    return { error: errorOf(response, text), askedMs };
  } catch (cause) {
    signal?.throwIfAborted();
    return { error: noAnswer(cause), askedMs: null };
  }
}

/** For whatever keeps an answer from coming: refused, broken off, too late. */
function noAnswer(cause: unknown): PerchError {
  const inner = cause instanceof Error && cause.cause instanceof Error ? cause.cause : cause;
  const why = inner instanceof Error ? inner.message : String(inner);
  const detail = `no answer from the API: ${why}`;
  return new PerchError({ code: 'no_answer', detail, retryable: true }, { cause });
}
