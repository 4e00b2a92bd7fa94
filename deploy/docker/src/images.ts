import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { build } from '@perch/local/build';
import { type Deployable, deployables, writeTree } from './tree.ts';

const run = promisify(execFile);
const repo = fileURLToPath(new URL('../../../', import.meta.url));
const dockerfile = join(repo, 'deploy/docker/Dockerfile');

/**
 * Builds the image of a deployable and returns its name. `offline` needs no image to begin with: the files come from this checkout, and what Node is linked to from this machine.
 */
export async function buildImage(
  deployable: Deployable,
  options: { docker: string; tag: string; offline: boolean; say(line: string): void },
): Promise<string> {
  const image = `perch/${basename(deployable)}:${options.tag}`;
  const args = ['--build-arg', `DEPLOYABLE=${deployable}`, '--build-arg', `VERSION=${options.tag}`];
  const { stdout: revision } = await run('git', ['-C', repo, 'rev-parse', 'HEAD']).catch(() => ({
    stdout: 'unknown',
  }));
  args.push('--build-arg', `REVISION=${revision.trim()}`);
  options.say(`${image}: building`);
  if (!options.offline) {
    await docker(options.docker, ['build', '-f', dockerfile, ...args, '-t', image, repo]);
    return image;
  }
  const work = await mkdtemp(join(tmpdir(), 'perch-image-'));
  try {
    const tree = `perch/${basename(deployable)}-tree:${options.tag}`;
    await build();
    await writeTree(deployable, join(work, 'tree'));
    await writeFile(join(work, 'Dockerfile'), 'FROM scratch\nCOPY tree /\n');
    await docker(options.docker, ['build', '-t', tree, work]);
    await rm(join(work, 'tree'), { recursive: true });
    // All that this needs comes from the tree's image; so nothing else need be sent to the engine.
    await writeFile(join(work, 'Dockerfile'), await readFile(dockerfile));
    const from = ['--build-arg', `TREE=${tree}`];
    await docker(options.docker, ['build', ...args, ...from, '-t', image, work]);
    await run(options.docker, ['image', 'rm', tree]);
    return image;
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

/** BuildKit is what leaves out the stages that nothing asks for. */
async function docker(program: string, args: string[]): Promise<void> {
  const env = { ...process.env, DOCKER_BUILDKIT: '1' };
  const child = spawn(program, args, { env, stdio: ['ignore', 'pipe', 'pipe'] });
  let said = '';
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      said = (said + String(chunk)).slice(-4_000);
    });
  const [code] = await once(child, 'exit');
  if (code !== 0) throw new Error(`${program} ${args[0]} failed:\n${said}`);
}

if (process.argv[1] && basename(process.argv[1]) === 'images.ts') {
  const offline = process.argv.includes('--offline');
  const say = (line: string) => process.stdout.write(`${line}\n`);
  for (const deployable of deployables)
    await buildImage(deployable, { docker: 'docker', tag: '0.1.0', offline, say });
}
