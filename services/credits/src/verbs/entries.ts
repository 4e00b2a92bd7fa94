import type { InferEntity } from '@mikro-orm/core';
import type { EntriesPage, LedgerEntry } from '@perch/proto/credits';
import { Fault } from '@perch/proto/faults';
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
  const page = rows.slice(0, input.limit).map(toEntry);
  const has_more = rows.length > input.limit;
  return { data: page, has_more, next_cursor: has_more ? (page.at(-1)?.id ?? null) : null };
}

function toEntry(row: InferEntity<typeof Entry>): LedgerEntry {
  const { id, kind, credits, balance_after, reason, post_id, created_at } = row;
  return {
    id: `ent_${id}`,
    kind,
    credits,
    balance_after,
    reason,
    post_id: post_id ?? null,
    created_at: created_at.toISOString(),
  };
}

function positionOf(cursor: string): number {
  const digits = /^ent_(\d{1,15})$/.exec(cursor)?.[1];
  if (digits === undefined) throw new Fault('invalid_cursor');
  return Number(digits);
}
