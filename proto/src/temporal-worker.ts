import { setTimeout } from 'node:timers/promises';
import {
  type ActivityInterceptorsFactory,
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import { systemClock } from './clock.ts';
import { histogram, secondsSince } from './metrics.ts';
import type { Logger } from './process.ts';
import type { HealthCheck } from './rpc.ts';
import { headersPlace } from './temporal-trace.ts';
import { type Polled, pollersOf } from './temporal-pollers.ts';
import { inSpan } from './tracing.ts';

const activitySeconds = histogram({
  name: 'perch_activity_seconds',
  help: 'Activities that this worker ran, by how they ended: ok or failed.',
  labels: ['activity', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
});

/** A Temporal worker of this process. */
export interface RunningWorker {
  /** Settles when the worker ends; rejects when it broke, and then the process can not go on. */
  ended: Promise<void>;
  /** Whether Temporal answers, and whether anyone, we or a replica, polls this worker's queue. */
  checks(): Promise<HealthCheck[]>;
  /** Finishes the tasks in hand, then ends. */
  stop(): Promise<void>;
}

const connectAgainMs = 1_000;

/** Runs a worker from the moment that Temporal is there; a service need not wait for it to serve. */
export function startWorker(
  temporal: { address: string; namespace: string },
  log: Logger,
  /** `name`: what the check of its pollers is called. */
  { name, kind, ...options }: Omit<WorkerOptions, 'connection' | 'namespace'> & Polled & { name: string },
): RunningWorker {
  Runtime.install(runtimeOptions(log));
  const stopping = new AbortController();
  let worker: Worker | undefined;
  let connected: NativeConnection | undefined;
  const ended = (async () => {
    const connection = await connect(temporal.address, log, stopping.signal);
    if (!connection) return;
    connected = connection;
    worker = await Worker.create({
      ...options,
      connection,
      namespace: temporal.namespace,
      interceptors: { activity: [traced] },
    });
    const running = worker.run().finally(() => connection.close());
    if (stopping.signal.aborted) worker.shutdown();
    await running;
  })();
  return {
    ended,
    checks: () => checksOf({ name, connected, namespace: temporal.namespace, polled: { taskQueue: options.taskQueue, kind } }),
    stop: async () => {
      stopping.abort();
      if (worker?.getState() === 'RUNNING') worker.shutdown();
      await ended;
    },
  };
}

/** A check that takes longer has failed. */
const checkTimeoutMs = 2_000;

async function checksOf(of: {
  name: string;
  connected: NativeConnection | undefined;
  namespace: string;
  polled: Polled;
}): Promise<HealthCheck[]> {
  const { name, connected, namespace, polled } = of;
  const away = (why: string) => [{ name: 'temporal', ok: false, detail: `does not answer: ${why}` }];
  if (!connected) return away('not connected yet');
  try {
    // gRPC tells its deadlines by the machine's clock.
    const alive = await connected.withDeadline(systemClock() + checkTimeoutMs, () =>
      pollersOf(connected, namespace, polled, systemClock()),
    );
    const nobody = `nobody polls ${polled.taskQueue}: nothing is published; start its service`;
    const detail = alive > 0 ? `${alive} polling` : nobody;
    return [
      { name: 'temporal', ok: true, detail: 'answers' },
      { name, ok: alive > 0, detail },
    ];
  } catch (error) {
    return away(error instanceof Error ? error.message : String(error));
  }
}

/** Each activity is a step of the trace that its workflow was started in. */
const traced: ActivityInterceptorsFactory = ({ info }) => ({
  inbound: {
    execute: async (input, next) => {
      const startedMs = performance.now();
      const step = {
        name: info.activityType,
        kind: 'takes_up' as const,
        attributes: {
          ...postOf(input.args[0]),
          'perch.workflow_id': info.workflowExecution?.workflowId ?? '',
          'perch.attempt': info.attempt,
        },
        parent: headersPlace(input.headers),
      };
      let outcome = 'failed';
      try {
        const result = await inSpan(step, () => next(input));
        outcome = 'ok';
        return result;
      } finally {
        const labels = { activity: info.activityType, outcome };
        activitySeconds.observe(labels, secondsSince(startedMs));
      }
    },
  },
});

function postOf(input: unknown): { 'perch.post_id'?: string } {
  if (typeof input !== 'object' || input === null || !('post_id' in input)) return {};
  return { 'perch.post_id': String(input.post_id) };
}

/** The connection, once Temporal takes it; null when stopped before. */
async function connect(
  address: string,
  log: Logger,
  signal: AbortSignal,
): Promise<NativeConnection | null> {
  while (!signal.aborted) {
    try {
      return await NativeConnection.connect({ address });
    } catch (err) {
      log.warn({ err }, 'Temporal can not be reached; trying again');
      await setTimeout(connectAgainMs, undefined, { signal }).catch(() => undefined);
    }
  }
  return null;
}

/** The SDK's own log, in ours. */
function runtimeOptions(log: Logger) {
  const levels = {
    TRACE: 'trace',
    DEBUG: 'debug',
    INFO: 'debug',
    WARN: 'info',
    ERROR: 'error',
  } as const;
  return {
    logger: new DefaultLogger('INFO', ({ level, message, meta }) =>
      log[levels[level]](meta ?? {}, message),
    ),
    telemetryOptions: {
      logging: { forward: {}, filter: makeTelemetryFilterString({ core: 'WARN', other: 'WARN' }) },
    },
  };
}
