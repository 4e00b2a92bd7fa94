import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Logger } from '@perch/proto/process';
import { taskQueues } from '@perch/proto/workflows';
import { NativeConnection, Worker } from '@temporalio/worker';
import type { PostActivities } from './activities.ts';

/** The worker of this process, running until it is stopped. */
export interface PostWorker {
  /** Settles when the worker ends; rejects when it broke. */
  ended: Promise<void>;
  /** Finishes the tasks in hand, then ends. */
  stop(): Promise<void>;
}

interface Options {
  temporal: { address: string; namespace: string };
  activities: PostActivities;
  /** Workflows kept in memory. */
  cachedWorkflows: number;
  log: Logger;
}

const connectAgainMs = 1_000;

/** Runs the post workflows of the bundle that `npm run build` made, as soon as Temporal is there. */
export function startWorker(options: Options): PostWorker {
  const stopping = new AbortController();
  let worker: Worker | undefined;
  const ended = (async () => {
    const connection = await connect(options, stopping.signal);
    if (!connection) return;
    worker = await createWorker(connection, options);
    if (stopping.signal.aborted) worker.shutdown();
    await worker.run().finally(() => connection.close());
  })();
  return {
    ended,
    stop: async () => {
      stopping.abort();
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

/** The connection, once Temporal takes it; null when stopped before. */
async function connect(options: Options, signal: AbortSignal): Promise<NativeConnection | null> {
  const { temporal, log } = options;
  while (!signal.aborted) {
    try {
      return await NativeConnection.connect({ address: temporal.address });
    } catch (err) {
      log.warn({ err }, 'Temporal can not be reached; trying again');
      await setTimeout(connectAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

function createWorker(connection: NativeConnection, options: Options): Promise<Worker> {
  return Worker.create({
    connection,
    namespace: options.temporal.namespace,
    taskQueue: taskQueues.posts,
    workflowBundle: {
      codePath: fileURLToPath(new URL('../../dist/workflows.js', import.meta.url)),
    },
    activities: { ...options.activities },
    maxCachedWorkflows: options.cachedWorkflows,
    maxConcurrentWorkflowTaskExecutions: 40,
    maxConcurrentLocalActivityExecutions: 100,
    shutdownGraceTime: '8s',
  });
}
