import { type Clock, toIso } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import type { Queues } from '@perch/proto/posts-oversight';
import { taskQueues } from '@perch/proto/workflows';
import type { Client } from '@temporalio/client';

const askTimeoutMs = 3_000;

interface Deps {
  db: Database;
  temporal: Client;
  namespace: string;
  clock: Clock;
}

/** What waits where: tasks in Temporal's queues, and rows that somebody is to take on. */
export async function queues(deps: Deps): Promise<Queues> {
  const [task_queues, outboxes] = await Promise.all([
    Promise.all([
      taskQueue(deps, taskQueues.posts, 'workflow'),
      taskQueue(deps, taskQueues.posts, 'activity'),
      taskQueue(deps, taskQueues.platforms, 'activity'),
      taskQueue(deps, taskQueues.followUps, 'activity'),
    ]),
    deps.db.execute<{ name: string; waiting: number; oldest_at: string | null }>(
      `select 'webhook events not relayed' as name, count(*)::int as waiting, min(at) as oldest_at from webhook_outbox
       union all
       select 'webhook deliveries not started', count(*)::int, min(created_at) from webhook_delivery where not started
       union all
       select 'posts due and not armed', count(*)::int, min(scheduled_at) from post
         where status = 'scheduled' and armed_at is null and scheduled_at < ?`,
      [new Date(deps.clock())],
    ),
  ]);
  return {
    task_queues,
    outboxes: outboxes.map(({ oldest_at, ...box }) => ({
      ...box,
      oldest_at: oldest_at && toIso(Date.parse(oldest_at)),
    })),
  };
}

/** Task queue types in Temporal's numbering. */
const queueTypes = { workflow: 1, activity: 2 } as const;

async function taskQueue(
  deps: Deps,
  name: string,
  kind: keyof typeof queueTypes,
): Promise<Queues['task_queues'][number]> {
  const { connection, workflowService } = deps.temporal;
  const told = await connection
    .withDeadline(deps.clock() + askTimeoutMs, () =>
      workflowService.describeTaskQueue({
        namespace: deps.namespace,
        taskQueue: { name },
        taskQueueType: queueTypes[kind],
        reportStats: true,
      }),
    )
    .catch((cause: unknown) => {
      throw new Fault('service_unavailable', { detail: 'Temporal does not answer' }, { cause });
    });
  const age = told.stats?.approximateBacklogAge;
  return {
    name,
    kind,
    pollers: told.pollers.length,
    backlog: Number(told.stats?.approximateBacklogCount ?? 0),
    backlog_age_ms: Number(age?.seconds ?? 0) * 1_000 + Math.round((age?.nanos ?? 0) / 1e6),
  };
}
