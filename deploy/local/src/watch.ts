import { watch as watchFolder } from 'node:fs';
import { join } from 'node:path';
import { build } from './build.ts';
import { repoDir } from './config.ts';
import { type ServiceName, serviceNames } from './services.ts';

/** Editors write in bursts. */
const quietMs = 150;

/** Restarts what runs the source that was changed: one service, or all when it is in proto. */
export function watchSources(options: {
  restart(name: ServiceName | 'gateway'): Promise<void>;
  say(line: string): void;
}): void {
  const rooms = [
    ...serviceNames.map((name) => ({ name, dir: `services/${name}/src` })),
    { name: 'gateway' as const, dir: 'gateway/src' },
  ];
  const all = rooms.map((room) => room.name);
  for (const { name, dir } of rooms) onChange(dir, () => restart([name]));
  onChange('proto/src', () => restart(all));
  // Served from its files: the next load of a page has it.
  onChange('gateway/dashboard/src', () => restart(['dashboard']));

  async function restart(names: (ServiceName | 'gateway' | 'dashboard')[]): Promise<void> {
    try {
      // The workflow bundle and the dashboard are all that is built.
      if (names.includes('posts') || names.includes('dashboard')) await build();
      for (const name of names) if (name !== 'dashboard') await options.restart(name);
    } catch (error) {
      options.say(`not restarted: ${error instanceof Error ? error.message : String(error)}`);
    }
  }
}

function onChange(dir: string, act: () => Promise<void>): void {
  let timer: NodeJS.Timeout | undefined;
  watchFolder(join(repoDir, dir), { recursive: true }, (_, file) => {
    if (file?.endsWith('.test.ts')) return;
    clearTimeout(timer);
    timer = setTimeout(() => void act(), quietMs);
  });
}
