import { execFile } from 'node:child_process';
import { chmod, cp, mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { basename, dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { sbomOf } from './sbom.ts';

// Also runs where only Node and npm are: in the first stage of the Dockerfile.
const run = promisify(execFile);
const repo = fileURLToPath(new URL('../../../', import.meta.url));

/** What an image is made for: the folder of its workspace. */
export const deployables = [
  'gateway',
  'services/accounts',
  'services/credits',
  'services/media',
  'services/posts',
] as const;
export type Deployable = (typeof deployables)[number];

/**
 * Writes the whole file tree of a deployable's image to `out`: Node, the workspace and proto without their tests, what
 * `npm run build` made, production dependencies by the lockfile, a CycloneDX SBOM of them, and the system's libraries
 * that Node is linked to, for the image stands on nothing.
 */
export async function writeTree(deployable: Deployable, out: string): Promise<void> {
  const app = join(out, 'app');
  await mkdir(app, { recursive: true });
  await copyManifests(app);
  await installDependencies(deployable, app);
  await pruneForeignBinaries(app);
  for (const room of ['proto', deployable]) await copyRoom(room, app);
  // Apart from the application, so that all images share one layer of it.
  const system = join(out, 'system');
  await copyFile(process.execPath, join(system, 'usr/local/bin/node'));
  await copyLibraries(app, system);
  await mkdir(join(system, 'tmp'));
  await chmod(join(system, 'tmp'), 0o1777);
}

/** The lockfile speaks of every workspace, so npm wants to see them all. */
async function copyManifests(app: string): Promise<void> {
  const { workspaces = [] } = await manifestOf('');
  const folders = await Promise.all(workspaces.map(matching));
  for (const folder of ['', ...folders.flat()]) {
    await mkdir(join(app, folder), { recursive: true });
    await cp(join(repo, folder, 'package.json'), join(app, folder, 'package.json'));
  }
  await cp(join(repo, 'package-lock.json'), join(app, 'package-lock.json'));
}

interface Manifest {
  name: string;
  version: string;
  workspaces?: string[];
  devDependencies?: Record<string, string>;
}

async function manifestOf(folder: string): Promise<Manifest> {
  return JSON.parse(await readFile(join(repo, folder, 'package.json'), 'utf8'));
}

async function matching(pattern: string): Promise<string[]> {
  if (!pattern.endsWith('/*')) return [pattern];
  const parent = pattern.slice(0, -2);
  const entries = await readdir(join(repo, parent), { withFileTypes: true });
  return entries.filter((entry) => entry.isDirectory()).map(({ name }) => `${parent}/${name}`);
}

async function installDependencies(deployable: Deployable, app: string): Promise<void> {
  const { name, version } = await manifestOf(deployable);
  // No script of a dependency runs: none of those that an image needs has anything to do at installation.
  const how = ['--omit=dev', '--ignore-scripts', '--no-audit', '--no-fund'];
  await run('npm', ['ci', ...how, '--workspace', name], { cwd: app, maxBuffer: 64_000_000 });
  // A peer of tRPC for those who write code with it; nothing runs it.
  for (const compiler of ['typescript', '@typescript'])
    await rm(join(app, 'node_modules', compiler), { recursive: true, force: true });
  // The others' manifests have served their purpose.
  for (const entry of await readdir(app, { withFileTypes: true })) {
    if (entry.name !== 'node_modules') await rm(join(app, entry.name), { recursive: true });
  }
  await writeFile(join(app, 'sbom.cdx.json'), await sbomOf(app, { name, version }));
}

/** Temporal's native part comes for every platform at once, 30 MB each. */
async function pruneForeignBinaries(app: string): Promise<void> {
  const releases = join(app, 'node_modules/@temporalio/core-bridge/releases');
  const cpu = process.arch === 'arm64' ? 'aarch64' : 'x86_64';
  for (const name of await readdir(releases).catch(() => [])) {
    if (name !== `${cpu}-unknown-linux-gnu`) await rm(join(releases, name), { recursive: true });
  }
}

async function copyRoom(room: string, app: string): Promise<void> {
  await mkdir(join(app, room), { recursive: true });
  await cp(join(repo, room, 'package.json'), join(app, room, 'package.json'));
  for (const folder of ['src', 'dist', 'dashboard/dist']) {
    await cp(join(repo, room, folder), join(app, room, folder), {
      recursive: true,
      filter: (file) => !/\.test\.ts$|\/histories$/.test(file),
    }).catch((error: NodeJS.ErrnoException) => {
      if (error.code !== 'ENOENT' || folder === 'src') throw error;
    });
  }
}

/** What Node and the native modules are linked to. */
async function copyLibraries(app: string, system: string): Promise<void> {
  const files = await readdir(join(app, 'node_modules'), { recursive: true });
  const native = files.filter((file) => file.endsWith('.node'));
  const { stdout } = await run('ldd', [
    process.execPath,
    ...native.map((file) => join(app, 'node_modules', file)),
  ]);
  for (const [library] of stdout.matchAll(/\/\S+\.so\S*/g))
    await copyFile(library, join(system, relative('/', library)));
}

async function copyFile(from: string, to: string): Promise<void> {
  await mkdir(dirname(to), { recursive: true });
  await cp(from, to, { dereference: true, preserveTimestamps: true });
}

if (process.argv[1] && basename(process.argv[1]) === 'tree.ts') {
  const [, , wanted = '', out = ''] = process.argv;
  const deployable = deployables.find((name) => name === wanted);
  if (!deployable || !out) {
    process.stderr.write(`tree.ts <${deployables.join('|')}> <folder>\n`);
    process.exit(2);
  }
  await writeTree(deployable, out);
}
