import type { EntriesPage, LedgerEntry } from '@perch/proto/credits';
import { Fault } from '@perch/proto/faults';
import { pageFrom } from '@perch/proto/pages';
import type { z } from 'zod';
import type { Deps } from '../deps.ts';
import { Entry } from '../ledger.ts';

/** A page of the user's ledger, newest first; the cursor is the last entry's id. */
export async function entries(
  deps: Deps,
  input: { user_id: string; limit: number; cursor?: string | undefined },
): Promise<z.infer<typeof EntriesPage>> {
  const before = input.cursor === undefined ? Number.MAX_SAFE_INTEGER : positionOf(input.cursor);
  const rows = await deps.db
    .fork()
    .find(
      Entry,
      { user_id: input.user_id, id: { $lt: before } },
      { orderBy: { id: 'desc' }, limit: input.limit + 1 },
    );
  return pageFrom(rows.map(toEntry), input.limit, ({ id }) => id);
}

/** A line of the ledger as its row has it, by an entity or by a statement. */
export interface EntryRow {
  id: number | string;
  kind: 'grant' | 'charge';
  credits: number | string;
  balance_after: number | string;
  reason: string;
  post_id?: string | null | undefined;
  created_at: Date | string;
}

/** The line as others see it. */
export function toEntry(row: EntryRow): LedgerEntry {
  const { id, kind, credits, balance_after, reason, post_id, created_at } = row;
  return {
    id: `ent_${id}`,
    kind,
    credits: Number(credits),
    balance_after: Number(balance_after),
    reason,
    post_id: post_id ?? null,
    created_at: new Date(created_at).toISOString(),
  };
}

/** The number of the line that a cursor stands for, or `invalid_cursor`. */
export function positionOf(cursor: string): number {
  const digits = /^ent_(\d{1,15})$/.exec(cursor)?.[1];
  if (digits === undefined) throw new Fault('invalid_cursor');
  return Number(digits);
}
