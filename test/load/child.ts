import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';

/** Runs a script of this folder as a process; returns the first thing that it says. */
export async function startChild(
  script: string,
  argument: string,
): Promise<{ said: unknown; stop(): Promise<void> }> {
  const child: ChildProcess = fork(fileURLToPath(new URL(script, import.meta.url)), [argument]);
  const [said] = await once(child, 'message');
  return {
    said,
    stop: async () => {
      const ended = once(child, 'exit');
      child.kill('SIGKILL');
      await ended;
    },
  };
}
