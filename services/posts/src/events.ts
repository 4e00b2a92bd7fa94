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

/** A page of the timeline, oldest first, after the given position. */
export async function readEvents(
  em: EntityManager,
  page: { post_id: string; after: number; limit: number },
): Promise<{ position: number; event: PostEvent }[]> {
  const rows: EventRow[] = await em.execute(
    `select position, post_id, type, at, data from post_event
     where post_id = ? and position > ? order by position limit ?`,
    [page.post_id, page.after, page.limit],
  );
  return rows.map((row) => ({
    position: Number(row.position),
    event: {
      id: `evt_${row.position}`,
      post_id: row.post_id,
      type: row.type,
      at: new Date(row.at).toISOString(),
      data: row.data,
    },
  }));
}

interface EventRow {
  position: string;
  post_id: string;
  type: PostEventType;
  at: string;
  data: Record<string, unknown>;
}
