import { execFile } from 'node:child_process';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { promisify } from 'node:util';
import { z } from 'zod';

const run = promisify(execFile);

/** What runs, as the CLI and the next start find it in `run.json`. */
export const RunState = z.object({
  pid: z.number(),
  /** A part of the supervisor's command line, to know its process by. */
  marker: z.string(),
  gatewayUrl: z.string(),
  natsUrl: z.string(),
  temporalAddress: z.string(),
  parts: z.record(
    z.string(),
    z.object({ pid: z.number(), marker: z.string(), restarts: z.number() }),
  ),
});
export type RunState = z.infer<typeof RunState>;

/** In the command line of every start, however it was started. */
export const stackMarker = 'deploy/local';

const fileIn = (home: string) => join(home, 'run.json');

/** What runs in `home`, or ran there last and was not tidied up. */
export async function readRunState(home: string): Promise<RunState | null> {
  const text = await readFile(fileIn(home), 'utf8').catch(() => null);
  if (text === null) return null;
  const parsed = RunState.safeParse(JSON.parse(text));
  return parsed.success ? parsed.data : null;
}

/** Whole or not at all: a reader never sees half of it. */
export async function writeRunState(home: string, state: RunState): Promise<void> {
  const next = `${fileIn(home)}.${process.pid}`;
  await writeFile(next, JSON.stringify(state, null, 2), { mode: 0o600 });
  await rename(next, fileIn(home));
}

export async function removeRunState(home: string): Promise<void> {
  await rm(fileIn(home), { force: true });
}

/** Makes this process the only stack of `home`; returns the state of the one that runs already, if it does. */
export async function claimHome(
  home: string,
  say: (line: string) => void,
): Promise<RunState | null> {
  const lock = join(home, 'run.lock');
  for (;;) {
    const claimed = await writeFile(lock, String(process.pid), { flag: 'wx' }).then(
      () => true,
      () => false,
    );
    if (claimed) break;
    const holder = Number(await readFile(lock, 'utf8').catch(() => '0'));
    const state = await readRunState(home);
    if (holder && (await isOurs(holder, stackMarker))) {
      return (
        state ?? {
          pid: holder,
          marker: '',
          gatewayUrl: '',
          natsUrl: '',
          temporalAddress: '',
          parts: {},
        }
      );
    }
    await rm(lock, { force: true });
  }
  const left = await readRunState(home);
  if (left) await stopOrphans(left, say);
  return null;
}

export async function releaseHome(home: string): Promise<void> {
  await removeRunState(home);
  await rm(join(home, 'run.lock'), { force: true });
}

/** Ends what a killed supervisor left behind; two stacks on the same data would be a disaster. */
async function stopOrphans(state: RunState, say: (line: string) => void): Promise<void> {
  // Services first, engines last: the order in which a stop goes.
  for (const [name, { pid, marker }] of Object.entries(state.parts).reverse()) {
    if (!(await isOurs(pid, marker))) continue;
    say(`${name}: still runs from a start that was killed (process ${pid}); ending it`);
    // PostgreSQL takes SIGTERM for "when all have left"; SIGINT is its fast and clean way.
    process.kill(pid, name === 'postgres' ? 'SIGINT' : 'SIGTERM');
    for (let waited = 0; waited < 100 && (await isOurs(pid, marker)); waited++)
      await setTimeout(100);
    if (await isOurs(pid, marker)) process.kill(pid, 'SIGKILL');
  }
}

/** Whether that process lives and is the one we think; a number alone could be anybody's by now. */
export async function isOurs(pid: number, marker: string): Promise<boolean> {
  try {
    process.kill(pid, 0);
    const { stdout } = await run('ps', ['-ww', '-o', 'stat=,command=', '-p', String(pid)]);
    // A zombie has ended; only its parent has not noticed yet.
    return pid !== process.pid && stdout.includes(marker) && !stdout.trimStart().startsWith('Z');
  } catch {
    return false;
  }
}
