import { setTimeout } from 'node:timers/promises';
import type { Part } from './part.ts';

/** Keeps programs running: starts them in order, starts again what dies, stops all in reverse order. */
export interface Supervisor {
  /** Starts a program and from then on keeps it alive. */
  run<P extends Part>(name: string, start: () => Promise<P>): Promise<P>;
  /** Ends the program and starts it again, for `npm run dev`. */
  restart(name: string): Promise<void>;
  stop(): Promise<void>;
}

interface Kept {
  name: string;
  part: Part;
  restarts: number;
  start: () => Promise<Part>;
}

const firstPauseMs = 200;
const longestPauseMs = 10_000;
const firstStartTries = 3;
/** A program that lived so long died of something new: the pauses begin anew. */
const stableMs = 60_000;

/** How long to wait before starting a program for the nth time in a row. */
export function pauseMs(failures: number): number {
  return Math.min(firstPauseMs * 2 ** (failures - 1), longestPauseMs);
}

/** A supervisor that tells of every death, and of every change of processes to `onChange`. */
export function createSupervisor(options: {
  say(line: string): void;
  onChange(parts: { name: string; pid: number; restarts: number }[]): Promise<void>;
}): Supervisor {
  const { say } = options;
  const kept: Kept[] = [];
  const stopping = new AbortController();
  const changed = () =>
    options.onChange(kept.map(({ name, part, restarts }) => ({ name, pid: part.pid, restarts })));

  async function run<P extends Part>(name: string, start: () => Promise<P>): Promise<P> {
    const part = await firstStart(name, start);
    const entry: Kept = { name, part, restarts: 0, start };
    kept.push(entry);
    void keepAlive(entry);
    await changed();
    return part;
  }

  /** What a killed start left behind may take a moment to go; a real obstacle stays. */
  async function firstStart<P extends Part>(name: string, start: () => Promise<P>): Promise<P> {
    for (let failures = 1; ; failures++) {
      try {
        return await start();
      } catch (error) {
        if (failures === firstStartTries || stopping.signal.aborted) throw error;
        say(`${name} did not start; trying again`);
        await setTimeout(pauseMs(failures + 2));
      }
    }
  }

  async function keepAlive(entry: Kept): Promise<void> {
    let failures = 0;
    let startedMs = performance.now();
    for (;;) {
      const how = await entry.part.ended;
      if (stopping.signal.aborted) return;
      failures = performance.now() - startedMs > stableMs ? 1 : failures + 1;
      say(`${entry.name} ${how}; starting it again`);
      const next = await startAgain(entry, failures);
      if (!next) return;
      entry.part = next;
      entry.restarts += 1;
      startedMs = performance.now();
      say(`${entry.name} is back`);
      await changed();
    }
  }

  /** Tries until it runs; null when all is being stopped. */
  async function startAgain(entry: Kept, before: number): Promise<Part | null> {
    for (let failures = before; ; failures++) {
      await setTimeout(pauseMs(failures), undefined, { signal: stopping.signal }).catch(
        () => undefined,
      );
      if (stopping.signal.aborted) return null;
      try {
        const part = await entry.start();
        if (!stopping.signal.aborted) return part;
        await part.stop();
        return null;
      } catch (error) {
        say(
          `${entry.name} did not start: ${error instanceof Error ? error.message : String(error)}`,
        );
      }
    }
  }

  return {
    run,
    restart: async (name) => {
      await kept.find((entry) => entry.name === name)?.part.stop();
    },
    stop: async () => {
      stopping.abort();
      for (const { part } of kept.toReversed()) await part.stop();
    },
  };
}
