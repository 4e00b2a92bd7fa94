import { fileURLToPath } from 'node:url';
import type { Logger } from '@perch/proto/process';
import {
  graceOf,
  type RunningWorkers,
  startWorkers,
  type WorkerSettings,
} from '@perch/proto/temporal-worker';
import { taskQueues } from '@perch/proto/workflows';
import type { WebhookActivities } from '../webhooks/deliver.ts';
import type { PostActivities } from './activities.ts';

/** Runs the post workflows of the bundle that `npm run build` made, and their local activities. */
export function startPostWorker(options: {
  temporal: { address: string; namespace: string };
  activities: PostActivities & WebhookActivities;
  /** Workflows kept in memory. */
  cachedWorkflows: number;
  stopTimeoutMs: number;
  log: Logger;
}): RunningWorkers {
  const worker: WorkerSettings = {
    checkName: 'post workers',
    taskQueue: taskQueues.posts,
    workflowBundle: {
      codePath: fileURLToPath(new URL('../../dist/workflows.js', import.meta.url)),
    },
    activities: { ...options.activities },
    maxCachedWorkflows: options.cachedWorkflows,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentLocalActivityExecutions: 100,
    workflowTaskPollerBehavior: { type: 'autoscaling', initial: 10, minimum: 5, maximum: 50 },
    shutdownGraceTime: graceOf(options.stopTimeoutMs),
  };
  return startWorkers(options.temporal, options.log, [worker]);
}
