import type { RequestLease } from '@perch/proto/accounts';
import type { Deps } from '../deps.ts';

/**
 * Takes a part of a key's requests in a window, for one gateway replica. What all replicas take together is
 * counted in one row, so it never exceeds the limit.
 */
export async function leaseRequests(
  deps: Deps,
  input: { key_id: string; window_start: string; want: number; limit: number },
): Promise<RequestLease> {
  const { key_id, window_start, want, limit } = input;
  const [row] = await deps.db.execute<{ asked: number }>(
    `with past as (delete from request_window where key_id = ? and window_start < ?)
     insert into request_window as w (key_id, window_start, asked) values (?, ?, ?)
     on conflict (key_id, window_start) do update set asked = w.asked + excluded.asked
     returning asked`,
    [key_id, window_start, key_id, window_start, want],
  );
  const before = (row?.asked ?? want) - want;
  const granted = Math.max(0, Math.min(want, limit - before));
  return { granted, used: Math.min(limit, before + granted) };
}
