import { readdirSync, readFileSync } from 'node:fs';
import { join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { expect, test } from 'vitest';

const repo = fileURLToPath(new URL('..', import.meta.url));
const rooms = [
  'proto',
  'services/accounts',
  'services/posts',
  'services/credits',
  'services/media',
  'gateway',
  'deploy',
];

/** Every import of every source file, as the path that it leads to or the package that it names. */
function imports(room: string): { file: string; to: string }[] {
  const files = readdirSync(join(repo, room), { recursive: true, encoding: 'utf8' }).filter(
    (path) => path.endsWith('.ts') && !path.includes('node_modules'),
  );
  return files.flatMap((path) => {
    const file = join(repo, room, path);
    const found = readFileSync(file, 'utf8').matchAll(/(?:from|import)\s*\(?\s*'([^']+)'/g);
    return [...found].map(([, to = '']) => ({
      file: relative(repo, file),
      to: to.startsWith('.') ? relative(repo, resolve(file, '..', to)) : to,
    }));
  });
}

// The linter's rules go by names; this goes by where an import really leads.
test.for(rooms)('%s imports its own files and proto, nothing else of ours', (room) => {
  const own = (to: string) =>
    to.startsWith(`${room}/`) || (room === 'deploy' && to.startsWith('@perch/local/'));
  const ours = (to: string) =>
    rooms.some((one) => to.startsWith(`${one}/`)) ||
    to.startsWith('test/') ||
    to.startsWith('@perch/');
  const strays = imports(room).filter(
    ({ to }) => ours(to) && !own(to) && !to.startsWith('@perch/proto/'),
  );
  expect(strays).toEqual([]);
});

test('only the operators’ part of the gateway asks across users', () => {
  const files = [...new Set(imports('gateway').map(({ file }) => file))];
  const askers = files.filter((file) =>
    /[oO]versight|clients\.operators/.test(readFileSync(join(repo, file), 'utf8')),
  );
  expect(askers.filter((file) => !file.startsWith('gateway/src/graphql/'))).toEqual([]);
});

test('only main and configuration files, and tests, read the environment', () => {
  const readers = rooms.flatMap((room) =>
    [...new Set(imports(room).map(({ file }) => file))].filter((file) =>
      readFileSync(join(repo, file), 'utf8').includes('process.env'),
    ),
  );
  const allowed =
    /main\.ts$|migrate\.ts$|config\.ts$|\.test\.ts$|deploy\/local\/src\/(build|nats|postgres|temporal)\.ts$|deploy\/docker\/src\/images\.ts$/;
  expect(readers.filter((file) => !allowed.test(file))).toEqual([]);
});

test('the clock is handed in: business code never asks the machine for the time', () => {
  const askers = ['services', 'gateway'].flatMap((room) =>
    [...new Set(imports(room).map(({ file }) => file))].filter(
      (file) =>
        !file.endsWith('.test.ts') &&
        !file.includes('/workflow/') &&
        /Date\.now\(|new Date\(\)/.test(readFileSync(join(repo, file), 'utf8')),
    ),
  );
  expect(askers).toEqual([]);
});
