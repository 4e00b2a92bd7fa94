import { type ChildProcess, spawn } from 'node:child_process';
import { createWriteStream } from 'node:fs';
import { rename, stat } from 'node:fs/promises';

/** How to run one program of the stack. */
export interface PartSpec {
  name: string;
  command: string;
  args: string[];
  env: Record<string, string>;
  /** Run as this operating system user. */
  as?: { uid: number; gid: number };
  /** All that it prints goes here. */
  logFile: string;
  /** Resolves when it really serves; rejects or hangs when it does not. */
  ready(child: ChildProcess): Promise<void>;
  stopSignal: NodeJS.Signals;
  /** After so long a stop is forced. */
  stopTimeoutMs: number;
  /** Whether it speaks the process contract of `runProcess` (IPC). */
  ipc?: boolean;
  /** Sees each line that it prints. */
  onLine?(line: string): void;
}

/** A program that runs. */
export interface Part {
  name: string;
  pid: number;
  /** Settles when the program has ended, with what a person should know of it. */
  ended: Promise<string>;
  stop(): Promise<void>;
}

const startTimeoutMs = 90_000;
const maxLogBytes = 20_000_000;

/** Starts a program and waits until it serves; fails with the end of its log if it does not. */
export async function startPart(spec: PartSpec): Promise<Part> {
  await rotate(spec.logFile);
  const child = spawn(spec.command, spec.args, {
    env: spec.env,
    ...(spec.as ?? {}),
    // Its own process group, so that Ctrl-C reaches the supervisor alone, which stops all in order.
    detached: true,
    stdio: spec.ipc ? ['ignore', 'pipe', 'pipe', 'ipc'] : ['ignore', 'pipe', 'pipe'],
  });
  const lastLines = keepLog(child, spec);
  const ended = new Promise<string>((resolve) => {
    child.once('error', (error) => resolve(error.message));
    child.once('exit', (code, signal) =>
      resolve(signal ? `ended by ${signal}` : `ended with exit code ${code}`),
    );
  });
  const broke = ended.then((how) => {
    throw new Error(`${spec.name} ${how}\n${lastLines.join('\n')}`);
  });
  // Only interesting until it is ready.
  broke.catch(() => undefined);
  const slow = new Promise<never>((_, reject) => {
    setTimeout(
      () =>
        reject(
          new Error(
            `${spec.name} is not ready after ${startTimeoutMs / 1000} s\n${lastLines.join('\n')}`,
          ),
        ),
      startTimeoutMs,
    ).unref();
  });
  try {
    await Promise.race([spec.ready(child), broke, slow]);
  } catch (error) {
    child.kill('SIGKILL');
    throw error;
  }
  const { pid } = child;
  if (pid === undefined) throw new Error(`${spec.name} has no process`);
  return { name: spec.name, pid, ended, stop: () => stop(child, ended, spec) };
}

async function stop(child: ChildProcess, ended: Promise<string>, spec: PartSpec): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return;
  child.kill(spec.stopSignal);
  const force = setTimeout(() => child.kill('SIGKILL'), spec.stopTimeoutMs);
  await ended;
  clearTimeout(force);
}

/** Writes what the program prints to its log; returns its last lines, kept current. */
function keepLog(child: ChildProcess, spec: PartSpec): string[] {
  const log = createWriteStream(spec.logFile, { flags: 'a', mode: 0o600 });
  const lastLines: string[] = [];
  for (const stream of [child.stdout, child.stderr]) {
    let rest = '';
    stream?.setEncoding('utf8').on('data', (chunk: string) => {
      log.write(chunk);
      const lines = (rest + chunk).split('\n');
      rest = lines.pop() ?? '';
      for (const line of lines) {
        lastLines.push(line.slice(0, 300));
        if (lastLines.length > 8) lastLines.shift();
        spec.onLine?.(line);
      }
    });
  }
  child.once('close', () => log.end());
  return lastLines;
}

/** Resolves when the program prints a line that holds `text`. */
export function printed(child: ChildProcess, text: string): Promise<void> {
  return new Promise((resolve) => {
    for (const stream of [child.stdout, child.stderr]) {
      let seen = '';
      const listen = (chunk: Buffer | string) => {
        seen = (seen + String(chunk)).slice(-4_096);
        if (!seen.includes(text)) return;
        stream?.off('data', listen);
        resolve();
      };
      stream?.on('data', listen);
    }
  });
}

async function rotate(file: string): Promise<void> {
  const size = await stat(file).then(
    (stats) => stats.size,
    () => 0,
  );
  if (size > maxLogBytes) await rename(file, `${file}.1`);
}
