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

/** A Temporal worker of this process. */
export interface RunningWorker {
  /** Settles when the worker ends; rejects when it broke, and then the process can not go on. */
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

/** Runs a worker from the moment that Temporal is there; a service need not wait for it to serve. */
export function startWorker(
  temporal: { address: string; namespace: string },
  log: Logger,
  options: Omit<WorkerOptions, 'connection' | 'namespace'>,
): RunningWorker {
  Runtime.install(runtimeOptions(log));
  const stopping = new AbortController();
  let worker: Worker | undefined;
  const ended = (async () => {
    const connection = await connect(temporal.address, log, stopping.signal);
    if (!connection) return;
    worker = await Worker.create({ ...options, connection, namespace: temporal.namespace });
    const running = worker.run().finally(() => connection.close());
    if (stopping.signal.aborted) worker.shutdown();
    await running;
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
