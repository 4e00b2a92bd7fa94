import { setTimeout } from 'node:timers/promises';
import {
  DefaultLogger,
  makeTelemetryFilterString,
  NativeConnection,
  Runtime,
  Worker,
  type WorkerOptions,
} from '@temporalio/worker';
import type { Logger } from './process.ts';

/** What a worker is made of, but for the server that it works for. */
export type WorkerSettings = Omit<WorkerOptions, 'connection' | 'namespace'>;

/** The Temporal workers of this process. */
export interface RunningWorkers {
  /** Settles when they end; rejects when one broke, and then the process can not go on. */
  ended: Promise<void>;
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
  const ended = (async () => {
    const connection = await connect(temporal.address, log, stopping.signal);
    if (!connection) return;
    const { namespace } = temporal;
    for (const options of each)
      workers.push(await Worker.create({ ...options, connection, namespace }));
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
    stop: async () => {
      stopping.abort();
      shutDown(workers);
      await ended;
    },
  };
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
