import type { KeyMode } from '@perch/proto/accounts';
import type { Reservation } from '@perch/proto/credits';
import { Fault } from '@perch/proto/faults';
import { tracePost } from '@perch/proto/tracing';
import type { PostRef, PublishedPart } from '@perch/proto/workflows';
import type { Deps } from '../deps.ts';
import { ended, lateness } from '../metrics.ts';
import { movesTo } from '../rules/status.ts';
import { addToOutbox } from '../webhooks/outbox.ts';

/** Charges for a post whose tweets all stand and marks it posted. Repeated, it changes nothing more. */
export async function settle(
  deps: Deps,
  input: PostRef & { parts: PublishedPart[] },
): Promise<{ posted_at_ms: number }> {
  const { post_id, parts } = input;
  tracePost(post_id);
  await deps.faultPoint('posts:published', post_id);
  const [post] = await deps.db.execute<{ user_id: string; mode: KeyMode; due_at: string }>(
    'select user_id, mode, coalesce(held_until, scheduled_at) as due_at from post where id = ?',
    [post_id],
  );
  if (!post) throw new Fault('not_found', { detail: 'no such post', post_id });
  const charged = post.mode === 'live';
  if (charged) {
    const charge = await deps.clients.credits.capture.mutate({ post_id });
    await tellWhenLow(deps, post.user_id, charge);
  }
  await deps.faultPoint('posts:captured', post_id);
  const postedAtMs = Math.max(...parts.map((part) => part.published_at_ms));
  const urls = parts.map((part) => part.url);
  const now = new Date(deps.clock());
  const moved = await deps.db.execute(
    `with done as (
       update post set status = 'posted', parts = ?::jsonb, charged = ?, posted_at = ?, version = version + 1, updated_at = ?
       where id = ? and status = any(?) returning id, credits
     )
     insert into post_event (post_id, key, type, at, data)
     select id, 'posted', 'post.posted', ?, jsonb_build_object('urls', ?::jsonb, 'charged_credits', case when ? then credits else 0 end) from done
     returning post_id`,
    [
      JSON.stringify(parts),
      charged,
      new Date(postedAtMs),
      now,
      post_id,
      movesTo('posted'),
      now,
      JSON.stringify(urls),
      charged,
    ],
  );
  if (moved.length > 0) {
    ended.inc({ status: 'posted', code: 'none' });
    // A test clock that was advanced says nothing of how late we are.
    const firstMs = Math.min(...parts.map((part) => part.published_at_ms));
    if (charged) lateness.observe(Math.max(firstMs - Date.parse(post.due_at), 0) / 1_000);
  }
  await deps.faultPoint('posts:settled', post_id);
  return { posted_at_ms: postedAtMs };
}

/** `credits.low`: this charge took the balance below the mark. Repeated, it tells no more. */
async function tellWhenLow(deps: Deps, user_id: string, charge: Reservation): Promise<void> {
  const { post_id, credits, balance_after } = charge;
  const mark = deps.policy.creditsLow;
  if (balance_after === null || balance_after >= mark || balance_after + credits < mark) return;
  await addToOutbox(deps.db.fork(), {
    event_id: `evt_${post_id.slice('post_'.length)}_credits`,
    user_id,
    type: 'credits.low',
    at: new Date(deps.clock()),
    data: { balance: balance_after, below: mark },
  });
}
