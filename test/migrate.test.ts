import { execFile } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { createDatabase, openDatabase } from '@perch/proto/database';
import { expect, inject, test } from 'vitest';
import { migrations } from '../services/credits/src/migrations.ts';

function run(service: string, url: string): Promise<{ code: number; out: string }> {
  const main = fileURLToPath(new URL(`../services/${service}/src/migrate.ts`, import.meta.url));
  const env = { PATH: process.env['PATH'], DATABASE_URL: url };
  return new Promise((resolve) => {
    execFile(process.execPath, [main], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: stdout + stderr });
    });
  });
}

test('a start that may not migrate waits for the migration job, which needs no secret and may run twice', async () => {
  const url = await createDatabase(inject('postgresUrl'), `migrate_${process.pid}`);
  const open = () => openDatabase({ url, entities: [], migrations, poolSize: 2, migrate: false });
  await expect(open()).rejects.toThrow(/lacks the migrations 20261121-ledger/);
  const runs = await Promise.all([run('credits', url), run('credits', url)]);
  expect(runs.map(({ code }) => code)).toEqual([0, 0]);
  const db = await open();
  expect(await db.execute('select count(*)::int as wallets from wallet')).toEqual([{ wallets: 0 }]);
  await db.close();
});

test.each(['accounts', 'media', 'posts'])(
  'the migration job of %s makes its tables',
  async (service) => {
    const url = await createDatabase(inject('postgresUrl'), `migrate_${service}_${process.pid}`);
    expect(await run(service, url)).toMatchObject({ code: 0 });
  },
);

test('a migration job that can not reach its database says so and fails', async () => {
  const { code, out } = await run('credits', 'postgres://nobody@127.0.0.1:1/none');
  expect([code, out]).toEqual([1, expect.stringContaining('ECONNREFUSED')]);
});
