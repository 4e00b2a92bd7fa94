import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, copyFile, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

const run = promisify(execFile);
const pins = fileURLToPath(new URL('engine/', import.meta.url));
const installTimeoutMs = 600_000;

/**
 * The folder that has Bluesky's own servers (personal data server, directory, index), kept in the user's cache
 * beside the engines; installed once from npm, whole or not at all, in half a minute. Nothing is compiled: the pinned SQLite brings
 * its binaries (and an older one brings Node 24 down when it collects garbage).
 */
export async function blueskyEngine(
  cacheDir: string,
  say: (line: string) => void,
): Promise<string> {
  const lock = await readFile(join(pins, 'package-lock.json'), 'utf8');
  const hash = createHash('sha256').update(lock).digest('hex').slice(0, 8);
  const version = /"node_modules\/@atproto\/dev-env": \{\s+"version": "([^"]+)"/.exec(lock)?.[1];
  const { platform, arch } = process;
  const home = join(cacheDir, 'engines', `bluesky-${version}-${hash}-${platform}-${arch}`);
  if (await exists(home)) return home;
  await mkdir(dirname(home), { recursive: true });
  const work = await mkdtemp(`${home}.`);
  try {
    for (const name of ['package.json', 'package-lock.json'])
      await copyFile(join(pins, name), join(work, name));
    say(`bluesky ${version}: installing its servers from npm, once`);
    await npm(['ci', '--ignore-scripts', '--omit=dev', '--no-audit', '--no-fund'], work);
    // Without its binary for this platform, it shows only now.
    await run(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:')"], {
      cwd: work,
    });
    // Whoever else got it meanwhile got the same; theirs may stay.
    await rename(work, home).catch(() => undefined);
    return home;
  } catch (cause) {
    const why = cause instanceof Error ? cause.message.slice(0, 2_000) : String(cause);
    throw new Error(`Bluesky's servers could not be installed: ${why}`, { cause });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

async function npm(args: string[], cwd: string): Promise<void> {
  await run('npm', args, {
    cwd,
    timeout: installTimeoutMs,
    maxBuffer: 64_000_000,
    env: {
      ...outside(process.env),
      // npm runs by the Node that will run what it installs.
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
    },
  });
}

/** Without what `npm test` tells its children, which would make npm work on our own packages. */
function outside(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_|^INIT_CWD$/.test(name)));
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
