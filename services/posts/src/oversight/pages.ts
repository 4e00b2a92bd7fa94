import type { Database } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import { type PagesRequest, pageFrom } from '@perch/proto/pages';
import type { PostEvent, PostStatus } from '@perch/proto/posts';
import type { OverseenDelivery, OverseenPost } from '@perch/proto/posts-oversight';
import { type EventRow, seqOf, toEvent } from '../events.ts';
import { PostEntity } from '../post.ts';
import { DeliveryEntity, type StoredDelivery } from '../webhooks/endpoint.ts';
import { toOverseenDelivery, toOverseenPost } from './shapes.ts';

/** One page of a list. */
interface Page<T> {
  data: T[];
  has_more: boolean;
  next_cursor: string | null;
}

const askedFor = 'unnest(?::text[], ?::text[]) with ordinality as asked (owner, before, nth)';

/** A page of posts of each of these users or accounts, newest first. */
export async function postsOf(
  db: Database,
  input: PagesRequest & { by: 'user' | 'account'; status?: PostStatus | undefined },
): Promise<Page<OverseenPost>[]> {
  const { by, status = null, of, limit } = input;
  const found = await db.execute<Found>(
    `select asked.nth, p.id from ${askedFor} cross join lateral (
       select id from post where ${by === 'user' ? 'user_id' : 'account_id'} = asked.owner
         and (asked.before is null or id < asked.before) and (?::text is null or status = ?)
       order by id desc limit ?
     ) as p`,
    [...ownersAndCursors(of), status, status, limit + 1],
  );
  const ids = found.map(({ id }) => id);
  const rows = await db.fork().find(PostEntity, { id: { $in: ids } });
  const posts = new Map(rows.map((row) => [row.id, toOverseenPost(row)]));
  return inOrder(found, { of, limit }, (id) => posts.get(id));
}

/** A page of deliveries to each of these endpoints, newest first. */
export async function deliveriesOf(
  db: Database,
  input: PagesRequest & { status?: StoredDelivery['status'] | undefined },
): Promise<Page<OverseenDelivery>[]> {
  const { status = null, of, limit } = input;
  const found = await db.execute<Found>(
    `select asked.nth, d.id from ${askedFor} cross join lateral (
       select id from webhook_delivery where endpoint_id = asked.owner
         and (asked.before is null or id < asked.before) and (?::text is null or status = ?)
       order by id desc limit ?
     ) as d`,
    [...ownersAndCursors(of), status, status, limit + 1],
  );
  const ids = found.map(({ id }) => id);
  const rows = await db.fork().find(DeliveryEntity, { id: { $in: ids } });
  const deliveries = new Map(rows.map((row) => [row.id, toOverseenDelivery(row)]));
  return inOrder(found, { of, limit }, (id) => deliveries.get(id));
}

/** A page of the timeline of each of these posts, oldest first. */
export async function eventsOf(db: Database, input: PagesRequest): Promise<Page<PostEvent>[]> {
  const { of, limit } = input;
  const after = of.map(({ cursor }) => {
    const seq = cursor === undefined ? 0 : seqOf(cursor);
    if (seq === null) throw new Fault('invalid_cursor');
    return seq;
  });
  const rows = await db.execute<EventRow & { nth: string }>(
    `select asked.nth, e.* from unnest(?::text[], ?::int[]) with ordinality as asked (owner, after, nth)
     cross join lateral (
       select post_id, seq, type, at, data, hash from post_event
       where post_id = asked.owner and seq > asked.after order by seq limit ?
     ) as e order by asked.nth, e.seq`,
    [of.map(({ id }) => id), after, limit + 1],
  );
  const byPost = Map.groupBy(rows, ({ nth }) => Number(nth));
  return of.map((_, index) => {
    const events = (byPost.get(index + 1) ?? []).map(({ nth: __, ...row }) => toEvent(row));
    return pageFrom(events, limit, ({ id }) => id);
  });
}

/** An id that belongs on the page of the `nth` owner. */
interface Found {
  nth: string;
  id: string;
}

function ownersAndCursors(of: PagesRequest['of']): [string[], (string | null)[]] {
  return [of.map(({ id }) => id), of.map(({ cursor }) => cursor ?? null)];
}

function inOrder<T extends { id: string }>(
  found: Found[],
  asked: PagesRequest,
  get: (id: string) => T | undefined,
): Page<T>[] {
  const byOwner = Map.groupBy(found, ({ nth }) => Number(nth));
  return asked.of.map((_, index) => {
    const rows = (byOwner.get(index + 1) ?? []).flatMap(({ id }) => get(id) ?? []);
    const newestFirst = rows.toSorted((a, b) => (a.id < b.id ? 1 : -1));
    return pageFrom(newestFirst, asked.limit, ({ id }) => id);
  });
}
