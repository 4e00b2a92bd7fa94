import type { EntityManager } from '@mikro-orm/postgresql';
import type { SeenTweet, Send } from '@perch/proto/accounts-oversight';
import { toIso } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import type { PublishedPart } from '@perch/proto/posts';
import type { Deps } from '../deps.ts';
import type { SendOutcome } from '../publishing/journal.ts';
import { type Step, standingOf, wordsOf } from './verdict.ts';

/** The journal of these posts, oldest first. */
export async function sendsOf(db: Database, postIds: string[]): Promise<Send[]> {
  const rows = await db.execute<SendRow>(
    `select post_id, step, attempt, started_at, finished_at, outcome from send
     where post_id = any(?) order by started_at, attempt`,
    [postIds],
  );
  return rows.map(({ outcome, ...row }) => ({
    post_id: row.post_id,
    step: row.step,
    attempt: row.attempt,
    started_at: toIso(Date.parse(row.started_at)),
    finished_at: row.finished_at && toIso(Date.parse(row.finished_at)),
    outcome: outcome?.kind ?? null,
    detail: outcome && 'detail' in outcome ? outcome.detail : null,
    platform_id: outcome?.kind === 'published' ? outcome.platform_id : null,
    url: outcome?.kind === 'published' ? outcome.url : null,
    by_operator: outcome?.by === 'operator',
  }));
}

/** Writes a person's word on sends of unknown outcome down, all or none, and tells which tweets stand. */
export async function resolveSends(
  deps: Pick<Deps, 'db' | 'clock'>,
  input: { post_id: string; tweet_count: number; seen: SeenTweet[] | null },
): Promise<PublishedPart[]> {
  const { post_id, tweet_count, seen } = input;
  return deps.db.fork().transactional(async (em) => {
    const steps = await lockSteps(em, post_id);
    const words = wordsOf(steps, { tweetCount: tweet_count, seen });
    for (const { step, attempt, outcome } of words) {
      await em.execute(
        'update send set outcome = ?::jsonb, finished_at = ? where post_id = ? and step = ? and attempt = ?',
        [
          JSON.stringify({ ...outcome, by: 'operator' }),
          ...[new Date(deps.clock()), post_id, step, attempt],
        ],
      );
    }
    return standingOf(steps, words);
  });
}

/** Lets what the platform refused be sent again; nothing of the post may stand, or be in doubt. */
export async function reopenSends(
  deps: Pick<Deps, 'db'>,
  input: { post_id: string },
): Promise<void> {
  const { post_id } = input;
  await deps.db.fork().transactional(async (em) => {
    const steps = await lockSteps(em, post_id);
    if (steps.some(({ outcome }) => outcome === null || outcome.kind === 'unknown')) {
      const detail = 'nobody knows whether it stands on the platform; resolve it first';
      throw new Fault('post_outcome_conflict', { detail, post_id });
    }
    if (steps.some(({ outcome }) => outcome?.kind === 'published')) {
      const detail = 'a part of it stands on the platform';
      throw new Fault('post_outcome_conflict', { detail, post_id });
    }
    // What was refused surely does not stand; the rest of the outcome stays for who reads the journal.
    await em.execute(
      `update send set outcome = outcome || '{"kind": "absent"}' where post_id = ? and outcome->>'kind' = 'rejected'`,
      [post_id],
    );
  });
}

/** The last attempt at each tweet, which nobody else can change until the transaction ends. */
async function lockSteps(em: EntityManager, postId: string): Promise<Step[]> {
  const rows: (Omit<Step, 'startedMs'> & { started_at: string })[] = await em.execute(
    `select step, attempt, started_at, outcome from send
     where post_id = ? and step like 'tweet:%' order by attempt for update`,
    [postId],
  );
  const last = new Map(
    rows.map(({ started_at, ...row }) => [
      row.step,
      { ...row, startedMs: new Date(started_at).getTime() },
    ]),
  );
  return [...last.values()];
}

interface SendRow {
  post_id: string;
  step: string;
  attempt: number;
  started_at: string;
  finished_at: string | null;
  outcome: (SendOutcome & { by?: 'operator' }) | null;
}
