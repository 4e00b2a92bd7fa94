import { type PlatformActivities, type PostRef, taskQueues } from '@perch/proto/workflows';
import {
  continueAsNew,
  proxyActivities,
  proxyLocalActivities,
  sleep,
  workflowInfo,
} from '@temporalio/workflow';
import type { PostActivities } from './activities.ts';

const posts = proxyLocalActivities<PostActivities>({ startToCloseTimeout: '20s' });

// Each reply is journaled in accounts, so a repeated round sends none twice.
const platform = proxyActivities<Pick<PlatformActivities, 'reply'>>({
  taskQueue: taskQueues.followUps,
  startToCloseTimeout: '10m',
  heartbeatTimeout: '10s',
  retry: { initialInterval: '1s', maximumInterval: '5m' },
});

/** What a run of auto-reply goes by; `sent` counts over all its runs, `cursor` is where the last one stopped reading. */
type AutoReplyRun = PostRef & {
  max: number;
  sent: number;
  every_ms: number;
  until_ms: number;
  cursor?: string | null;
};

/** Answers people who reply to the post, until `max` or the horizon. Each decision is on the timeline. */
export async function autoReply(input: AutoReplyRun): Promise<void> {
  const post: PostRef = { post_id: input.post_id };
  let { sent, cursor = null } = input;
  for (;;) {
    const round = await platform.reply({ ...post, max: input.max, cursor });
    for (const { to, platform_id } of round.sent) {
      await posts.note({
        ...post,
        key: `reply:${platform_id}`,
        type: 'auto_reply.sent',
        data: { to, platform_id },
      });
    }
    for (const { to, reason } of round.skipped) {
      await posts.note({
        ...post,
        key: `skip:${to}:${reason}`,
        type: 'auto_reply.skipped',
        data: { to, reason },
      });
    }
    sent += round.sent.length;
    cursor = round.cursor;
    const reason =
      round.gone ?? (sent >= input.max ? 'max' : Date.now() >= input.until_ms ? 'horizon' : null);
    if (reason !== null) {
      await posts.note({
        ...post,
        key: 'reply:end',
        type: 'auto_reply.finished',
        data: { reason, sent },
      });
      return;
    }
    await sleep(input.every_ms);
    if (workflowInfo().continueAsNewSuggested)
      return continueAsNew<typeof autoReply>({ ...input, sent, cursor });
  }
}
