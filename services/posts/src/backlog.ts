import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';

/** What waits though it should not, and for how long. */
export interface Backlog {
  /** Scheduled posts that are a minute late and that nothing holds. */
  overdue: number;
  overdueId: string | null;
  overdueOldestMs: number;
  /** Posts that are being sent since they were due: a platform is away, or an outcome unknown. */
  publishing: number;
  publishingOldestMs: number;
  /** Posts within the horizon that have no workflow yet. */
  unarmedOldestMs: number;
  /** Events not handed on to webhooks, counted up to ten thousand. */
  outbox: number;
  outboxOldestMs: number;
  /** Posts whose charge a person must look at. */
  postedUncharged: number;
  chargedUnposted: number;
}

/** Counting on would make a long outbox longer. */
const maxCounted = 10_000;

/** A scheduled post is overdue when it is this late. */
export const overdueMs = 60_000;

/** The part of a filter that finds overdue posts. */
export function overdueBefore(nowMs: number) {
  const before = new Date(nowMs - overdueMs);
  return {
    status: 'scheduled' as const,
    $or: [{ held_until: { $lt: before } }, { held_until: null, scheduled_at: { $lt: before } }],
  };
}

/** Counts all of it in one trip; each part has an index of its own and reads little more than what is wrong. */
export async function readBacklog(deps: {
  db: Database;
  clock: Clock;
  armAheadMs: number;
}): Promise<Backlog> {
  const now = deps.clock();
  const [row] = await deps.db.execute<Backlog>(
    `with now as (select ?::timestamptz as t),
     late as (
       select id, status, coalesce(held_until, scheduled_at) as due from post
       where status in ('scheduled', 'publishing') and scheduled_at < ?
     ),
     unarmed as (
       select least(now.t - updated_at, now.t - (scheduled_at - ?::interval)) as age from post, now
       where status = 'scheduled' and armed_at is null and scheduled_at < ?
     )
     select
       (select count(*)::int from late where status = 'scheduled' and due < ?) as overdue,
       (select id from late where status = 'scheduled' and due < ? order by due limit 1) as "overdueId",
       (select ms(now.t - min(due)) from late where status = 'scheduled' and due < ?) as "overdueOldestMs",
       (select count(*)::int from late where status = 'publishing') as publishing,
       (select ms(now.t - min(due)) from late where status = 'publishing') as "publishingOldestMs",
       (select ms(max(age)) from unarmed) as "unarmedOldestMs",
       (select count(*)::int from (select from webhook_outbox limit ?) as counted) as outbox,
       ms(now.t - (select at from webhook_outbox order by position limit 1)) as "outboxOldestMs",
       (select count(*)::int from charge_mismatch where closed_at is null and kind = 'posted_uncharged') as "postedUncharged",
       (select count(*)::int from charge_mismatch where closed_at is null and kind = 'charged_unposted') as "chargedUnposted"
     from now`,
    [
      ...[new Date(now), new Date(now)],
      ...[`${deps.armAheadMs} milliseconds`, new Date(now + deps.armAheadMs)],
      ...Array(3).fill(new Date(now - overdueMs)),
      maxCounted,
    ],
  );
  if (!row) throw new Error('the backlog can not be read');
  return row;
}
