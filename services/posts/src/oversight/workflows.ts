import { type Clock, toIso } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { PostWorkflow } from '@perch/proto/posts-oversight';
import { postWorkflowId } from '@perch/proto/workflows';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';

/** Questions to Temporal at the same time. */
const concurrentAsks = 16;
const askTimeoutMs = 3_000;

/** The workflows of the last runs of these posts, as Temporal tells; it can be asked of one at a time only. */
export async function workflowsOf(
  deps: { db: Database; temporal: Client; clock: Clock },
  postIds: string[],
): Promise<PostWorkflow[]> {
  const rows = await deps.db.execute<{ id: string; run: number }>(
    'select id, run from post where id = any(?) and armed_at is not null',
    [postIds],
  );
  const found: PostWorkflow[] = [];
  const rest = rows.values();
  const lanes = Array.from({ length: concurrentAsks }, async () => {
    for (const { id, run } of rest) {
      const workflow = await describe(deps, id, run);
      if (workflow) found.push(workflow);
    }
  });
  await Promise.all(lanes);
  return found;
}

async function describe(
  deps: { temporal: Client; clock: Clock },
  post_id: string,
  run: number,
): Promise<PostWorkflow | null> {
  const workflow_id = postWorkflowId(post_id, run);
  try {
    const told = await deps.temporal.withDeadline(deps.clock() + askTimeoutMs, () =>
      deps.temporal.workflow.getHandle(workflow_id).describe(),
    );
    return {
      post_id,
      workflow_id,
      status: told.status.name,
      started_at: toIso(told.startTime.getTime()),
      closed_at: told.closeTime ? toIso(told.closeTime.getTime()) : null,
      history_length: told.historyLength,
      pending: (told.raw.pendingActivities ?? []).map(({ activityType, attempt }) => ({
        activity: activityType?.name ?? '',
        attempt: attempt ?? 1,
      })),
    };
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return null;
    throw error;
  }
}
