import { fileURLToPath } from 'node:url';
import { readConfig } from '@perch/local/config';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { z } from 'zod';
import { type Perch, startPerch, type TestUser } from '../perch.ts';
import { type PythonTool, pythonWith } from '../python.ts';
import { type Run, runSchemathesis } from './schemathesis.ts';

const Settings = z.object({
  /** How many requests Schemathesis makes at the least; one run of all phases makes about 900. */
  PERCH_CONTRACT_CASES: z.coerce.number().int().min(1).default(400),
  /** What it draws them by. */
  PERCH_CONTRACT_SEED: z.coerce.number().int().min(0).default(1),
});
const { PERCH_CONTRACT_CASES: cases, PERCH_CONTRACT_SEED: seed } = Settings.parse(process.env);
/** A run draws so many for each operation; more cases than that gives are made by more runs. */
const examples = Math.min(200, Math.max(10, Math.round(cases / 25)));
const ci = Boolean(process.env['CI']);
/** Seven tweets fit an account's day, and what is published at once is published today. */
const accounts = 100;

const schemathesis: PythonTool = {
  name: 'schemathesis',
  requirements: fileURLToPath(new URL('requirements.txt', import.meta.url)),
  check: ['-m', 'schemathesis.cli', '--version'],
};

let perch: Perch;

beforeAll(async () => {
  perch = await startPerch({ PERCH_LOG_LEVEL: 'warn', PERCH_AUTH_CACHE_MS: '2000' });
}, 120_000);
afterAll(() => perch?.stop(), 60_000);

test(
  `the gateway keeps to its OpenAPI document, for ${cases} cases`,
  async ({ skip, signal }) => {
    const python = await pythonWith(
      schemathesis,
      readConfig(process.env).cacheDir,
      console.log,
    ).catch((error: Error) => (ci ? Promise.reject(error) : skip(error.message)));
    const one = await perch.user(100_000);
    const two = await perch.user(100_000);
    const callers: Run['callers'] = [
      { name: 'one', secret: one.secret, accountIds: await accountsOf(one, accounts) },
      { name: 'two', secret: two.secret, accountIds: await accountsOf(two, 1) },
    ];
    let made = 0;
    for (let run = 0; made < cases; run++) {
      const outcome = await runSchemathesis({
        python,
        url: perch.url,
        callers,
        examples,
        seed: seed + run,
        signal,
      });
      if (!outcome.ok || outcome.cases === 0) throw new Error(`Schemathesis:\n${outcome.output}`);
      made += outcome.cases;
      console.log(
        `schemathesis: ${made} cases passed, the last ${outcome.cases} by seed ${seed + run}`,
      );
    }
    // Had nearly everything been refused, little would have been checked.
    const answer = await one.api('GET', '/posts?limit=20');
    expect(answer.body.data).toHaveLength(20);
  },
  120_000 + cases * 200,
);

async function accountsOf(user: TestUser, count: number): Promise<string[]> {
  const made = await Promise.all(Array.from({ length: count }, () => user.account()));
  return made.map(({ account_id }) => account_id);
}
