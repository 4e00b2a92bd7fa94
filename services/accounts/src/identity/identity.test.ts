import { type Database, openDatabase } from '@perch/proto/database';
import type { Identity } from '@perch/proto/identity';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase, testCall } from '@perch/proto/testing';
import { afterAll, beforeAll, beforeEach, expect, inject, test } from 'vitest';
import { entities } from '../entities.ts';
import { startPostOffice } from '../mail/post-office.ts';
import { migrations } from '../migrations.ts';
import { createIdentity } from './identity.ts';
import { hashPassword, isPassword } from './password.ts';
import { forgetOldSessions } from './sessions.ts';

const call = testCall();
const minuteMs = 60_000;
const hourMs = 60 * minuteMs;
const password = 'correct horse battery';
let db: Database;
let identity: Identity;
let stopPostOffice: () => Promise<void>;
let nowMs = Date.parse('2026-03-01T12:00:00.000Z');
let ip = 0;
let people = 0;

const deps = () => ({
  db,
  clock: () => nowMs,
  mailMode: 'local' as const,
  sessionIdleMs: 2 * hourMs,
  sessionMaxMs: 10 * hourMs,
  attemptsPerIp: 30,
  onSignedIn: async () => {},
});

beforeAll(async () => {
  const url = await createTestDatabase(inject('postgresUrl'));
  db = await openDatabase({ url, entities, migrations, poolSize: 10 });
  identity = createIdentity(deps());
  stopPostOffice = startPostOffice({
    ...deps(),
    log: createLogger('test', 'silent'),
    publicUrl: 'http://localhost:3000',
    smtpUrl: null,
    mailFrom: '',
  });
});
afterAll(async () => {
  await stopPostOffice?.();
  await db?.close();
});
beforeEach(() => {
  // A window of its own for each test, and an address.
  nowMs = (Math.ceil(nowMs / hourMs) + 2) * hourMs;
  ip += 1;
});

const origin = () => ({ ip: `10.0.0.${ip}`, user_agent: 'test' });
const newAddress = () => `person-${++people}@example.com`;

/** The mails to an address, the last first, once there are so many. */
async function mailsTo(email: string, count = 1): Promise<string[]> {
  const mine = async () =>
    (await identity.localMails(call)).filter((mail) => mail.to === email).map((mail) => mail.text);
  await expect.poll(async () => (await mine()).length).toBe(count);
  return mine();
}

function tokenIn(text: string | undefined): string {
  return /#token=([\w-]{43})/.exec(text ?? '')?.[1] ?? 'none';
}

async function person(): Promise<{ email: string; token: string; user_id: string }> {
  const email = newAddress();
  const { binding } = await identity.signUp({ email, password, origin: origin() }, call);
  const [mail] = await mailsTo(email);
  const session = await confirm(mail, { binding });
  return { email, token: session.token, user_id: session.user.id };
}

const confirm = (mail: string | undefined, by: { binding?: string; password?: string } = {}) =>
  identity.confirm(
    {
      token: tokenIn(mail),
      binding: by.binding ?? null,
      password: by.password ?? null,
      origin: origin(),
    },
    call,
  );
const signIn = (email: string, secret = password) =>
  identity.signIn({ email, password: secret, origin: origin() }, call);
const session = (token: string) => identity.session({ token }, call);

test('a password is kept as argon2id with its costs and a salt of its own', async () => {
  const [one, other] = await Promise.all([hashPassword('pässword 1'), hashPassword('pässword 1')]);
  expect(one).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  expect(one).not.toBe(other);
  expect(await isPassword('pa\u0308ssword 1', one)).toBe(true);
  expect(await isPassword('pässword 2', one)).toBe(false);
  expect(await isPassword('pässword 1', null)).toBe(false);
  expect(await isPassword('pässword 1', 'no hash')).toBe(false);
});

test('signing up is confirmed by mail, begins on the free plan, and the link works once', async () => {
  const email = newAddress();
  const { binding } = await identity.signUp({ email, password, origin: origin() }, call);
  await expect(signIn(email)).rejects.toMatchObject({ code: 'invalid_credentials' });
  const [mail] = await mailsTo(email);
  const { token, user } = await confirm(mail, { binding });
  expect(user).toMatchObject({ email, plan: 'free' });
  expect((await session(token)).user.id).toBe(user.id);
  await expect(confirm(mail, { binding })).rejects.toMatchObject({ code: 'link_expired' });
  expect((await signIn(email)).user.id).toBe(user.id);
});

test('signing up with a known address answers as if it were new, and tells its owner alone', async () => {
  const { email } = await person();
  const known = await identity.signUp(
    { email, password: 'some thing else', origin: origin() },
    call,
  );
  const unknown = await identity.signUp({ email: newAddress(), password, origin: origin() }, call);
  expect(Object.keys(known)).toEqual(Object.keys(unknown));
  const mail = (await mailsTo(email, 2)).find((text) => text.includes('has an account already'));
  expect(mail).toBeDefined();
  expect(tokenIn(mail)).toBe('none');
  await expect(signIn(email, 'some thing else')).rejects.toMatchObject({
    code: 'invalid_credentials',
  });
});

test('a link opened elsewhere needs the password of the sign-up: who signed up with the address of another gets nothing', async () => {
  const email = newAddress();
  await identity.signUp({ email, password: 'of the attacker', origin: origin() }, call);
  const [mail] = await mailsTo(email);
  for (const by of [{}, { binding: 'of the owner' }, { password: 'guess' }])
    await expect(confirm(mail, by)).rejects.toMatchObject({ code: 'invalid_credentials' });
  await expect(signIn(email, 'of the attacker')).rejects.toMatchObject({
    code: 'invalid_credentials',
  });
  expect((await confirm(mail, { password: 'of the attacker' })).user.email).toBe(email);
});

test('an unknown address is told the same as a wrong password', async () => {
  const { email } = await person();
  const failures = await Promise.all(
    [signIn(email, 'wrong'), signIn(newAddress(), 'wrong')].map((one) =>
      one.catch((error: unknown) => error),
    ),
  );
  expect(failures[0]).toEqual(failures[1]);
  expect(failures[0]).toMatchObject({ code: 'invalid_credentials' });
});

test('asking for a reset of an unknown address answers the same, and mails nobody', async () => {
  const { email } = await person();
  const unknown = newAddress();
  const answers = [
    await identity.requestPasswordReset({ email: unknown, origin: origin() }, call),
    await identity.requestPasswordReset({ email, origin: origin() }, call),
  ];
  expect(answers[0]).toEqual(answers[1]);
  await mailsTo(email, 2);
  await mailsTo(unknown, 0);
});

test('every sign-in has a token of its own, and only hashes are stored', async () => {
  const { email, token } = await person();
  const second = await signIn(email);
  expect(second.token).not.toBe(token);
  const stored = JSON.stringify([
    await db.execute('select * from dashboard_session'),
    await db.execute('select * from app_user'),
    await db.execute('select * from sign_up'),
  ]);
  for (const secret of [token, second.token, password]) expect(stored).not.toContain(secret);
});

test('a session expires when it is not used, and at the latest after its longest time', async () => {
  const { token } = await person();
  nowMs += 2 * hourMs - minuteMs;
  await session(token);
  for (let hours = 2; hours < 10; hours++) {
    nowMs += hourMs;
    await session(token);
  }
  nowMs += 2 * minuteMs;
  await expect(session(token)).rejects.toMatchObject({ code: 'not_signed_in' });
  const idle = await person();
  nowMs += 2 * hourMs + 1;
  await expect(session(idle.token)).rejects.toMatchObject({ code: 'not_signed_in' });
  expect(await identity.listSessions({ user_id: idle.user_id }, call)).toEqual([]);
  await forgetOldSessions(deps());
  expect(await db.execute('select from dashboard_session')).toEqual([]);
});

test('signing out ends the session for the server, not only for the browser', async () => {
  const { token } = await person();
  await identity.signOut({ token }, call);
  await identity.signOut({ token }, call);
  await expect(session(token)).rejects.toMatchObject({ code: 'not_signed_in' });
});

test('a session is ended by its user alone', async () => {
  const [mine, other] = [await person(), await person()];
  const [own] = await identity.listSessions({ user_id: mine.user_id }, call);
  const session_id = own?.id ?? '';
  await expect(
    identity.endSession({ user_id: other.user_id, session_id }, call),
  ).rejects.toMatchObject({ code: 'not_found' });
  await session(mine.token);
  await identity.endSession({ user_id: mine.user_id, session_id }, call);
  await expect(session(mine.token)).rejects.toMatchObject({ code: 'not_signed_in' });
});

test('changing the password ends every other session and tells its owner', async () => {
  const { email, token, user_id } = await person();
  const elsewhere = await signIn(email);
  const change = { user_id, password: 'a newer password', origin: origin() };
  await expect(
    identity.changePassword({ ...change, current: 'wrong' }, call),
  ).rejects.toMatchObject({ code: 'invalid_credentials' });
  const changed = await identity.changePassword({ ...change, current: password }, call);
  for (const old of [token, elsewhere.token])
    await expect(session(old)).rejects.toMatchObject({ code: 'not_signed_in' });
  await session(changed.token);
  await expect(signIn(email)).rejects.toMatchObject({ code: 'invalid_credentials' });
  await signIn(email, 'a newer password');
  expect((await mailsTo(email, 2)).join()).toContain('was changed');
});

test('a reset sets the password, ends every session, and its link works once and not for long', async () => {
  const { email, token } = await person();
  await identity.requestPasswordReset({ email, origin: origin() }, call);
  await identity.requestPasswordReset({ email, origin: origin() }, call);
  const [late, first] = (await mailsTo(email, 3)).filter((text) => text.includes('/reset-'));
  const reset = (mail: string | undefined) =>
    identity.resetPassword(
      { token: tokenIn(mail), password: 'after the reset', origin: origin() },
      call,
    );
  await session((await reset(first)).token);
  await expect(session(token)).rejects.toMatchObject({ code: 'not_signed_in' });
  for (const used of [first, late])
    await expect(reset(used)).rejects.toMatchObject({ code: 'link_expired' });
  const before = await mailsTo(email, 4);
  await identity.requestPasswordReset({ email, origin: origin() }, call);
  const old = (await mailsTo(email, 5)).find((text) => !before.includes(text));
  nowMs += hourMs + 1;
  await expect(reset(old)).rejects.toMatchObject({ code: 'link_expired' });
});

test('a user whom an operator made without a password gets one by a reset', async () => {
  const email = newAddress();
  await db.execute(
    "insert into app_user (id, email, plan, created_at) values (?, ?, 'paid', now())",
    [`usr_${'0'.repeat(25)}${people % 10}`, email],
  );
  await expect(signIn(email, '')).rejects.toMatchObject({ code: 'invalid_credentials' });
  await identity.requestPasswordReset({ email, origin: origin() }, call);
  const [mail] = await mailsTo(email);
  const given = { token: tokenIn(mail), password, origin: origin() };
  expect((await identity.resetPassword(given, call)).user.plan).toBe('paid');
  await signIn(email);
});

test('guesses are limited by address, many at once too, and the answer says when to come back', async () => {
  const { email } = await person();
  const guesses = await Promise.allSettled(
    Array.from({ length: 15 }, (_, n) => signIn(email, `guess ${n}`)),
  );
  const codes = guesses.map((one) => (one.status === 'rejected' ? one.reason.code : 'in'));
  expect(codes.filter((code) => code === 'invalid_credentials')).toHaveLength(10);
  expect(codes.filter((code) => code === 'rate_limited')).toHaveLength(5);
  await expect(signIn(email)).rejects.toMatchObject({
    code: 'rate_limited',
    details: { retry_after_seconds: 15 * 60 },
  });
  nowMs += 15 * minuteMs;
  await signIn(email);
});

test('the right password makes up for the wrong ones before it', async () => {
  const { email } = await person();
  for (let round = 0; round < 2; round++) {
    for (let n = 0; n < 8; n++)
      await expect(signIn(email, 'wrong')).rejects.toMatchObject({ code: 'invalid_credentials' });
    await signIn(email);
  }
});

test('guesses and mails are limited by IP over all addresses, known or not', async () => {
  const tries = [];
  for (let n = 0; n < 32; n++) {
    tries.push(await signIn(newAddress(), 'x').catch((error: { code: string }) => error.code));
  }
  expect(tries.filter((code) => code === 'rate_limited')).toHaveLength(2);
  const email = newAddress();
  const mails = [];
  for (let n = 0; n < 6; n++) {
    const asked = identity.requestPasswordReset({ email, origin: origin() }, call);
    mails.push(
      await asked.then(
        () => 'ok',
        (error: { code: string }) => error.code,
      ),
    );
  }
  expect(mails).toEqual(['ok', 'ok', 'ok', 'ok', 'ok', 'rate_limited']);
});
