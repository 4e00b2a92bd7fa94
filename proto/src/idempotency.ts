import { z } from 'zod';
import type { Clock } from './clock.ts';
import type { Database } from './database.ts';
import { Fault, faultOf, faults } from './faults.ts';
import { limits } from './limits.ts';
import type { Logger } from './process.ts';

/** The caller's `Idempotency-Key`, and what it stands for; null when the caller sent none. */
export const Idempotency = z
  .object({
    key: z.string().min(1).max(255),
    fingerprint: z.string().describe('Of the request: the same key with another one is a mistake.'),
  })
  .nullable()
  .default(null);
export type Idempotency = z.infer<typeof Idempotency>;

/** What was done, and whether that was earlier, under the same key. */
export function onceOf<T extends z.ZodType>(result: T) {
  return z.object({ result, replayed: z.boolean() });
}
export interface Once<T> {
  result: T;
  replayed: boolean;
}

/**
 * The table that a service with public mutations keeps in its own database, so that the result of a key is
 * recorded in the transaction that does the work. `subject` is the id of what is made: an attempt that is
 * made again after a crash makes the same thing.
 */
export const idempotencyTable = `
  create table idempotency_record (
    user_id text not null,
    key text not null,
    fingerprint text not null,
    subject text not null,
    attempt int not null default 1,
    lease_until timestamptz not null,
    result jsonb,
    created_at timestamptz not null,
    primary key (user_id, key)
  );
  create index idempotency_record_subject on idempotency_record (user_id, subject)`;

/** The right to do the work of a key, now; null when the caller sent none. `attempt` fences off earlier ones. */
export type Claim = { user_id: string; key: string; attempt: number } | null;

interface Deps {
  db: Pick<Database, 'execute'>;
  clock: Clock;
}

/** An attempt whose process died is made again after so long. */
const leaseMs = 10_000;
const forgetEveryMs = 60 * 60_000;

/**
 * Does the work of a key once: a repeated request gets the recorded result. `work` gets the id of what is to be
 * made, and must record its result by {@link keepResult} in its own transaction. Throws `idempotency_in_flight`,
 * `idempotency_key_reused`, and whatever `work` throws; a refusal leaves the key free.
 */
export async function once<T>(
  deps: Deps,
  asked: { user_id: string; idempotency: Idempotency; subject: string; schema: z.ZodType<T> },
  work: (subject: string, claim: Claim) => Promise<T>,
): Promise<Once<T>> {
  const taken = await takeClaim(deps, asked);
  if ('result' in taken) return { result: asked.schema.parse(taken.result), replayed: true };
  const { subject, claim } = taken;
  const stop = holdClaim(deps, claim);
  try {
    return { result: await work(subject, claim), replayed: false };
  } catch (error) {
    await letGo(deps, claim, error);
    throw error;
  } finally {
    stop();
  }
}

/** Claims the key, or returns what was recorded for it. */
export async function takeClaim(
  deps: Deps,
  asked: { user_id: string; idempotency: Idempotency; subject: string },
): Promise<{ subject: string; claim: Claim } | { result: unknown }> {
  const { user_id, idempotency, subject } = asked;
  if (!idempotency) return { subject, claim: null };
  const { key, fingerprint } = idempotency;
  const now = new Date(deps.clock());
  const [mine] = await deps.db.execute<{ subject: string; attempt: number }>(
    `insert into idempotency_record as r (user_id, key, fingerprint, subject, lease_until, created_at)
     values (?, ?, ?, ?, ?, ?)
     on conflict (user_id, key) do update
       set lease_until = excluded.lease_until, attempt = r.attempt + 1
       where r.result is null and r.fingerprint = excluded.fingerprint and r.lease_until < excluded.created_at
     returning subject, attempt`,
    [user_id, key, fingerprint, subject, new Date(deps.clock() + leaseMs), now],
  );
  if (mine) return { subject: mine.subject, claim: { user_id, key, attempt: mine.attempt } };
  const [other] = await deps.db.execute<{ fingerprint: string; result: unknown }>(
    'select fingerprint, result from idempotency_record where user_id = ? and key = ?',
    [user_id, key],
  );
  if (other && other.fingerprint !== fingerprint) throw keyReused();
  if (other && other.result !== null) return { result: other.result };
  const detail = 'a request with this Idempotency-Key is being worked on';
  throw new Fault('idempotency_in_flight', { detail });
}

/** The claim under which that is being made, for work that goes on in another request. */
export async function claimOf(
  deps: Deps,
  work: { user_id: string; subject: string },
): Promise<Claim> {
  const { user_id, subject } = work;
  const [row] = await deps.db.execute<{ key: string; attempt: number }>(
    'select key, attempt from idempotency_record where user_id = ? and subject = ? and result is null',
    [user_id, subject],
  );
  return row ? { user_id, ...row } : null;
}

/** `idempotency_key_reused`: the key was used for another request. */
export function keyReused(): Fault {
  const detail = 'this Idempotency-Key was used for another request; take a new one';
  return new Fault('idempotency_key_reused', { detail });
}

/** Keeps the claim for as long as the work takes, until stopped. */
export function holdClaim(deps: Deps, claim: Claim): () => void {
  if (!claim) return () => {};
  const timer = setInterval(() => {
    deps.db
      .execute(
        'update idempotency_record set lease_until = ? where user_id = ? and key = ? and attempt = ?',
        [new Date(deps.clock() + leaseMs), claim.user_id, claim.key, claim.attempt],
      )
      // Without a lease the work may be taken over; recording its result then fails.
      .catch(() => undefined);
  }, leaseMs / 3);
  return () => clearInterval(timer);
}

/** Records the result in the transaction of `on`, which does the work, and returns it; throws when another attempt took over. */
export async function keepResult<T>(
  on: { execute(sql: string, params: unknown[]): Promise<object[]> },
  claim: Claim,
  result: T,
): Promise<T> {
  if (!claim) return result;
  const rows = await on.execute(
    `update idempotency_record set result = ?::jsonb
     where user_id = ? and key = ? and attempt = ? and result is null returning key`,
    [JSON.stringify(result), claim.user_id, claim.key, claim.attempt],
  );
  if (rows.length > 0) return result;
  const detail = 'another attempt with this Idempotency-Key has taken over';
  throw new Fault('idempotency_in_flight', { detail });
}

/**
 * Gives up a claim after a failure: a refusal did nothing, and the key is free again; after anything else the
 * work may be done, so the next attempt must go on with the same subject.
 */
export async function letGo(deps: Deps, claim: Claim, error: unknown): Promise<void> {
  if (!claim) return;
  const fault = faultOf(error);
  const refused = fault !== null && faults[fault.code].status < 500;
  const sql = refused
    ? 'delete from idempotency_record where user_id = ? and key = ? and attempt = ? and result is null'
    : `update idempotency_record set lease_until = created_at
       where user_id = ? and key = ? and attempt = ? and result is null`;
  // If this fails too, the lease runs out by itself.
  await deps.db.execute(sql, [claim.user_id, claim.key, claim.attempt]).catch(() => undefined);
}

/** Forgets keys that are older than promised, now and then, until stopped. */
export function startForgetting(deps: Deps & { log: Logger }): () => void {
  const timer = setInterval(() => {
    const before = new Date(deps.clock() - limits.idempotencyKeptMs);
    deps.db
      .execute('delete from idempotency_record where created_at < ?', [before])
      .catch((err: unknown) => deps.log.warn({ err }, 'old idempotency keys not forgotten yet'));
  }, forgetEveryMs);
  return () => clearInterval(timer);
}
