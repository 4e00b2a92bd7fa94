import { createHash } from 'node:crypto';
import { Fault } from '@perch/proto/faults';
import type { Origin } from '@perch/proto/identity';
import type { IdentityDeps } from './deps.ts';

/** What is limited: guesses of a password, and mails to an address. */
const kinds = {
  password: { perAddress: 10, windowMs: 15 * 60_000 },
  mail: { perAddress: 5, windowMs: 60 * 60_000 },
} as const;
type Kind = keyof typeof kinds;

type Deps = Pick<IdentityDeps, 'db' | 'clock' | 'attemptsPerIp'>;

/**
 * Counts an attempt before it is made, so that many at once are counted too. The same for addresses that nobody
 * has. Throws `rate_limited` beyond the limit of the address or of the IP.
 */
export async function countAttempt(
  deps: Deps,
  kind: Kind,
  from: { email: string; origin: Origin },
): Promise<void> {
  await count(deps, kind, subjectOf(kind, 'ip', from.origin.ip), deps.attemptsPerIp);
  await count(deps, kind, subjectOf(kind, 'address', from.email), kinds[kind].perAddress);
}

/** After the right password: the guesses before it were its owner's. */
export async function forgetAttempts(deps: Deps, kind: Kind, email: string): Promise<void> {
  const subject = subjectOf(kind, 'address', email);
  await deps.db.execute('delete from attempt_window where subject = ?', [subject]);
}

/** Forgets windows that have passed. */
export async function forgetOldAttempts(deps: Pick<Deps, 'db' | 'clock'>): Promise<void> {
  const before = new Date(deps.clock() - kinds.mail.windowMs);
  await deps.db.execute('delete from attempt_window where window_start < ?', [before]);
}

async function count(deps: Deps, kind: Kind, subject: string, limit: number): Promise<void> {
  const { windowMs } = kinds[kind];
  const nowMs = deps.clock();
  const startMs = Math.floor(nowMs / windowMs) * windowMs;
  const [row] = await deps.db.execute<{ attempts: number }>(
    `insert into attempt_window as w (subject, window_start, attempts) values (?, ?, 1)
     on conflict (subject, window_start) do update set attempts = w.attempts + 1
     returning attempts`,
    [subject, new Date(startMs)],
  );
  if (!row || row.attempts <= limit) return;
  const retry_after_seconds = Math.ceil((startMs + windowMs - nowMs) / 1_000);
  throw new Fault('rate_limited', {
    detail: `too many attempts; try again in ${Math.ceil(retry_after_seconds / 60)} min`,
    retry_after_seconds,
  });
}

/** Not the address itself: the table should not tell who was tried. */
function subjectOf(kind: Kind, what: 'address' | 'ip', value: string): string {
  const hash = createHash('sha256').update(value).digest('base64url').slice(0, 32);
  return `${kind}:${what}:${hash}`;
}
