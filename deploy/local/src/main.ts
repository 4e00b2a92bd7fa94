import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { SettingsError } from '@perch/proto/settings';
import { readConfig } from './config.ts';
import { firstRun } from './first-run.ts';
import { claimHome, releaseHome } from './run-state.ts';
import { type Stack, startStack } from './stack.ts';
import { watchSources } from './watch.ts';

const say = (line: string) => process.stdout.write(`${line}\n`);
const startedMs = performance.now();

process.exitCode = await main().catch((error: unknown) => {
  const clear = error instanceof SettingsError || !process.env['PERCH_DEBUG'];
  say(clear && error instanceof Error ? error.message : String((error as Error)?.stack ?? error));
  return 1;
});
process.exit();

async function main(): Promise<number> {
  const config = readConfig(process.env);
  await mkdir(config.home, { recursive: true });
  const other = await claimHome(config.home, say);
  if (other) {
    say(`Perch runs already on this folder, at ${other.gatewayUrl} (process ${other.pid}).`);
    return 1;
  }
  const stopped = untilStopped();
  let stack: Stack | null = null;
  try {
    stack = await startStack(config, say);
    if (!config.databaseUrl) await firstRun({ ...config, ...stack, say });
    if (process.argv.includes('--watch')) watchSources({ restart: stack.restart, say });
    say(
      `Perch is up at ${stack.gatewayUrl} after ${((performance.now() - startedMs) / 1000).toFixed(1)} s.`,
    );
    say(
      `  docs ${stack.gatewayUrl}/docs   operators ${stack.operatorsUrl}   state ${config.home}   logs ${join(config.home, 'logs')}   stop with Ctrl-C`,
    );
    await stopped;
    say('stopping');
  } finally {
    await stack?.stop();
    await releaseHome(config.home);
  }
  say('stopped');
  return 0;
}

/** Resolves at the first Ctrl-C or SIGTERM; a second one ends at once. */
function untilStopped(): Promise<void> {
  return new Promise((resolve) => {
    let asked = false;
    for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
      process.on(signal, () => {
        if (asked) process.exit(1);
        asked = true;
        resolve();
      });
    }
  });
}
