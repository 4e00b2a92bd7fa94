import { createHash } from 'node:crypto';
import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import { faultCodeOf } from '@perch/proto/faults';
import type { Idempotency } from '@perch/proto/idempotency';
import type { NewSession, Origin } from '@perch/proto/identity';
import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import { rpcErrorOf, withFault } from '@perch/proto/rpc';
import type { Tenant } from '@perch/proto/tenant';
import { initTRPC } from '@trpc/server';
import { z } from 'zod';
import { canonical } from '../rest/idempotency-key.ts';
import type { AiSettings } from './write-with-ai.ts';

/** What the dashboard is set by, beside the services. */
export interface DashboardSettings {
  publicUrl: string;
  /** Null where nothing is to be written by AI. */
  ai: AiSettings | null;
}

/** What a procedure of the dashboard knows of the request that it answers. */
export interface Context {
  clients: Clients;
  clock: Clock;
  settings: DashboardSettings;
  requestId: string;
  origin: Origin;
  /** The token of the session cookie; null without one. */
  token: string | null;
  /** Sets the session cookie of the answer; null takes it away. */
  setToken(token: string | null): void;
  /** The binding of a sign-up that this browser has begun; null without one. */
  binding: string | null;
  setBinding(binding: string | null): void;
  /** Aborts when the gateway stops. */
  stopping: AbortSignal;
}

const t = initTRPC.context<Context>().create({
  isDev: false,
  errorFormatter: withFault,
  // A stream ends after a while and the browser comes back: whether it is still signed in is looked at again.
  sse: { maxDurationMs: 120_000, ping: { enabled: true, intervalMs: 15_000 } },
});

/** Builds a part of the dashboard's router. */
export const router = t.router;

/** A procedure for anyone, signed in or not; a fault keeps its code, anything else is masked. */
export const open = t.procedure.use(async ({ ctx, signal, type, next }) => {
  const { requestId } = ctx;
  // As long as the slowest procedure takes; each call to a service has a shorter limit of its own.
  const timeoutMs = limits.mediaFetchTimeoutMs + limits.requestTimeoutMs;
  const call = { requestId, timeoutMs, ...(signal && { signal }) };
  const result = type === 'subscription' ? await next() : await withCall(call, () => next());
  if (!result.ok) throw rpcErrorOf(result.error);
  return result;
});

/** A procedure for who is signed in; `not_signed_in` for others. */
export const signedIn = open.use(async ({ ctx, next }) => {
  const { user, session } = await sessionOf(ctx);
  const tenant: Tenant = { user_id: user.id, account_ids: null };
  return next({ ctx: { ...ctx, user, session, tenant } });
});

/** Who sent the request. Throws `not_signed_in`, and then takes the useless cookie away. */
export async function sessionOf(
  ctx: Pick<Context, 'clients' | 'requestId' | 'token' | 'setToken'>,
) {
  const call = { requestId: ctx.requestId, timeoutMs: limits.requestTimeoutMs };
  try {
    return await withCall(call, () =>
      ctx.clients.identity.session.query({ token: ctx.token ?? 'none' }),
    );
  } catch (error) {
    if (ctx.token && faultCodeOf(error) === 'not_signed_in') ctx.setToken(null);
    throw error;
  }
}

/** Begins a session in the browser: the token goes into the cookie and nowhere else. */
export function begin(ctx: Context, { token, ...signedIn }: NewSession) {
  ctx.setToken(token);
  return signedIn;
}

/** What every create takes, so that a double click or a repeated request makes one thing. */
export const Once = z.object({
  idempotency_key: z.string().regex(/^[!#-~]{8,200}$/, 'must be 8 to 200 printable characters'),
});

/** The key of a create, apart from the keys that API callers choose, and what it stands for. */
export function idempotencyOf(path: string, input: z.infer<typeof Once>): NonNullable<Idempotency> {
  const { idempotency_key, ...asked } = input;
  const fingerprint = createHash('sha256')
    .update(`${path}\n${canonical(asked)}`)
    .digest('hex');
  return { key: `dashboard:${idempotency_key}`, fingerprint };
}
