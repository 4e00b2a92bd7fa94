import type { CreditDay } from '@perch/proto/credits';
import type { Deps } from '../deps.ts';

/** What came and went on each of the last days in that time zone, today last, also on those without an entry. */
export async function daily(
  deps: Deps,
  input: { user_id: string; days: number; time_zone: string },
): Promise<CreditDay[]> {
  const { user_id, days, time_zone } = input;
  return deps.db.execute<CreditDay>(
    `with today as (select (?::timestamptz at time zone ?)::date as date),
     day as (select generate_series(date - (? - 1), date, interval '1 day')::date as date from today),
     own as (
       select (created_at at time zone ?)::date as date, kind, credits from entry
       where user_id = ? and created_at > ?::timestamptz - (? + 1) * interval '1 day'
     )
     select to_char(day.date, 'YYYY-MM-DD') as date,
       coalesce(-sum(credits) filter (where kind = 'charge'), 0)::int as charged,
       coalesce(sum(credits) filter (where kind = 'grant'), 0)::int as granted
     from day left join own using (date) group by day.date order by day.date`,
    [
      ...[new Date(deps.clock()), time_zone, days, time_zone],
      ...[user_id, new Date(deps.clock()), days],
    ],
  );
}
