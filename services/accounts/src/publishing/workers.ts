import { graceOf, type WorkerSettings } from '@perch/proto/temporal-worker';
import { type PlatformActivities, taskQueues } from '@perch/proto/workflows';

/**
 * The workers that talk to platforms: one for posts, one for what follows them up, each with slots of its own. A
 * post never waits for replies, of whatever account; and of one account at most a day's posts are sent at once.
 */
export function platformWorkers(all: PlatformActivities, stopTimeoutMs: number): WorkerSettings[] {
  // Both can do all, for a task may have been given to the other queue by an earlier version.
  const activities = { ...all };
  const shutdownGraceTime = graceOf(stopTimeoutMs);
  return [
    {
      checkName: 'platform workers',
      taskQueue: taskQueues.platforms,
      activities,
      maxConcurrentActivityTaskExecutions: 100,
      // A waiting poller takes a task straight from the server's hand; else the task goes through its database.
      activityTaskPollerBehavior: { type: 'autoscaling', initial: 10, minimum: 5, maximum: 50 },
      shutdownGraceTime,
    },
    {
      checkName: 'follow-up workers',
      taskQueue: taskQueues.followUps,
      activities,
      maxConcurrentActivityTaskExecutions: 50,
      activityTaskPollerBehavior: { type: 'autoscaling', initial: 2, minimum: 1, maximum: 10 },
      shutdownGraceTime,
    },
  ];
}
