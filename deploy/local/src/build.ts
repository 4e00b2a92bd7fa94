import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { repoDir } from './config.ts';

/** Builds what must be built before a start, the workflow bundle and the dashboard; at once when nothing has changed. */
export async function build(): Promise<void> {
  const turbo = join(repoDir, 'node_modules/turbo/bin/turbo');
  const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1' };
  await promisify(execFile)(process.execPath, [turbo, 'run', 'build'], {
    cwd: repoDir,
    env,
    maxBuffer: 16_000_000,
  });
}
