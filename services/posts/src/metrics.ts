import { systemClock } from '@perch/proto/clock';
import { counter, gauge, histogram } from '@perch/proto/metrics';
import { pollersOf } from '@perch/proto/temporal-pollers';
import { taskQueues } from '@perch/proto/workflows';
import type { Client } from '@temporalio/client';
import { readBacklog } from './backlog.ts';

/** How late the first tweet of a live post stood, in seconds after it was due. */
export const lateness = histogram({
  name: 'perch_post_lateness_seconds',
  help: 'How late the first tweet of a post stood on its platform, from when it was due.',
  buckets: [0.1, 0.25, 0.5, 1, 2, 5, 10, 30, 60, 300, 3_600],
});

/** Posts that came to their end, by status and failure code. */
export const ended = counter({
  name: 'perch_posts_ended_total',
  help: 'Posts that were posted or failed, by failure code.',
  labels: ['status', 'code'],
});

/** Reads a backlog once for all gauges of one scrape. */
const readEveryMs = 1_000;
const askTimeoutMs = 1_500;

/** Makes gauges of what waits though it should not. Every replica tells the same; take the maximum. */
export function countBacklog(
  deps: Parameters<typeof readBacklog>[0] & { temporal: Client; namespace: string },
): void {
  let read: ReturnType<typeof readBacklog> | undefined;
  const backlog = () => {
    if (!read) {
      read = readBacklog(deps);
      setTimeout(() => {
        read = undefined;
      }, readEveryMs).unref();
    }
    return read;
  };
  const seconds = (ms: number) => [{ value: ms / 1_000 }];
  gauge(
    { name: 'perch_posts_overdue', help: 'Scheduled posts that are a minute late.' },
    async () => [{ value: (await backlog()).overdue }],
  );
  gauge(
    { name: 'perch_posts_overdue_oldest_seconds', help: 'How late the latest of them is.' },
    async () => seconds((await backlog()).overdueOldestMs),
  );
  gauge({ name: 'perch_posts_publishing', help: 'Posts that are being sent.' }, async () => [
    { value: (await backlog()).publishing },
  ]);
  gauge(
    { name: 'perch_posts_publishing_oldest_seconds', help: 'How late the latest of them is.' },
    async () => seconds((await backlog()).publishingOldestMs),
  );
  gauge(
    {
      name: 'perch_posts_unarmed_oldest_seconds',
      help: 'How long a post within the horizon has been without a workflow.',
    },
    async () => seconds((await backlog()).unarmedOldestMs),
  );
  gauge(
    { name: 'perch_webhook_outbox', help: 'Events not handed on to webhooks yet.' },
    async () => [{ value: (await backlog()).outbox }],
  );
  gauge(
    { name: 'perch_webhook_outbox_oldest_seconds', help: 'How old the oldest of them is.' },
    async () => seconds((await backlog()).outboxOldestMs),
  );
  const charges =
    'Posts whose charge does not fit, until it does: posted uncharged, charged unposted.';
  gauge({ name: 'perch_charge_mismatches', help: charges, labels: ['kind'] }, async () => {
    const { postedUncharged, chargedUnposted } = await backlog();
    return [
      { labels: { kind: 'posted_uncharged' }, value: postedUncharged },
      { labels: { kind: 'charged_unposted' }, value: chargedUnposted },
    ];
  });
  const workers = 'Workers that poll a Temporal task queue.';
  gauge({ name: 'perch_pollers', help: workers, labels: ['queue'] }, () => readPollers(deps));
}

function readPollers(deps: { temporal: Client; namespace: string }) {
  const queues = [
    { taskQueue: taskQueues.posts, kind: 'workflows' },
    { taskQueue: taskQueues.platforms, kind: 'activities' },
    { taskQueue: taskQueues.followUps, kind: 'activities' },
  ] as const;
  const { connection } = deps.temporal;
  // gRPC tells its deadlines by the machine's clock.
  return connection.withDeadline(systemClock() + askTimeoutMs, () =>
    Promise.all(
      queues.map(async (polled) => ({
        labels: { queue: polled.taskQueue },
        value: await pollersOf(connection, deps.namespace, polled, systemClock()),
      })),
    ),
  );
}
