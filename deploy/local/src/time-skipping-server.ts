import { execFile } from 'node:child_process';
import { access, chmod, mkdir, mkdtemp, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { EngineSearch } from './engines.ts';

const run = promisify(execFile);
const version = '1.32.1';
const jars = [`io.temporal:temporal-test-server:${version}`, 'org.slf4j:slf4j-nop:2.0.17'];

/**
 * Temporal's time-skipping test server, for tests alone: the setting, the cache, else its Java form with
 * Maven. Returns '' where neither is to be had; the Temporal SDK then downloads its own.
 */
export async function findTimeSkippingServer(search: EngineSearch): Promise<string> {
  const set = search.env['PERCH_TIME_SKIPPING_SERVER'];
  if (set) return set;
  const home = join(search.cacheDir, 'engines', `temporal-test-server-${version}`);
  const launcher = join(home, 'temporal-test-server');
  if (await exists(launcher)) return launcher;
  await mkdir(join(home, '..'), { recursive: true });
  const work = await mkdtemp(`${home}.`);
  try {
    search.say('temporal-test-server: fetching it with Maven, once');
    await writeFile(join(work, 'pom.xml'), pom());
    await run('mvn', ['-q', '-B', 'dependency:copy-dependencies', '-DoutputDirectory=jars'], {
      cwd: work,
      timeout: 600_000,
    });
    const main = 'io.temporal.testserver.TestServer';
    const script = `#!/bin/sh\nexec java -cp "$(dirname "$0")/jars/*" ${main} "$@"\n`;
    await writeFile(join(work, 'temporal-test-server'), script);
    await chmod(join(work, 'temporal-test-server'), 0o755);
    await rename(work, home).catch(() => undefined);
    return (await exists(launcher)) ? launcher : '';
  } catch {
    search.say('temporal-test-server: not by Maven; the Temporal SDK will download its own');
    return '';
  } finally {
    await rm(work, { recursive: true, force: true });
  }
}

function pom(): string {
  const dependencies = jars.map((jar) => {
    const [group, artifact, jarVersion] = jar.split(':');
    return `<dependency><groupId>${group}</groupId><artifactId>${artifact}</artifactId><version>${jarVersion}</version></dependency>`;
  });
  return `<project><modelVersion>4.0.0</modelVersion><groupId>perch</groupId><artifactId>engines</artifactId><version>1</version>
<dependencies>${dependencies.join('')}</dependencies></project>`;
}

function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
