import type { Deps } from '../deps.ts';

/** How many live posts of the user are still to go out, and how many of them want something to follow. */
export async function upcoming(
  deps: Deps,
  input: { user_id: string },
): Promise<{ scheduled: number; with_auto_reply: number; with_auto_retweet: number }> {
  const [counts] = await deps.db.execute<Awaited<ReturnType<typeof upcoming>>>(
    `select count(*)::int as scheduled,
       count(*) filter (where (auto_reply ->> 'enabled')::boolean)::int as with_auto_reply,
       count(*) filter (where (auto_retweet ->> 'enabled')::boolean)::int as with_auto_retweet
     from post where user_id = ? and mode = 'live' and status in ('scheduled', 'publishing')`,
    [input.user_id],
  );
  return counts ?? { scheduled: 0, with_auto_reply: 0, with_auto_retweet: 0 };
}
