import { Fault } from '@perch/proto/faults';
import type { NewSession, Origin } from '@perch/proto/identity';
import { newId } from '@perch/proto/ids';
import { wishMail } from '../mail/outbox.ts';
import { hashOf } from '../secret.ts';
import { countAttempt } from './attempts.ts';
import type { IdentityDeps } from './deps.ts';
import { hashPassword, isPassword } from './password.ts';
import { beginSession } from './sessions.ts';
import { newToken } from './token.ts';

/**
 * Has a link mailed. What is done here is the same for a known address; the mail alone tells its owner. The
 * binding is for the browser that signs up.
 */
export async function signUp(
  deps: IdentityDeps,
  input: { email: string; password: string; origin: Origin },
): Promise<{ binding: string }> {
  await countAttempt(deps, 'mail', input);
  const password_hash = await hashPassword(input.password);
  const { token: binding, hash: binding_hash } = newToken();
  const { email } = input;
  await wishMail(deps, deps.db, { kind: 'sign_up', email, password_hash, binding_hash });
  return { binding };
}

/**
 * Makes the user whose address the link has proved, and signs in; each link works once. Whoever opens it must also
 * be who signed up, by the browser or by the password: else somebody could sign up with the address of another, who
 * confirms it, and know the password of the account.
 */
export async function confirm(deps: IdentityDeps, input: Confirmation): Promise<NewSession> {
  const token_hash = hashOf(input.token);
  const now = new Date(deps.clock());
  const [wanted] = await deps.db.execute<Wanted>(
    'select email, password_hash, binding_hash from sign_up where token_hash = ? and expires_at > ?',
    [token_hash, now],
  );
  if (!wanted) throw linkExpired();
  await requireSamePerson(deps, input, wanted);
  const session = await deps.db.fork().transactional(async (em) => {
    const taken: object[] = await em.execute(
      'delete from sign_up where token_hash = ? returning email',
      [token_hash],
    );
    if (taken.length === 0) throw linkExpired();
    const user_id = newId('user', deps.clock);
    const made: object[] = await em.execute(
      `insert into app_user (id, email, plan, created_at, password_hash) values (?, ?, 'free', ?, ?)
       on conflict (email) do nothing returning id`,
      [user_id, wanted.email, now, wanted.password_hash],
    );
    // Signed up twice, and confirmed by the other mail.
    if (made.length === 0) throw linkExpired();
    return beginSession(deps, em, { user_id, origin: input.origin });
  });
  await deps.onSignedIn(session.user.id);
  return session;
}

interface Confirmation {
  token: string;
  binding: string | null;
  password: string | null;
  origin: Origin;
}

interface Wanted {
  email: string;
  password_hash: string;
  binding_hash: string;
}

async function requireSamePerson(
  deps: IdentityDeps,
  input: Confirmation,
  wanted: Wanted,
): Promise<void> {
  if (input.binding !== null && hashOf(input.binding) === wanted.binding_hash) return;
  const { email, password_hash } = wanted;
  if (input.password !== null) {
    await countAttempt(deps, 'password', { email, origin: input.origin });
    if (await isPassword(input.password, password_hash)) return;
  }
  const detail = 'enter the password that you signed up with';
  throw new Fault('invalid_credentials', { detail });
}

/** `link_expired`: used, too old, or never ours. */
export function linkExpired(): Fault {
  return new Fault('link_expired', {
    detail: 'the link was used or is too old; ask for a new one',
  });
}
