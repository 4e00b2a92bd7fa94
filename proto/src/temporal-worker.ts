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
import { inTime } from './in-time.ts';
import { histogram, secondsSince } from './metrics.ts';
import type { Logger } from './process.ts';
import type { HealthCheck } from './rpc.ts';
import { pollersOf } from './temporal-pollers.ts';
import { headersPlace } from './temporal-trace.ts';
import { inSpan } from './tracing.ts';

const activitySeconds = histogram({
  name: 'perch_activity_seconds',
  help: 'Activities that this worker ran, by how they ended: ok or failed.',
  labels: ['activity', 'outcome'],
  buckets: [0.01, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10, 30, 120],
});

/** What a worker is made of, but for the server that it works for. */
export type WorkerSettings = Omit<WorkerOptions, 'connection' | 'namespace'> & {
  /** What the check of its pollers is called. */
  checkName: string;
};

/** The Temporal workers of this process. */
export interface RunningWorkers {
  /** Settles when they end; rejects when one broke, and then the process can not go on. */
  ended: Promise<void>;
  /** Whether Temporal answers, and whether anyone, we or a replica, polls the queues of these workers. */
  checks(): Promise<HealthCheck[]>;
  /** Finishes the tasks in hand, then ends. */
  stop(): Promise<void>;
}

const connectAgainMs = 1_000;
/** What is left of a stop for letting go of connections, when tasks in hand have had their time. */
const closingMs = 4_000;

/** How long tasks in hand may go on when their process is told to stop within `stopTimeoutMs`. */
export function graceOf(stopTimeoutMs: number): number {
  return Math.max(1_000, stopTimeoutMs - closingMs);
}

/** Runs workers from the moment that Temporal is there; a service need not wait for it to serve. Once per process. */
export function startWorkers(
  temporal: { address: string; namespace: string },
  log: Logger,
  each: WorkerSettings[],
): RunningWorkers {
  Runtime.install(runtimeOptions(log));
  const stopping = new AbortController();
  const workers: Worker[] = [];
  let connected: NativeConnection | undefined;
  const ended = (async () => {
    const connection = await connect(temporal.address, log, stopping.signal);
    if (!connection) return;
    connected = connection;
    const { namespace } = temporal;
    const interceptors = { activity: [traced] };
    for (const { checkName: _, ...options } of each)
      workers.push(await Worker.create({ ...options, connection, namespace, interceptors }));
    try {
      const running = workers.map((worker) => worker.run());
      if (stopping.signal.aborted) shutDown(workers);
      // When one breaks, the others finish what they have in hand.
      await Promise.all(running.map((run) => run.catch((error) => giveUp(workers, error))));
    } finally {
      await connection.close();
    }
  })();
  return {
    ended,
    checks: () => checksOf(connected, temporal.namespace, each),
    stop: async () => {
      stopping.abort();
      shutDown(workers);
      await ended;
    },
  };
}

/** A check that takes longer has failed. */
const checkTimeoutMs = 2_000;

async function checksOf(
  connected: NativeConnection | undefined,
  namespace: string,
  each: WorkerSettings[],
): Promise<HealthCheck[]> {
  const away = (why: string) => [
    { name: 'temporal', ok: false, detail: `does not answer: ${why}` },
  ];
  if (!connected) return away('not connected yet');
  try {
    // The connection knows deadlines too, but tries again past them while its server is away.
    const look = () =>
      Promise.all(each.map((settings) => pollersCheck(connected, namespace, settings)));
    const polled = await inTime(look, checkTimeoutMs);
    return [{ name: 'temporal', ok: true, detail: 'answers' }, ...polled];
  } catch (error) {
    return away(error instanceof Error ? error.message : String(error));
  }
}

async function pollersCheck(
  connected: NativeConnection,
  namespace: string,
  settings: WorkerSettings,
): Promise<HealthCheck> {
  const { taskQueue, checkName: name } = settings;
  const kind = settings.workflowBundle ? 'workflows' : 'activities';
  const alive = await pollersOf(connected, namespace, { taskQueue, kind }, systemClock());
  const nobody = `nobody polls ${taskQueue}: its work waits; start its service`;
  return { name, ok: alive > 0, detail: alive > 0 ? `${alive} polling` : nobody };
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

function giveUp(workers: Worker[], error: unknown): never {
  shutDown(workers);
  throw error;
}

function shutDown(workers: Worker[]): void {
  for (const worker of workers) if (worker.getState() === 'RUNNING') worker.shutdown();
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
