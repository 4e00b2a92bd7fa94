import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Perch, startPerch } from './perch.ts';

let perch: Perch;

beforeAll(async () => {
  perch = await startPerch();
}, 120_000);
afterAll(() => perch?.stop(), 60_000);

/** Runs a program of deploy as an operator would. */
function run(
  script: string,
  home: string,
  ...args: string[]
): Promise<{ code: number; out: string }> {
  const main = fileURLToPath(new URL(`../deploy/${script}/src/main.ts`, import.meta.url));
  const env = { ...process.env, PERCH_HOME: home };
  return new Promise((resolve) => {
    execFile(process.execPath, [main, ...args], { env }, (error, stdout, stderr) => {
      resolve({ code: typeof error?.code === 'number' ? error.code : 0, out: stdout + stderr });
    });
  });
}
const cli = (...args: string[]) => run('cli', perch.home, ...args);
const json = async (...args: string[]) => JSON.parse((await cli(...args, '--json')).out);

test('an operator makes a user, credits, an account and a key that works, and revokes it', async () => {
  const email = 'op@example.com';
  expect((await cli('user', 'create', email, '--plan', 'paid')).code).toBe(0);
  const grant = ['credits', 'grant', email, '5', '--reason', 'welcome', '--key', 'a'];
  expect((await json(...grant)).balance).toBe(5);
  expect((await json(...grant)).balance).toBe(5);
  expect(await json('credits', 'show', email)).toMatchObject({
    available: 5,
    entries: [{ kind: 'grant', credits: 5, reason: 'welcome' }],
  });
  const account = await json(
    ...['account', 'connect-sandbox', email, '--handle', 'op'],
    ...['--window', '00:00-24:00', '--time-zone', 'Asia/Tokyo'],
  );
  expect(account).toMatchObject({ time_zone: 'Asia/Tokyo', status: 'connected' });
  expect(await json('account', 'list', email)).toEqual([account]);
  expect(await json('feed', email, account.account_id)).toEqual([]);
  const { secret, key } = await json(
    ...['key', 'create', email, '--name', 'ci', '--scopes', 'accounts:read'],
    ...['--expires', '2999-01-31T00:00:00Z'],
  );
  expect((await perch.api(secret, 'GET', '/accounts')).body.data[0].account_id).toBe(
    account.account_id,
  );
  expect((await perch.api(secret, 'GET', '/posts')).status).toBe(403);
  expect((await cli('key', 'revoke', email, key.id)).code).toBe(0);
  expect((await perch.api(secret, 'GET', '/accounts')).status).toBe(401);
  expect(await json('key', 'list', email)).toMatchObject([
    { id: key.id, revoked_at: expect.any(String), expires_at: '2999-01-31T00:00:00.000Z' },
  ]);
  const shown = await json('user', 'show', email);
  expect(shown).toMatchObject({
    plan: 'paid',
    credits: { balance: 5 },
    keys: [{ id: key.id }],
    accounts: [{ handle: 'op' }],
  });
  expect(JSON.stringify(shown)).not.toContain(secret);
  expect((await cli('user', 'show', email)).out).toMatch(/^plan +paid$/m);
});

test('verify reads a timeline against its chain of hashes', async () => {
  const user = await perch.user(1);
  const { account_id } = await user.account();
  const body = { account_id, tweets: [{ text: 'chained' }], publish_now: true };
  const { id } = (await user.api('POST', '/posts', body)).body;
  const timeline = async () => (await user.api('GET', `/posts/${id}/events`)).body.data;
  await expect
    .poll(async () => (await timeline()).map((event: { type: string }) => event.type))
    .toEqual(['post.scheduled', 'post.publishing', 'post.posted']);
  const last_hash = (await timeline()).at(-1).hash;
  expect(await json('verify', id)).toMatchObject({ intact: true, events: 3, last_hash });
});

test('a mistake is told in one line, with the right exit code', async () => {
  expect(await cli('credits', 'grant', 'nobody@example.com', '5', '--reason', 'x')).toMatchObject({
    code: 1,
    out: expect.stringContaining('not_found'),
  });
  expect(await cli('key', 'create')).toMatchObject({
    code: 2,
    out: expect.stringContaining('<email> is missing'),
  });
  const gold = await cli('user', 'create', 'new@example.com', '--plan', 'gold');
  expect(gold).toMatchObject({ code: 2, out: expect.stringContaining('--plan: ') });
  for (const typed of [['dance'], ['toString'], ['doctor', '--loud']])
    expect((await cli(...typed)).code).toBe(2);
  expect(await cli()).toMatchObject({ code: 0, out: expect.stringContaining('doctor') });
});

test('doctor looks at every part', async () => {
  const { code, out } = await cli('doctor');
  expect([code, out.trimEnd().split('\n').at(-1)]).toEqual([0, 'All is well.']);
  expect(await json('doctor')).toMatchObject({ ok: true });
  for (const part of [
    'nats',
    'posts: post workers',
    'accounts: platform workers',
    'posts: temporal',
    'credits: migrations',
    'posts: overdue posts',
    'gateway',
    'temporal: process',
  ]) {
    expect(out).toMatch(new RegExp(`ok +${part}`));
  }
});

test('a second start says that the first one runs', async () => {
  const second = await run('local', perch.home);
  expect(second).toMatchObject({ code: 1, out: expect.stringContaining('Perch runs already') });
  expect((await fetch(`${perch.url}/healthz`)).status).toBe(200);
});

test('where nothing runs, doctor says what to do', async () => {
  const empty = await mkdtemp(join(tmpdir(), 'perch-empty-'));
  const { code, out } = await run('cli', empty, 'doctor');
  await rm(empty, { recursive: true });
  expect([code, out]).toEqual([1, expect.stringContaining('npm start')]);
});

test('state survives a stop and a start, and a post that fell due meanwhile goes out then', {
  timeout: 90_000,
}, async () => {
  const user = await perch.user(5);
  const { account_id } = await user.account();
  const body = {
    account_id,
    tweets: [{ text: 'while away' }],
    scheduled_at: new Date(Date.now() + 4_000).toISOString(),
  };
  const { id } = (await user.api('POST', '/posts', body)).body;
  await perch.halt();
  await new Promise((resolve) =>
    setTimeout(resolve, Math.max(0, Date.parse(body.scheduled_at) - Date.now())),
  );
  await perch.start();
  await expect
    .poll(async () => (await user.api('GET', `/posts/${id}`)).body.status, { timeout: 30_000 })
    .toBe('posted');
  expect((await user.api('GET', '/credits')).body.balance).toBe(4);
});
