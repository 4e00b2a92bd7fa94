import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { RejectionCode } from '@perch/proto/workflows';
import type { Standing } from '../platforms/platform.ts';

/**
 * How a journaled send ended. `absent`: it was found not to stand, so the next attempt may be made. `stands`:
 * the platform said that it has it, so its absence is not believed.
 */
export type SendOutcome =
  | ({ kind: 'published' } & Standing)
  | { kind: 'rejected'; code: RejectionCode; detail: string }
  | { kind: 'retry'; at_ms: number; detail: string }
  | { kind: 'absent' }
  | { kind: 'unknown'; detail: string; stands?: true };

/** The last attempt at one step of a post. */
export interface LastSend {
  step: string;
  attempt: number;
  startedMs: number;
  /** When the first attempt at the step began. */
  firstStartedMs: number;
  addressee: string | null;
  /** Null while it is under way, or when whoever made it has died. */
  outcome: SendOutcome | null;
}

/** The last attempt at each step of the post, in the order they were first made. */
export async function readJournal(db: Database, postId: string): Promise<LastSend[]> {
  const rows = await db.execute<SendRow>(
    'select step, attempt, started_at, addressee, outcome from send where post_id = ? order by started_at, attempt',
    [postId],
  );
  const last = new Map<string, LastSend>();
  for (const { started_at, ...row } of rows) {
    const startedMs = Date.parse(started_at);
    const firstStartedMs = last.get(row.step)?.firstStartedMs ?? startedMs;
    last.set(row.step, { ...row, startedMs, firstStartedMs });
  }
  return [...last.values()];
}

type SendRow = Omit<LastSend, 'startedMs' | 'firstStartedMs'> & { started_at: string };

/** Sends of an account that are known to stand, made from a while before that instant on, by the platform's ids. */
export async function otherSends(
  db: Database,
  accountId: string,
  sinceMs: number,
): Promise<Set<string>> {
  const rows = await db.execute<{ platform_id: string }>(
    `select outcome->>'platform_id' as platform_id from send
     where account_id = ? and started_at > ? and outcome->>'kind' = 'published'`,
    [accountId, new Date(sinceMs - otherSendsMs)],
  );
  return new Set(rows.map((row) => row.platform_id));
}

/** Longer than any attempt at a thread takes. */
const otherSendsMs = 3_600_000;

/** Whether the step's outcome must be looked up before anything else may happen. */
export function isOpen(send: LastSend): boolean {
  return send.outcome === null || send.outcome.kind === 'unknown';
}

/** Writes a send down before it is made; false when another run has just done so. */
export async function openSend(
  db: Database,
  clock: Clock,
  send: {
    postId: string;
    step: string;
    attempt: number;
    accountId: string;
    addressee: string | null;
  },
): Promise<boolean> {
  const rows = await db.execute(
    `insert into send (post_id, step, attempt, account_id, addressee, started_at) values (?, ?, ?, ?, ?, ?)
     on conflict do nothing returning step`,
    [send.postId, send.step, send.attempt, send.accountId, send.addressee, new Date(clock())],
  );
  return rows.length === 1;
}

/** Records what became of a send, unless that is known already. */
export async function closeSend(
  db: Database,
  clock: Clock,
  send: { postId: string; step: string; attempt: number; outcome: SendOutcome },
): Promise<void> {
  await db.execute(
    `update send set outcome = ?::jsonb, finished_at = ?
     where post_id = ? and step = ? and attempt = ? and (outcome is null or outcome->>'kind' = 'unknown')`,
    [JSON.stringify(send.outcome), new Date(clock()), send.postId, send.step, send.attempt],
  );
}
