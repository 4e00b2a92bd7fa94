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
 * beside the engines; installed once from npm, whole or not at all, in about two minutes.
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
    say(`bluesky ${version}: building SQLite for it, about a minute, once`);
    await npm(['rebuild', 'better-sqlite3', '--foreground-scripts'], work);
    // The wrong headers show only now.
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
  const headers = await nodeHeaders();
  await run('npm', args, {
    cwd,
    timeout: installTimeoutMs,
    maxBuffer: 64_000_000,
    env: {
      ...outside(process.env),
      // npm and what it builds run by the Node that will load it.
      PATH: [dirname(process.execPath), process.env['PATH']].join(delimiter),
      ...(headers && { npm_config_nodedir: headers }),
    },
  });
}

/** Without what `npm test` tells its children, which would make npm work on our own packages. */
function outside(env: NodeJS.ProcessEnv): NodeJS.ProcessEnv {
  return Object.fromEntries(Object.entries(env).filter(([name]) => !/^npm_|^INIT_CWD$/.test(name)));
}

/** Where the C headers of this very Node are, so that nothing is built against another; null: npm fetches them. */
async function nodeHeaders(): Promise<string | null> {
  const own = dirname(dirname(process.execPath));
  const { platform, arch } = process;
  const packaged = join(own, 'node_modules', `node-${platform}-${arch}`);
  for (const folder of [own, packaged])
    if (await exists(join(folder, 'include', 'node', 'node.h'))) return folder;
  return null;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
