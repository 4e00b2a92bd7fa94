import { Fault } from '@perch/proto/faults';
import type { NewSession, Origin } from '@perch/proto/identity';
import type { Executes } from '../executes.ts';
import { wishMail } from '../mail/outbox.ts';
import { hashOf } from '../secret.ts';
import { countAttempt, forgetAttempts } from './attempts.ts';
import type { IdentityDeps } from './deps.ts';
import { hashPassword, isPassword } from './password.ts';
import { beginSession } from './sessions.ts';
import { linkExpired } from './sign-up.ts';

/** Has a link mailed if the address has a user; what is done here is the same if it has none. */
export async function requestPasswordReset(
  deps: IdentityDeps,
  input: { email: string; origin: Origin },
): Promise<void> {
  await countAttempt(deps, 'mail', input);
  await wishMail(deps, deps.db, { kind: 'password_reset', email: input.email });
}

/** Sets the password of whom the link was mailed to; each link works once. */
export async function resetPassword(
  deps: IdentityDeps,
  input: { token: string; password: string; origin: Origin },
): Promise<NewSession> {
  const password_hash = await hashPassword(input.password);
  const session = await deps.db.fork().transactional(async (em) => {
    const [reset]: { user_id: string }[] = await em.execute(
      'delete from password_reset where token_hash = ? and expires_at > ? returning user_id',
      [hashOf(input.token), new Date(deps.clock())],
    );
    if (!reset) throw linkExpired();
    return setPassword(deps, em, { ...reset, password_hash, origin: input.origin });
  });
  await forgetAttempts(deps, 'password', session.user.email);
  await deps.onSignedIn(session.user.id);
  return session;
}

/** Sets the password of who knows the present one. */
export async function changePassword(
  deps: IdentityDeps,
  input: { user_id: string; current: string; password: string; origin: Origin },
): Promise<NewSession> {
  const { user_id, origin } = input;
  const [user] = await deps.db.execute<{ email: string; password_hash: string | null }>(
    'select email, password_hash from app_user where id = ?',
    [user_id],
  );
  if (!user) throw new Fault('not_found', { detail: 'no such user' });
  await countAttempt(deps, 'password', { email: user.email, origin });
  if (!(await isPassword(input.current, user.password_hash)))
    throw new Fault('invalid_credentials', { detail: 'that is not the present password' });
  await forgetAttempts(deps, 'password', user.email);
  const password_hash = await hashPassword(input.password);
  return deps.db
    .fork()
    .transactional((em) => setPassword(deps, em, { user_id, password_hash, origin }));
}

/** Whoever was signed in by the old password, or has a link to change it, is so no more; its owner is told. */
async function setPassword(
  deps: IdentityDeps,
  on: Executes,
  to: { user_id: string; password_hash: string; origin: Origin },
): Promise<NewSession> {
  const { user_id, password_hash } = to;
  await on.execute('update app_user set password_hash = ? where id = ?', [password_hash, user_id]);
  await on.execute('delete from dashboard_session where user_id = ?', [user_id]);
  await on.execute('delete from password_reset where user_id = ?', [user_id]);
  const session = await beginSession(deps, on, to);
  await wishMail(deps, on, { kind: 'password_changed', email: session.user.email });
  return session;
}
