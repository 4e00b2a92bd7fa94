import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { Programs } from './engines.ts';
import { type Part, printed, startPart } from './part.ts';

/** A NATS server on loopback that lets in only who has the token. */
export async function startNats(options: {
  programs: Programs;
  dir: string;
  port: number;
  token: string;
  logFile: string;
}): Promise<Part & { url: string }> {
  const { dir, port, token } = options;
  await mkdir(dir, { recursive: true });
  const config = join(dir, 'nats.conf');
  // In a file and not in the arguments, where every user of the machine could read the token.
  await writeFile(config, `listen: "127.0.0.1:${port}"\nauthorization { token: "${token}" }\n`, {
    mode: 0o600,
  });
  const part = await startPart({
    name: 'nats',
    command: options.programs['server'] ?? '',
    args: ['-c', config],
    env: { PATH: process.env['PATH'] ?? '' },
    logFile: options.logFile,
    ready: (child) => printed(child, 'Server is ready'),
    stopSignal: 'SIGTERM',
    stopTimeoutMs: 5_000,
  });
  return { ...part, url: `nats://${token}@127.0.0.1:${port}` };
}
