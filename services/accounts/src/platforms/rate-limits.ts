import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';

/** What a platform told of a limit, for all replicas to heed. */
export interface RateLimits {
  /** When a call that counts there may be made; null: now. `app` limits are those of all our accounts together. */
  blockedUntilMs(bucket: string): Promise<number | null>;
  /** Keeps what the headers of an answer said. */
  note(
    bucket: string,
    limit: { of: 'account' | 'app'; remaining: number; resetMs: number },
  ): Promise<void>;
}

/** The limits of one account and of its platform's app, in the database that all replicas share. */
export function createRateLimits(
  deps: { db: Database; clock: Clock },
  account: { id: string; platform: string },
): RateLimits {
  const scopes = { account: account.id, app: `app:${account.platform}` };
  return {
    blockedUntilMs: async (bucket) => {
      const [row] = await deps.db.execute<{ until: string | null }>(
        `select max(reset_at) as until from rate_limit
         where scope = any(?) and bucket = ? and reset_at > ?`,
        [Object.values(scopes), bucket, new Date(deps.clock())],
      );
      return row?.until ? Date.parse(row.until) : null;
    },
    note: async (bucket, { of, remaining, resetMs }) => {
      // One bucket may have several limits, by the minute and by the day; only one that is used up holds back.
      if (remaining > 0) return;
      await deps.db.execute(
        `insert into rate_limit (scope, bucket, reset_at) values (?, ?, ?)
         on conflict (scope, bucket) do update set
           reset_at = greatest(rate_limit.reset_at, excluded.reset_at)`,
        [scopes[of], bucket, new Date(resetMs)],
      );
    },
  };
}
