import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import { type PlatformActivities, type PostRef, postWorkflowId } from '@perch/proto/workflows';
import { Context } from '@temporalio/activity';
import type { Deps } from '../deps.ts';
import { reply, repost } from './follow-up.ts';
import { publish, reconcile } from './publish.ts';

const heartbeatMs = 2_000;
/** Longer than any thread takes; each call to a service inside has its own, shorter limit. */
const attemptTimeoutMs = 14 * 60_000;

/** The activities that talk to platforms; each beats while it works, so that a dead worker is noticed. */
export function createActivities(deps: Deps): PlatformActivities {
  const replying = new Set<string>();
  return {
    publish: (post) => beating(post, attemptTimeoutMs, () => publish(deps, post)),
    reconcile: (post) => beating(post, limits.requestTimeoutMs, () => reconcile(deps, post)),
    repost: (post) => beating(post, limits.requestTimeoutMs, () => repost(deps, post)),
    reply: (input) => beating(input, attemptTimeoutMs, () => reply(deps, input, replying)),
  };
}

async function beating<T>(post: PostRef, timeoutMs: number, work: () => Promise<T>): Promise<T> {
  const context = Context.current();
  const beat = setInterval(() => context.heartbeat(), heartbeatMs);
  try {
    return await withCall({ requestId: postWorkflowId(post.post_id), timeoutMs }, work);
  } finally {
    clearInterval(beat);
  }
}
