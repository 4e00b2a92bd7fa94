/** A queue of Temporal and what is polled for there. */
export interface Polled {
  taskQueue: string;
  kind: 'workflows' | 'activities';
}

/** What of a Temporal connection is used here: those of clients and of workers both have it. */
interface Asked {
  workflowService: {
    describeTaskQueue(request: {
      namespace: string;
      taskQueue: { name: string };
      taskQueueType: number;
    }): Promise<{ pollers: { lastAccessTime?: Seconds | null }[] }>;
  };
}

type Seconds = { seconds?: { toNumber(): number } | null };

/** Task queue types in Temporal's numbering. */
const types = { workflows: 1, activities: 2 } as const;

/** A poll lasts a minute at the most; Temporal lists pollers for five after they have gone. */
const aliveMs = 75_000;

/** How many workers poll the queue; throws what Temporal's client throws. */
export async function pollersOf(
  temporal: Asked,
  namespace: string,
  polled: Polled,
  nowMs: number,
): Promise<number> {
  const { pollers } = await temporal.workflowService.describeTaskQueue({
    namespace,
    taskQueue: { name: polled.taskQueue },
    taskQueueType: types[polled.kind],
  });
  return pollers.filter(({ lastAccessTime }) => {
    const atMs = (lastAccessTime?.seconds?.toNumber() ?? 0) * 1_000;
    return nowMs - atMs < aliveMs;
  }).length;
}
