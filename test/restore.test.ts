import { chmod, chown, cp, mkdir, mkdtemp, readdir, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pg from 'pg';
import { expect, test } from 'vitest';
import { type Perch, startPerch } from './perch.ts';

/**
 * An online base backup by PostgreSQL's own low-level protocol, of all databases at one instant: Perch's and
 * Temporal's. `pg_basebackup` does the same over the network.
 */
async function baseBackup(perch: Perch, to: string): Promise<void> {
  const from = join(perch.home, 'postgres/data');
  const client = new pg.Client({ connectionString: await perch.postgresUrl() });
  await client.connect();
  await client.query("select pg_backup_start('test', fast => true)");
  const data = join(to, 'postgres/data');
  await mkdir(join(to, 'postgres'), { recursive: true });
  const left = /\/(postmaster\.pid|postmaster\.opts|pg_wal)$/;
  // A file may go while it is copied; the log of what happened since the start makes up for it.
  const copy = { recursive: true, preserveTimestamps: true };
  await cp(from, data, { ...copy, filter: (file) => !left.test(file) });
  const { rows } = await client.query(
    'select labelfile from pg_backup_stop(wait_for_archive => false)',
  );
  await cp(join(from, 'pg_wal'), join(data, 'pg_wal'), copy);
  await client.end();
  await writeFile(join(data, 'backup_label'), rows[0].labelfile);
  await giveTo(await stat(from), [join(to, 'postgres'), data, join(data, 'backup_label')], data);
  await cp(join(perch.home, 'secrets.json'), join(to, 'secrets.json'));
  await cp(join(perch.home, 'first-run.done'), join(to, 'first-run.done'));
}

/** As root the server runs as somebody else, who owns its files. */
async function giveTo(
  owner: { uid: number; gid: number },
  files: string[],
  data: string,
): Promise<void> {
  const inside = await readdir(data, { recursive: true });
  for (const file of [...files, ...inside.map((path) => join(data, path))])
    await chown(file, owner.uid, owner.gid);
  await chmod(data, 0o700);
}

test('a restored backup goes on where it was: what was sent stays sent, what is due goes out once', {
  timeout: 240_000,
}, async () => {
  const home = await mkdtemp(join(tmpdir(), 'perch-restored-'));
  const first = await startPerch();
  const user = await first.user(5);
  const { account_id } = await user.account();
  const tweets = (text: string) => ({ account_id, tweets: [{ text }] });
  const sent = await user.api('POST', '/posts', { ...tweets('before'), publish_now: true });
  const read = (perch: Perch, id: string) => perch.api(user.secret, 'GET', `/posts/${id}`);
  await expect
    .poll(async () => (await read(first, sent.body.id)).body.status, { timeout: 30_000 })
    .toBe('posted');
  const scheduled_at = new Date(Date.now() + 45_000).toISOString();
  const due = await user.api('POST', '/posts', { ...tweets('after'), scheduled_at });
  await baseBackup(first, home);
  expect((await read(first, due.body.id)).body.status).toBe('scheduled');
  await first.stop();

  await using second = await startPerch({}, { home });
  await expect
    .poll(async () => (await read(second, due.body.id)).body.status, { timeout: 90_000 })
    .toBe('posted');
  expect((await read(second, sent.body.id)).body.status).toBe('posted');
  const tenant = { user_id: user.id, account_ids: null };
  const feed = await second.clients.accounts.sandboxFeed.query({ tenant, account_id });
  expect(feed.map(({ text }) => text).toSorted()).toEqual(['after', 'before']);
  expect((await second.api(user.secret, 'GET', '/credits')).body.balance).toBe(3);
});
