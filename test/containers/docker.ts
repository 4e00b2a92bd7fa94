import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { GenericContainer, type StartedTestContainer, Wait } from 'testcontainers';

const run = promisify(execFile);

/** A `docker` that can build with BuildKit: newer ones need buildx for it; null where no engine answers. */
export async function findDocker(): Promise<string | null> {
  const env = { ...process.env, DOCKER_BUILDKIT: '1' };
  for (const program of ['docker', '/usr/bin/docker']) {
    const works = await run(program, ['build', '--help'], { env })
      .then(() => run(program, ['info']))
      .then(
        () => true,
        () => false,
      );
    if (works) return program;
  }
  return null;
}

/** A container as the chart runs it: nothing to write on but /tmp, and nothing that root may. */
class LockedContainer extends GenericContainer {
  constructor(image: string) {
    super(image);
    this.hostConfig = { ...this.hostConfig, ReadonlyRootfs: true };
    this.withTmpFs({ '/tmp': 'rw,mode=1777' })
      .withDroppedCapabilities('ALL')
      .withSecurityOpt('no-new-privileges')
      // The engines are on this machine's loopback.
      .withNetworkMode('host');
  }
}

/** What is run of an image. */
export interface Job {
  image: string;
  env: Record<string, string>;
  command?: string[];
  onLine(line: string): void;
}

/** Starts a process and leaves it running. */
export function startContainer(job: Job): Promise<StartedTestContainer> {
  return containerOf(job).start();
}

/** Runs a command to its end; rejects when it fails. */
export async function runToEnd(job: Job): Promise<void> {
  await containerOf(job).withWaitStrategy(Wait.forOneShotStartup()).start();
}

function containerOf({ image, env, command, onLine }: Job): GenericContainer {
  const container = new LockedContainer(image)
    .withEnvironment(env)
    .withLogConsumer((stream) => stream.on('data', (line) => onLine(`${image}: ${String(line)}`)));
  return command ? container.withCommand(command) : container;
}
