import type { EntriesPage } from '@perch/proto/credits';
import { type PagesRequest, pageFrom } from '@perch/proto/pages';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { type EntryRow, positionOf, toEntry } from './entries.ts';

/** A page of each of these users' ledgers, newest first, by one statement. */
export async function entriesOf(
  deps: Deps,
  input: PagesRequest,
): Promise<z.infer<typeof EntriesPage>[]> {
  const { of, limit } = input;
  const rows = await deps.db.execute<EntryRow & { nth: string }>(
    `select asked.nth, e.id::int8, e.kind, e.credits::int8, e.balance_after::int8, e.reason, e.post_id, e.created_at
     from unnest(?::text[], ?::int8[]) with ordinality as asked (user_id, before, nth)
     cross join lateral (
       select * from entry where user_id = asked.user_id and id < asked.before
       order by id desc limit ?
     ) as e order by asked.nth, e.id desc`,
    [
      of.map(({ id }) => id),
      of.map(({ cursor }) => (cursor === undefined ? Number.MAX_SAFE_INTEGER : positionOf(cursor))),
      limit + 1,
    ],
  );
  const byOwner = Map.groupBy(rows, ({ nth }) => Number(nth));
  return of.map((_, index) =>
    pageFrom((byOwner.get(index + 1) ?? []).map(toEntry), limit, ({ id }) => id),
  );
}
