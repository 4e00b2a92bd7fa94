import type { Reservation } from '@perch/proto/credits';
import type { PostRef, PublishedPart } from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { movesTo } from '../rules/status.ts';
import { addToOutbox } from '../webhooks/outbox.ts';

/** Charges for a post whose tweets all stand and marks it posted. Repeated, it changes nothing more. */
export async function settle(
  deps: Deps,
  input: PostRef & { parts: PublishedPart[] },
): Promise<{ posted_at_ms: number }> {
  const { post_id, parts } = input;
  await deps.faultPoint('posts:published', post_id);
  const charge = await deps.clients.credits.capture.mutate({ post_id });
  await deps.faultPoint('posts:captured', post_id);
  await tellWhenLow(deps, charge);
  const postedAtMs = Math.max(...parts.map((part) => part.published_at_ms));
  const urls = parts.map((part) => part.url);
  const now = new Date(deps.clock());
  await deps.db.execute(
    `with done as (
       update post set status = 'posted', parts = ?::jsonb, charged = true, posted_at = ?, version = version + 1, updated_at = ?
       where id = ? and status = any(?) returning id, credits
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'posted', 'post.posted', ?, jsonb_build_object('urls', ?::jsonb, 'charged_credits', credits) from done`,
    [
      JSON.stringify(parts),
      new Date(postedAtMs),
      now,
      post_id,
      movesTo('posted'),
      now,
      JSON.stringify(urls),
    ],
  );
  await deps.faultPoint('posts:settled', post_id);
  return { posted_at_ms: postedAtMs };
}

/** `credits.low`: this charge took the balance below the mark. Repeated, it tells no more. */
async function tellWhenLow(deps: Deps, charge: Reservation): Promise<void> {
  const { post_id, credits, balance_after } = charge;
  const mark = deps.policy.creditsLow;
  if (balance_after === null || balance_after >= mark || balance_after + credits < mark) return;
  const [post] = await deps.db.execute<{ user_id: string }>(
    'select user_id from post where id = ?',
    [post_id],
  );
  if (!post) return;
  await addToOutbox(deps.db.fork(), {
    event_id: `evt_${post_id.slice('post_'.length)}_credits`,
    user_id: post.user_id,
    type: 'credits.low',
    at: new Date(deps.clock()),
    data: { balance: balance_after, below: mark },
  });
}
