import type { PostFailureCode } from '@perch/proto/posts';
import {
  type PlatformActivities,
  type PostRef,
  type PublishedPart,
  type PublishOutcome,
  taskQueues,
} from '@perch/proto/workflows';
import {
  ActivityFailure,
  condition,
  defineSignal,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  startChild,
} from '@temporalio/workflow';
import type { Plan, PostActivities } from './activities.ts';
import type { autoReply } from './auto-reply.ts';
import type { autoRetweet } from './auto-retweet.ts';

/** The post was moved, edited or cancelled: look at it again. */
export const changed = defineSignal('changed');

const posts = proxyLocalActivities<PostActivities>({
  startToCloseTimeout: '20s',
  retry: { initialInterval: '200ms', maximumInterval: '10s' },
});

// A send is never repeated by Temporal: this workflow decides from the outcome.
const sends = proxyActivities<Pick<PlatformActivities, 'publish'>>({
  taskQueue: taskQueues.platforms,
  startToCloseTimeout: '15m',
  heartbeatTimeout: '10s',
  retry: { maximumAttempts: 1 },
});

const reads = proxyActivities<Pick<PlatformActivities, 'reconcile'>>({
  taskQueue: taskQueues.platforms,
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '30s' },
});

/** The life of one scheduled post: wait until due, begin, publish, settle, follow up. */
export async function publishPost(input: PostRef & { due_at_ms: number }): Promise<void> {
  const post: PostRef = { post_id: input.post_id };
  const plan = await whenDue(post, input.due_at_ms);
  if (plan === null) return;
  const end = await send(post, plan);
  if (end.failure !== null) {
    await posts.fail({ ...post, failure: end.failure, parts: end.parts });
    return;
  }
  const posted = await posts.settle({ ...post, parts: end.parts });
  await followUp(post, plan, posted.posted_at_ms);
}

/** Waits until the post is due and its sending has begun; null when there is nothing to send. */
async function whenDue(post: PostRef, dueAtMs: number): Promise<Plan | null> {
  let woken = false;
  setHandler(changed, () => {
    woken = true;
  });
  let untilMs = dueAtMs;
  for (;;) {
    if (untilMs > Date.now()) await condition(() => woken, untilMs - Date.now());
    woken = false;
    const begin = await posts.begin(post);
    if (begin.next === 'stop') return null;
    if (begin.next === 'publish') return begin.plan;
    untilMs = begin.until_ms;
  }
}

interface End {
  failure: { code: PostFailureCode; detail: string } | null;
  parts: PublishedPart[];
}

/** Publishes until every tweet stands, or until it is sure that they will not. */
async function send(post: PostRef, plan: Plan): Promise<End> {
  const untilMs = Date.now() + plan.retry_for_ms;
  let parts: PublishedPart[] = [];
  for (let attempt = 1; ; attempt++) {
    const outcome = await publish(post);
    if (outcome.parts.length > 0) parts = outcome.parts;
    if (outcome.kind === 'published') return { failure: null, parts };
    if (outcome.kind === 'rejected') {
      const detail = `tweet ${outcome.index + 1}: ${outcome.detail}`;
      return { failure: { code: outcome.code, detail }, parts };
    }
    if (outcome.kind === 'unknown') {
      await posts.note({
        ...post,
        key: `unknown:${attempt}`,
        type: 'post.outcome_unknown',
        data: { detail: outcome.detail },
      });
      const known = await reconcile(post, attempt, plan.reconcile_for_ms);
      if (known) continue;
      const detail = 'the platform never told whether the post was taken; it was not sent again';
      return { failure: { code: 'publish_outcome_unknown', detail }, parts };
    }
    if (outcome.at_ms > untilMs) {
      return { failure: { code: 'platform_unavailable', detail: outcome.detail }, parts };
    }
    const data = { until: new Date(outcome.at_ms).toISOString(), detail: outcome.detail };
    await posts.note({ ...post, key: `waiting:${attempt}`, type: 'post.waiting', data });
    await sleep(Math.max(outcome.at_ms - Date.now(), 100));
  }
}

/** One attempt. When its worker died or hung, what it sent is unknown. */
async function publish(post: PostRef): Promise<PublishOutcome> {
  try {
    return await sends.publish(post);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    return {
      kind: 'unknown',
      index: 0,
      detail: 'the attempt broke off before its outcome was known',
      parts: [],
    };
  }
}

/** Reads the platform back until it is known what stands there; false when the horizon comes first. */
async function reconcile(post: PostRef, attempt: number, forMs: number): Promise<boolean> {
  const untilMs = Date.now() + forMs;
  for (;;) {
    const outcome = await reads.reconcile(post);
    if (outcome.kind === 'resolved') {
      await posts.note({
        ...post,
        key: `reconciled:${attempt}`,
        type: 'post.reconciled',
        data: { found: outcome.found },
      });
      return true;
    }
    if (outcome.again_at_ms > untilMs) return false;
    await sleep(Math.max(outcome.again_at_ms - Date.now(), 100));
  }
}

/** Starts what was asked for after the post; it lives on by itself. */
async function followUp(post: PostRef, plan: Plan, postedAtMs: number): Promise<void> {
  const { auto_retweet, auto_reply } = plan;
  if (auto_retweet) {
    await startChild<typeof autoRetweet>('autoRetweet', {
      workflowId: `post/${post.post_id}/retweet`,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [
        { ...post, at_ms: postedAtMs + auto_retweet.after_ms, retry_for_ms: plan.retry_for_ms },
      ],
    });
  }
  if (auto_reply) {
    await startChild<typeof autoReply>('autoReply', {
      workflowId: `post/${post.post_id}/reply`,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [
        {
          ...post,
          max: auto_reply.max,
          sent: 0,
          every_ms: auto_reply.every_ms,
          until_ms: postedAtMs + auto_reply.for_ms,
        },
      ],
    });
  }
}
