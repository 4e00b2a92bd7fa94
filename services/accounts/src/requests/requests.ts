import { toIso } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import { limits } from '@perch/proto/limits';
import type { LoggedRequest, Requests } from '@perch/proto/requests';

/** The log of API requests, over its table. */
export function createRequests(deps: { db: Database }): Requests {
  return {
    record: async ({ requests }) => {
      if (requests.length === 0) return;
      await deps.db.execute(
        `insert into api_request (user_id, request_id, key_id, method, path, status, duration_ms, at)
         select user_id, request_id, key_id, method, path, status, duration_ms, at
         from jsonb_to_recordset(?::jsonb) as r (user_id text, request_id text, key_id text, method text,
           path text, status int, duration_ms int, at timestamptz)
         on conflict do nothing`,
        [JSON.stringify(requests)],
      );
      // Ids of requests sort by time.
      await deps.db.execute(
        `delete from api_request r using unnest(?::text[]) as u (id)
         where r.user_id = u.id and r.request_id < (
           select min(request_id) from (
             select request_id from api_request where user_id = u.id order by request_id desc limit ?
           ) as kept
         )`,
        [[...new Set(requests.map((request) => request.user_id))], limits.loggedRequests],
      );
    },
    list: async ({ user_id }) => {
      const rows = await deps.db.execute<LoggedRequest>(
        `select request_id, key_id, method, path, status, duration_ms, at from api_request
         where user_id = ? order by request_id desc limit ?`,
        [user_id, limits.loggedRequests],
      );
      return rows.map((row) => ({ ...row, at: toIso(Date.parse(row.at)) }));
    },
  };
}
