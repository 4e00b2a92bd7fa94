import { Fault } from '@perch/proto/faults';
import type { NewSession, Origin } from '@perch/proto/identity';
import { countAttempt, forgetAttempts } from './attempts.ts';
import type { IdentityDeps } from './deps.ts';
import { isPassword } from './password.ts';
import { beginSession } from './sessions.ts';

/** A new session for who knows the password. An unknown address takes as long, and is told the same. */
export async function signIn(
  deps: IdentityDeps,
  input: { email: string; password: string; origin: Origin },
): Promise<NewSession> {
  await countAttempt(deps, 'password', input);
  const [user] = await deps.db.execute<{ id: string; password_hash: string | null }>(
    'select id, password_hash from app_user where email = ?',
    [input.email],
  );
  const right = await isPassword(input.password, user?.password_hash ?? null);
  if (!user || !right) throw wrongCredentials();
  await forgetAttempts(deps, 'password', input.email);
  const session = await beginSession(deps, deps.db, { user_id: user.id, origin: input.origin });
  await deps.onSignedIn(user.id);
  return session;
}

/** `invalid_credentials`, which does not tell what is wrong. */
export function wrongCredentials(): Fault {
  const detail = 'wrong address or password, or the address is not confirmed yet';
  return new Fault('invalid_credentials', { detail });
}
