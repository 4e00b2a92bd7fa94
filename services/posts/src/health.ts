import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Health, HealthCheck } from '@perch/proto/rpc';
import { taskQueues } from '@perch/proto/workflows';
import type { Client } from '@temporalio/client';

/** A scheduled post is overdue when it is this late and nothing holds it. */
const overdueMs = 60_000;

/** Task queue types in Temporal's numbering. */
const queueTypes = { workflow: 1, activity: 2 } as const;

/** Looks at the work and not only at the process: database, Temporal, pollers, the oldest overdue post. */
export async function health(deps: {
  db: Database;
  temporal: Client;
  namespace: string;
  clock: Clock;
}): Promise<Health> {
  const checks = await Promise.all([
    deps.db.check(),
    pollers(deps, 'post workers', taskQueues.posts, queueTypes.workflow),
    pollers(deps, 'platform workers', taskQueues.platforms, queueTypes.activity),
    pollers(deps, 'follow-up workers', taskQueues.followUps, queueTypes.activity),
    overdue(deps),
  ]);
  return { ok: checks.every((check) => check.ok), checks };
}

async function pollers(
  deps: { temporal: Client; namespace: string; clock: Clock },
  name: string,
  queue: string,
  taskQueueType: number,
): Promise<HealthCheck> {
  try {
    const answer = await deps.temporal.connection.withDeadline(deps.clock() + 2_000, () =>
      deps.temporal.workflowService.describeTaskQueue({
        namespace: deps.namespace,
        taskQueue: { name: queue },
        taskQueueType,
      }),
    );
    const alive = answer.pollers.length;
    const detail =
      alive > 0
        ? `${alive} polling`
        : `nobody polls ${queue}: nothing is published; start its service`;
    return { name, ok: alive > 0, detail };
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { name, ok: false, detail: `Temporal does not answer: ${why}` };
  }
}

async function overdue(deps: { db: Database; clock: Clock }): Promise<HealthCheck> {
  const name = 'overdue posts';
  try {
    const [row]: { count: string; oldest_id: string | null }[] = await deps.db.fork().execute(
      `select count(*) as count, (array_agg(id order by scheduled_at))[1] as oldest_id from post
       where status = 'scheduled' and coalesce(held_until, scheduled_at) < ?`,
      [new Date(deps.clock() - overdueMs)],
    );
    const count = Number(row?.count ?? 0);
    const detail =
      count === 0
        ? 'none'
        : `${count}, the oldest is ${row?.oldest_id}; look at Temporal and the workers`;
    return { name, ok: count === 0, detail };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
