import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Logger } from '@perch/proto/process';
import type { Storage } from './storage/storage.ts';

const everyMs = 10 * 60_000;
/** An upload that was never finished. */
const pendingMs = 60 * 60_000;
/** Media that no post uses. */
const unusedMs = 24 * 60 * 60_000;
const batch = 100;

/** Deletes what nobody will use any more; safe in all replicas at once. Returns how much. */
export async function cleanUp(deps: {
  db: Database;
  storage: Storage;
  clock: Clock;
}): Promise<number> {
  return deps.db.fork().transactional(async (em) => {
    const rows: { id: string }[] = await em.execute(
      `select id from media m
       where ((status <> 'ready' and created_at < ?) or (status = 'ready' and created_at < ?))
         and not exists (select from media_use where media_id = m.id)
       order by created_at limit ? for update skip locked`,
      [new Date(deps.clock() - pendingMs), new Date(deps.clock() - unusedMs), batch],
    );
    // Bytes first: a row without bytes would be found again, bytes without a row never.
    for (const { id } of rows) {
      await deps.storage.remove(id);
      await em.execute('delete from media where id = ?', [id]);
    }
    return rows.length;
  });
}

/** Cleans up now and then until stopped. */
export function startCleanUp(deps: {
  db: Database;
  storage: Storage;
  clock: Clock;
  log: Logger;
}): () => void {
  const timer = setInterval(() => {
    cleanUp(deps).catch((err: unknown) =>
      deps.log.warn({ err }, 'clean-up failed; the next one tries again'),
    );
  }, everyMs);
  return () => clearInterval(timer);
}
