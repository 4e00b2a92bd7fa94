import { systemClock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Logger } from '@perch/proto/process';
import { deliveryWorkflowId, taskQueues } from '@perch/proto/workflows';
import type { Client } from '@temporalio/client';
import type { deliverWebhook } from '../workflow/deliver-webhook.ts';
import { relayOutbox } from './outbox.ts';

const everyMs = 500;
const startTimeoutMs = 3_000;
const batch = 100;

interface Deps {
  db: Database;
  temporal: Client;
  log: Logger;
}

/** Moves events from the outbox on and starts the workflow of every delivery, in all replicas at once, until stopped. */
export function startRelay(deps: Deps): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  const go = () => {
    round = relay(deps)
      .catch((err: unknown) => {
        deps.log.warn({ err }, 'webhooks not relayed; the next round tries again');
        return 0;
      })
      .then((moved) => {
        if (!stopped) timer = setTimeout(go, moved > 0 ? 0 : everyMs);
      });
  };
  go();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
}

/** One round; returns how much it did. */
export async function relay(deps: Deps): Promise<number> {
  const moved = await relayOutbox(deps);
  const waiting = await deps.db.execute<{ id: string; run: number }>(
    'select id, run from webhook_delivery where not started order by created_at limit ?',
    [batch],
  );
  // gRPC tells its deadlines by the machine's clock, whatever ours says.
  await deps.temporal.withDeadline(systemClock() + startTimeoutMs, () =>
    Promise.all(waiting.map((delivery) => start(deps, delivery))),
  );
  return moved + waiting.length;
}

/** Starting again is harmless: the workflow's id is the delivery's. */
async function start(deps: Deps, delivery: { id: string; run: number }): Promise<void> {
  await deps.temporal.workflow.start<typeof deliverWebhook>('deliverWebhook', {
    taskQueue: taskQueues.posts,
    workflowId: deliveryWorkflowId(delivery.id, delivery.run),
    workflowIdConflictPolicy: 'USE_EXISTING',
    args: [{ delivery_id: delivery.id }],
  });
  await deps.db.execute('update webhook_delivery set started = true where id = ? and run = ?', [
    delivery.id,
    delivery.run,
  ]);
}
