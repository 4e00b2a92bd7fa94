import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { createWriteStream } from 'node:fs';
import { access, constants, copyFile, mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { homedir } from 'node:os';
import { basename, delimiter, join } from 'node:path';
import { Readable, Transform } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { promisify } from 'node:util';
import type { Engine, Platform } from './engine-list.ts';

const run = promisify(execFile);

/** What the search for an engine may use. */
export interface EngineSearch {
  env: Readonly<Record<string, string | undefined>>;
  platform: Platform;
  /** Where engines are kept once they were got. */
  cacheDir: string;
  /** Tells a person what is going on. */
  say(line: string): void;
}

/** Paths of an engine's programs, by our names for them. */
export type Programs = Record<string, string>;

/** A download that gives no byte for so long is given up. */
const stalledMs = 20_000;
const buildTimeoutMs = 40 * 60_000;

/**
 * Finds an engine: the setting, PATH, our cache; else gets it once into the cache: the official release
 * with its checksum verified, else built with Go at the pinned version. Fails with one message of all that was tried.
 */
export async function findEngine(engine: Engine, search: EngineSearch): Promise<Programs> {
  const set = search.env[engine.setting];
  if (set) {
    const programs = await programsIn(set, engine, search);
    if (programs) return programs;
    throw new Error(
      `${engine.setting}=${set} holds no ${Object.values(engine.programs).join(' and ')}`,
    );
  }
  for (const folder of (search.env['PATH'] ?? '').split(delimiter).filter(Boolean)) {
    const programs = await programsIn(folder, engine, search);
    if (programs) return programs;
  }
  const { os, arch } = search.platform;
  const home = join(search.cacheDir, 'engines', `${engine.name}-${engine.version}-${os}-${arch}`);
  const cached = await programsIn(home, engine, search);
  if (cached) return cached;
  return get(engine, home, search);
}

/** The user's cache folder for Perch, as the operating system has it. */
export function defaultCacheDir(env: EngineSearch['env'], platform: Platform): string {
  if (env['XDG_CACHE_HOME']) return join(env['XDG_CACHE_HOME'], 'perch');
  if (platform.os === 'win32') return join(env['LOCALAPPDATA'] ?? homedir(), 'perch');
  return join(homedir(), platform.os === 'darwin' ? 'Library/Caches' : '.cache', 'perch');
}

/** Gets an engine into `home`, whole or not at all. */
async function get(engine: Engine, home: string, search: EngineSearch): Promise<Programs> {
  const { say } = search;
  const tried: string[] = [];
  await mkdir(join(home, '..'), { recursive: true });
  const work = await mkdtemp(`${home}.`);
  try {
    for (const source of [download, build]) {
      try {
        await source(engine, work, search);
        // Whoever else got it meanwhile got the same; theirs may stay.
        await rename(work, home).catch(() => undefined);
        const programs = await programsIn(home, engine, search);
        if (programs) {
          say(`${engine.name} ${engine.version}: ready, kept for next time`);
          return programs;
        }
        tried.push(`${source.name}: it did not contain the programs`);
      } catch (error) {
        tried.push(`${source.name}: ${firstLine(error)}`);
      }
    }
  } finally {
    await rm(work, { recursive: true, force: true });
  }
  throw new Error(
    [
      `${engine.name} ${engine.version} is needed and could not be had:`,
      `  ${engine.setting} is not set; nothing on PATH; nothing in ${home}`,
      ...tried.map((line) => `  ${line}`),
      `Install it yourself and put it on PATH, or name its folder by ${engine.setting}.`,
    ].join('\n'),
  );
}

async function download(engine: Engine, into: string, search: EngineSearch): Promise<void> {
  const release = engine.release(search.platform);
  if (!release) throw new Error('there is no release for this platform');
  search.say(
    `${engine.name} ${engine.version}: not on this machine; downloading its release, once`,
  );
  const sums = await (await fetchOk(release.checksumsUrl)).text();
  const expected = checksumOf(sums, release.file);
  if (!expected) throw new Error(`its checksums do not name ${release.file}`);
  const archive = join(into, release.file);
  const actual = await save(await fetchOk(release.url), archive, (line) =>
    search.say(`${engine.name}: ${line}`),
  );
  if (actual !== expected)
    throw new Error(`the checksum of ${release.file} is wrong; it was thrown away`);
  await run('tar', ['-xzf', archive, '-C', into]);
  await rm(archive);
  for (const program of Object.values(engine.programs))
    await lift(into, executable(program, search.platform));
}

/** The SHA-256 that a checksums file gives for a file. */
export function checksumOf(sums: string, file: string): string | null {
  for (const line of sums.split('\n')) {
    const [sum, name] = line.trim().split(/\s+\*?/);
    if (sum && name && basename(name) === file) return sum.toLowerCase();
  }
  return null;
}

async function fetchOk(url: string): Promise<Response> {
  const response = await fetch(url, { signal: AbortSignal.timeout(buildTimeoutMs) }).catch(
    (error: unknown) => {
      throw new Error(`can not reach ${new URL(url).host} (${firstLine(error)})`);
    },
  );
  if (!response.ok) throw new Error(`${url} answered ${response.status}`);
  return response;
}

/** Streams an answer to a file with a progress line for each tenth; returns its SHA-256. */
async function save(
  response: Response,
  file: string,
  say: (line: string) => void,
): Promise<string> {
  if (!response.body) throw new Error('the download is empty');
  const total = Number(response.headers.get('content-length'));
  const hash = createHash('sha256');
  const stalled = new AbortController();
  let timer = setTimeout(() => stalled.abort(), stalledMs);
  let bytes = 0;
  let tenth = 0;
  const watch = new Transform({
    transform(chunk: Buffer, _encoding, done) {
      clearTimeout(timer);
      timer = setTimeout(() => stalled.abort(), stalledMs);
      hash.update(chunk);
      bytes += chunk.length;
      if (total && Math.floor((bytes * 10) / total) > tenth) {
        tenth = Math.floor((bytes * 10) / total);
        say(`${tenth * 10} % of ${Math.round(total / 1_000_000)} MB`);
      }
      done(null, chunk);
    },
  });
  try {
    await pipeline(Readable.fromWeb(response.body), watch, createWriteStream(file), {
      signal: stalled.signal,
    });
  } finally {
    clearTimeout(timer);
  }
  return hash.digest('hex');
}

async function build(engine: Engine, into: string, search: EngineSearch): Promise<void> {
  await run('go', ['version']).catch(() => {
    throw new Error('Go is not installed');
  });
  search.say(`${engine.name} ${engine.version}: building it with Go, ${engine.buildTakes}, once`);
  const names = Object.values(engine.programs);
  for (const [index, module] of engine.go.entries()) {
    await run('go', ['install', module], {
      env: { ...search.env, GOBIN: into },
      timeout: buildTimeoutMs,
      maxBuffer: 64_000_000,
    });
    const built = executable(
      basename(module.replace(/@.*/, '').replace(/\/v\d+$/, '')),
      search.platform,
    );
    const name = executable(names[index] ?? built, search.platform);
    if (built !== name) await rename(join(into, built), join(into, name));
  }
}

/** Moves a program to the top of the folder, from wherever the archive had it. */
async function lift(folder: string, program: string): Promise<void> {
  const found = (await readdir(folder, { recursive: true })).find(
    (path) => basename(path) === program,
  );
  if (found && found !== program) await copyFile(join(folder, found), join(folder, program));
}

async function programsIn(
  folder: string,
  engine: Engine,
  search: EngineSearch,
): Promise<Programs | null> {
  const programs: Programs = {};
  for (const [ours, name] of Object.entries(engine.programs)) {
    const path = join(folder, executable(name, search.platform));
    const runnable = await access(path, constants.X_OK).then(
      () => true,
      () => false,
    );
    if (!runnable) return null;
    programs[ours] = path;
  }
  return programs;
}

function executable(name: string, platform: Platform): string {
  return platform.os === 'win32' ? `${name}.exe` : name;
}

function firstLine(error: unknown): string {
  const cause = error instanceof Error && error.cause instanceof Error ? error.cause : error;
  const text = cause instanceof Error ? cause.message : String(cause);
  return text.split('\n')[0] ?? text;
}
