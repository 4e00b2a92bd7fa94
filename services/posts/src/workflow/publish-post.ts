import type { FollowUp } from '@perch/proto/posts';
import {
  type PlatformActivities,
  type PostRef,
  type PublishedPart,
  type PublishOutcome,
  type PublishPost,
  taskQueues,
} from '@perch/proto/workflows';
import {
  ActivityFailure,
  CancellationScope,
  defineSignal,
  isCancellation,
  ParentClosePolicy,
  proxyActivities,
  proxyLocalActivities,
  setHandler,
  sleep,
  startChild,
} from '@temporalio/workflow';
import type { PostActivities } from './activities.ts';
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

/** The life of one scheduled post: wait until due, publish until it is posted or sure to have failed, follow up. */
export async function publishPost(input: PublishPost): Promise<void> {
  const post: PostRef = { post_id: input.post_id };
  let waiting = new CancellationScope();
  setHandler(changed, () => waiting.cancel());
  let dueMs = input.due_at_ms;
  let giveUpMs: number | null = null;
  let parts: PublishedPart[] = [];
  let retries = 0;
  for (let attempt = 1; ; attempt++) {
    await until(dueMs, waiting);
    // A change that comes during the attempt ends the next wait.
    waiting = new CancellationScope();
    const outcome = await publish(post);
    if ('parts' in outcome && outcome.parts.length > 0) parts = outcome.parts;
    switch (outcome.kind) {
      case 'posted':
        return followUp(input, outcome);
      case 'stopped':
        return;
      case 'wait':
        dueMs = outcome.until_ms;
        break;
      case 'unsettled':
        await sleep(Math.max(outcome.at_ms - Date.now(), 100));
        break;
      case 'rejected': {
        const detail = `tweet ${outcome.index + 1}: ${outcome.detail}`;
        return posts.fail({ ...post, failure: { code: outcome.code, detail }, parts });
      }
      case 'retry': {
        const { detail } = outcome;
        giveUpMs ??= Date.now() + input.retry_for_ms;
        const at_ms = Math.max(outcome.at_ms, Date.now() + pauseMs(retries++));
        if (at_ms > giveUpMs)
          return posts.fail({ ...post, failure: { code: 'platform_unavailable', detail }, parts });
        const data = { until: new Date(at_ms).toISOString(), detail };
        await posts.note({ ...post, key: `waiting:${attempt}`, type: 'post.waiting', data });
        await sleep(Math.max(at_ms - Date.now(), 100));
        break;
      }
      case 'unknown': {
        const data = { detail: outcome.detail };
        await posts.note({
          ...post,
          key: `unknown:${attempt}`,
          type: 'post.outcome_unknown',
          data,
        });
        if (await reconcile(post, attempt, input.reconcile_for_ms)) break;
        const code = 'publish_outcome_unknown';
        const detail = 'the platform never told whether the post was taken; it was not sent again';
        return posts.fail({ ...post, failure: { code, detail }, parts });
      }
    }
  }
}

/** The least pause before the next try: an outage of hours must not fill the history. */
function pauseMs(retries: number): number {
  return Math.min(250 * 2 ** retries, 5 * 60_000);
}

/** Waits until that time, or until the scope is cancelled. */
async function until(atMs: number, waiting: CancellationScope): Promise<void> {
  if (atMs <= Date.now()) return;
  try {
    await waiting.run(() => sleep(atMs - Date.now()));
  } catch (error) {
    if (!isCancellation(error)) throw error;
  }
}

/** One attempt. When its worker died or hung, what it sent is unknown. */
async function publish(post: PostRef): Promise<PublishOutcome> {
  try {
    return await sends.publish(post);
  } catch (error) {
    if (!(error instanceof ActivityFailure)) throw error;
    const detail = 'the attempt broke off before its outcome was known';
    return { kind: 'unknown', index: 0, detail, parts: [] };
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
async function followUp(
  input: PublishPost,
  posted: { posted_at_ms: number; follow_up: FollowUp },
): Promise<void> {
  const { post_id, retry_for_ms } = input;
  const { posted_at_ms } = posted;
  const { auto_retweet, auto_reply } = posted.follow_up;
  if (auto_retweet) {
    await startChild<typeof autoRetweet>('autoRetweet', {
      workflowId: `post/${post_id}/retweet`,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [{ post_id, at_ms: posted_at_ms + auto_retweet.after_ms, retry_for_ms }],
    });
  }
  if (auto_reply) {
    const { max, every_ms, for_ms } = auto_reply;
    await startChild<typeof autoReply>('autoReply', {
      workflowId: `post/${post_id}/reply`,
      parentClosePolicy: ParentClosePolicy.ABANDON,
      args: [{ post_id, max, sent: 0, every_ms, until_ms: posted_at_ms + for_ms }],
    });
  }
}
