import { type PlatformActivities, type PostRef, taskQueues } from '@perch/proto/workflows';
import { proxyActivities, proxyLocalActivities, sleep } from '@temporalio/workflow';
import type { PostActivities } from './activities.ts';

const posts = proxyLocalActivities<PostActivities>({ startToCloseTimeout: '20s' });

// Reposting again changes nothing, so Temporal may repeat it.
const platform = proxyActivities<Pick<PlatformActivities, 'repost'>>({
  taskQueue: taskQueues.followUps,
  startToCloseTimeout: '2m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

/** Reposts a post at its time; dropped when the post or its account is gone by then. */
export async function autoRetweet(
  input: PostRef & { at_ms: number; retry_for_ms: number },
): Promise<void> {
  const post: PostRef = { post_id: input.post_id };
  const at = new Date(input.at_ms).toISOString();
  await posts.note({
    ...post,
    key: 'retweet:scheduled',
    type: 'auto_retweet.scheduled',
    data: { at },
  });
  await sleep(Math.max(input.at_ms - Date.now(), 0));
  for (;;) {
    const outcome = await platform.repost(post);
    if (outcome.kind === 'done') {
      await posts.note({ ...post, key: 'retweet:end', type: 'auto_retweet.done', data: {} });
      return;
    }
    const late = outcome.kind === 'retry' && outcome.at_ms > input.at_ms + input.retry_for_ms;
    if (outcome.kind === 'gone' || late) {
      const reason = outcome.kind === 'gone' ? outcome.detail : 'the platform stayed unavailable';
      await posts.note({
        ...post,
        key: 'retweet:end',
        type: 'auto_retweet.dropped',
        data: { reason },
      });
      return;
    }
    await sleep(Math.max(outcome.at_ms - Date.now(), 100));
  }
}
