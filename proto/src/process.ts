import { type Logger, pino } from 'pino';
import { currentCall } from './current-call.ts';
import { withoutSecrets, withoutSecretsInText } from './redaction.ts';
import { SettingsError } from './settings.ts';
import { traceId } from './tracing.ts';

export type { Logger } from 'pino';

/** What a running process hands back so that it can be stopped. */
export interface Running {
  /** Rejects when a part broke that the process can not live without; it then ends with exit code 1. */
  ended?: Promise<void>;
  /** How long a stop may take before the process ends anyway; 12 s unless given. */
  stopTimeoutMs?: number;
  /** Finishes what is in flight and lets go of everything. */
  stop(): Promise<void>;
}

const defaultStopTimeoutMs = 12_000;

/**
 * JSON lines on standard output, each with the request and the trace that it belongs to; secrets are left out,
 * however deep they are.
 */
export function createLogger(name: string, level: string, to?: LogTarget): Logger {
  // Written in blocks, at the latest after a second: a write for each line costs more than the line.
  const destination =
    to ?? pino.destination({ dest: 1, sync: false, minLength: 4_096, periodicFlush: 1_000 });
  const options = {
    name,
    level,
    mixin: whereabouts,
    formatters: { log: withoutSecrets },
    // Errors are plain by then.
    serializers: { err: (told: unknown) => told },
    hooks: { streamWrite: withoutSecretsInText },
  };
  return pino(options, destination);
}

/** Takes each line of a log. */
export interface LogTarget {
  write(line: string): void;
}

/** What a line belongs to; what it says itself goes before. */
function whereabouts(): object {
  const requestId = currentCall()?.requestId;
  const trace = traceId();
  return { ...(requestId && { requestId }), ...(trace && { traceId: trace }) };
}

/** Runs `work` and ends the process: with exit code 0, or with 1 and one clear message. */
export async function runOnce(work: () => Promise<void>): Promise<void> {
  await work().catch(failToStart);
  process.exit(0);
}

function failToStart(error: unknown): never {
  const clear = error instanceof SettingsError;
  process.stderr.write(`${clear ? error.message : ((error as Error)?.stack ?? String(error))}\n`);
  process.exit(1);
}

/**
 * Runs one service from start to stop: tells the parent process when it is ready, stops on SIGTERM,
 * SIGINT or when the parent has died, and ends with exit code 1 and one clear message if it can not start.
 */
export async function runProcess(start: () => Promise<Running>): Promise<void> {
  const running = await start().catch(failToStart);
  let stopping = false;
  const stop = async () => {
    if (stopping) return;
    stopping = true;
    setTimeout(() => process.exit(1), running.stopTimeoutMs ?? defaultStopTimeoutMs).unref();
    await running.stop().catch((error: unknown) => process.stderr.write(`${String(error)}\n`));
    process.exit(0);
  };
  process.once('SIGTERM', () => void stop());
  process.once('SIGINT', () => void stop());
  process.once('disconnect', () => void stop());
  running.ended?.catch((error: unknown) => {
    process.stderr.write(`${error instanceof Error ? error.stack : String(error)}\n`);
    process.exit(1);
  });
  process.send?.({ type: 'ready' });
}
