import { spawn } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const here = fileURLToPath(new URL('.', import.meta.url));

/** Whom Schemathesis calls the API as: the first makes things, the second must not see them. */
interface Caller {
  name: 'one' | 'two';
  secret: string;
  accountIds: string[];
}

/** One run of Schemathesis. */
export interface Run {
  python: string;
  url: string;
  callers: [Caller, Caller];
  /** Requests that fuzzing makes per operation, and scenarios of linked requests. */
  examples: number;
  seed: number;
  /** Ends it early. */
  signal: AbortSignal;
}

/** How a run ended: `ok` when every check of every case passed. */
export interface Outcome {
  ok: boolean;
  cases: number;
  output: string;
}

/** Runs every phase and every check against a gateway. */
export async function runSchemathesis(run: Run): Promise<Outcome> {
  const folder = await mkdtemp(join(tmpdir(), 'perch-contract-'));
  try {
    const users = join(folder, 'users.json');
    const auth = run.callers.map(({ name, secret }) => ({
      name,
      fixedHeaders: [{ name: 'Authorization', value: `Bearer ${secret}` }],
    }));
    await writeFile(users, JSON.stringify({ auth }), { mode: 0o600 });
    const { code, output } = await python(run, folder, {
      PERCH_CONTRACT_USERS: users,
      PERCH_CONTRACT_ACCOUNTS: run.callers[0].accountIds.join(','),
    });
    const cases = Number(/(\d+) generated/.exec(output)?.[1] ?? 0);
    return { ok: code === 0, cases, output };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

function commandOf({ url, examples, seed }: Run): string[] {
  return [
    ...['-m', 'schemathesis.cli', '--config-file', join(here, 'schemathesis.toml')],
    ...['run', `${url}/api/v1/openapi.json`, '--no-color', '--generation-database', 'none'],
    ...['--phases', 'examples,coverage,fuzzing,stateful'],
    ...['--max-examples', String(examples), '--seed', String(seed)],
  ];
}

function python(
  run: Run,
  cwd: string,
  env: Record<string, string>,
): Promise<{ code: number | null; output: string }> {
  return new Promise((resolve, reject) => {
    const child = spawn(run.python, commandOf(run), {
      cwd,
      signal: run.signal,
      env: { ...process.env, PYTHONPATH: here, PYTHONDONTWRITEBYTECODE: '1', ...env },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    let output = '';
    const keep = (chunk: unknown) => {
      output += String(chunk);
    };
    child.stdout.on('data', keep);
    child.stderr.on('data', keep);
    child.once('error', reject);
    child.once('close', (code) => resolve({ code, output }));
  });
}
