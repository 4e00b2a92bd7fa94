import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { access, mkdir, mkdtemp, readFile, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

const run = promisify(execFile);
const installTimeoutMs = 300_000;
const tooOld = 'import sys; sys.exit(sys.version_info < (3, 11))';

/** A program for tests that comes from PyPI. */
export interface PythonTool {
  name: string;
  /** The file that pins it and all that it needs. */
  requirements: string;
  /** What runs it and ends soon. */
  check: string[];
}

/**
 * The Python that has a tool, kept in the user's cache beside the engines; made once, whole or not at all. Fails with
 * one message that says what to install.
 */
export async function pythonWith(
  { name, requirements, check }: PythonTool,
  cacheDir: string,
  say: (line: string) => void,
): Promise<string> {
  const pins = await readFile(requirements, 'utf8');
  const version = new RegExp(`^${name}==(.+)$`, 'm').exec(pins)?.[1];
  const hash = createHash('sha256').update(pins).digest('hex').slice(0, 8);
  const home = join(cacheDir, 'engines', `${name}-${version}-${hash}`);
  const works = () =>
    run(programIn(home), check).then(
      () => true,
      () => false,
    );
  if (await works()) return programIn(home);
  const python = await findPython(name);
  say(`${name} ${version}: installing it from PyPI, once`);
  await mkdir(join(home, '..'), { recursive: true });
  const work = await mkdtemp(`${home}.`);
  try {
    await run(python, ['-m', 'venv', work], { timeout: installTimeoutMs });
    const install = ['-m', 'pip', 'install', '--quiet', '--disable-pip-version-check'];
    await run(programIn(work), [...install, '-r', requirements], { timeout: installTimeoutMs });
    // What stands there did not work. Whoever else made it meanwhile made the same; theirs may stay.
    if (await exists(home)) await rm(home, { recursive: true, force: true });
    await rename(work, home).catch(() => undefined);
  } catch (cause) {
    const why = cause instanceof Error ? cause.message : String(cause);
    throw new Error(`${name} ${version} could not be installed: ${why}`, { cause });
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  if (!(await works())) throw new Error(`${name} ${version} was installed and does not run`);
  return programIn(home);
}

async function findPython(tool: string): Promise<string> {
  for (const name of ['python3', 'python']) {
    const fits = await run(name, ['-c', tooOld]).then(
      () => true,
      () => false,
    );
    if (fits) return name;
  }
  throw new Error(
    `${tool} needs Python 3.11 or newer, with venv, on PATH as python3; there is none`,
  );
}

function programIn(home: string): string {
  return process.platform === 'win32'
    ? join(home, 'Scripts', 'python.exe')
    : join(home, 'bin', 'python');
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
