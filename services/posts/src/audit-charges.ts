import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Logger } from '@perch/proto/process';
import { judgeCharge } from './rules/charge.ts';

interface Deps {
  db: Database;
  clients: Pick<Clients, 'credits'>;
  clock: Clock;
  log: Logger;
}

const batch = 200;
/** Younger ones may still be in the middle of being settled. */
const settledMs = 60_000;

interface EndedPost {
  id: string;
  run: number;
  status: 'posted' | 'failed';
  updated_at: string;
}

/**
 * Compares a batch of posts whose life is over with the ledger: what is still held is captured or given back, what
 * is wrong is kept in `charge_mismatch` until it is right. One replica at a time; returns how many it looked at.
 */
export async function auditCharges(deps: Deps): Promise<number> {
  return deps.db.fork().transactional(async (em) => {
    const [from]: { updated_at: string; post_id: string }[] = await em.execute(
      'select updated_at::text, post_id from audited for update skip locked',
    );
    if (!from) return 0;
    const ended: EndedPost[] = await em.execute(
      `select id, status, run, updated_at::text from post
       where status in ('posted', 'failed') and mode = 'live'
         and (updated_at, id) > (?::timestamptz, ?) and updated_at < ?
       order by updated_at, id limit ?`,
      [from.updated_at, from.post_id, new Date(deps.clock() - settledMs), batch],
    );
    const open: EndedPost[] = await em.execute(
      `select p.id, p.status, p.run, p.updated_at::text from charge_mismatch m join post p on p.id = m.post_id
       where m.closed_at is null order by m.found_at limit ?`,
      [batch],
    );
    await audit(deps, ended, open);
    const last = ended.at(-1);
    if (last) {
      await em.execute('update audited set updated_at = ?::timestamptz, post_id = ?', [
        last.updated_at,
        last.id,
      ]);
    }
    return ended.length;
  });
}

/** Judges each post, `open` being those that were found wrong before. */
async function audit(deps: Deps, ended: EndedPost[], open: EndedPost[]): Promise<void> {
  const posts = new Map([...ended, ...open].map((post) => [post.id, post]));
  if (posts.size === 0) return;
  const post_ids = [...posts.keys()];
  const holds = await deps.clients.credits.reservations.query({ post_ids });
  const stateOf = new Map(holds.map((hold) => [hold.post_id, hold.state]));
  const wrong = new Set<string>();
  for (const post of posts.values())
    if (!(await settle(deps, post, stateOf.get(post.id) ?? null))) wrong.add(post.id);
  for (const { id } of open) if (!wrong.has(id)) await close(deps, id);
}

/** Puts one charge right; false when only a person can. */
async function settle(
  deps: Deps,
  post: EndedPost,
  hold: 'held' | 'captured' | 'released' | null,
): Promise<boolean> {
  const { clients, log } = deps;
  const { id: post_id, status, run } = post;
  const verdict = judgeCharge(status, hold);
  switch (verdict) {
    case 'capture':
      await clients.credits.capture.mutate({ post_id });
      log.warn({ postId: post_id }, 'a posted post was not charged; what it held is captured now');
      return true;
    case 'release':
      await clients.credits.release.mutate({ post_id, run });
      log.warn({ postId: post_id }, 'a failed post still held credits; they are released now');
      return true;
    case 'right':
      return true;
    default: {
      const [found] = await deps.db.execute(
        `insert into charge_mismatch (post_id, kind, found_at) values (?, ?, ?)
         on conflict (post_id) do update set kind = excluded.kind, closed_at = null
         where charge_mismatch.closed_at is not null returning post_id`,
        [post_id, verdict, new Date(deps.clock())],
      );
      if (found) log.error({ postId: post_id, hold, status }, `charge mismatch: ${verdict}`);
      return false;
    }
  }
}

async function close(deps: Deps, postId: string): Promise<void> {
  await deps.db.execute(
    'update charge_mismatch set closed_at = ? where post_id = ? and closed_at is null',
    [new Date(deps.clock()), postId],
  );
}
