import type { EntityManager } from '@mikro-orm/postgresql';
import type { PostEvent, PostEventType } from '@perch/proto/posts';

/** Something that happened to a post; the same key is written once, however often the step is repeated. */
export interface NewEvent {
  post_id: string;
  key: string;
  type: PostEventType;
  at: Date;
  data?: Record<string, unknown>;
}

/** Writes one line of the timeline, in the transaction of `em`. */
export async function addEvent(em: EntityManager, event: NewEvent): Promise<void> {
  const { post_id, key, type, at, data = {} } = event;
  await em.execute(
    `insert into post_event (post_id, key, type, at, data) values (?, ?, ?, ?, ?::jsonb)
     on conflict (post_id, key) do nothing`,
    [post_id, key, type, at, JSON.stringify(data)],
  );
}

/** A page of the timeline, oldest first, after the event of that number. */
export async function readEvents(
  em: EntityManager,
  page: { post_id: string; after: number; limit: number },
): Promise<PostEvent[]> {
  const rows: EventRow[] = await em.execute(
    `select post_id, seq, type, at, data, hash from post_event
     where post_id = ? and seq > ? order by seq limit ?`,
    [page.post_id, page.after, page.limit],
  );
  return rows.map(toEvent);
}

/** An event as its row has it. */
export interface EventRow {
  post_id: string;
  seq: number;
  type: PostEventType;
  at: string;
  data: Record<string, unknown>;
  hash: string;
}

/** The event as callers see it; its id is made of the post's and its number. */
export function toEvent(row: EventRow): PostEvent {
  return {
    ...row,
    id: `evt_${row.post_id.slice('post_'.length)}_${row.seq}`,
    at: new Date(row.at).toISOString(),
  };
}

/** The number of an event in the timeline of its post; null for what is no id of an event. */
export function seqOf(eventId: string): number | null {
  const digits = /^evt_[0-9a-z]{26}_(\d{1,9})$/.exec(eventId)?.[1];
  return digits === undefined ? null : Number(digits);
}

/** Whether the chain of a post's events is whole; else the number of the first that does not fit. */
export async function brokenAt(em: EntityManager, postId: string): Promise<number | null> {
  const [row]: { broken_at: number | null }[] = await em.execute(
    `select min(seq) as broken_at from (
       select seq, seq = row_number() over (order by seq) and
         hash = event_hash(lag(hash, 1, '') over (order by seq), post_id, seq, key, type, at, data) as fits
       from post_event where post_id = ?
     ) as chain where not fits`,
    [postId],
  );
  return row?.broken_at ?? null;
}
