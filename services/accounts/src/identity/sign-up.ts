import { Fault } from '@perch/proto/faults';
import type { NewSession, Origin } from '@perch/proto/identity';
import { newId } from '@perch/proto/ids';
import { wishMail } from '../mail/outbox.ts';
import { hashOf } from '../secret.ts';
import { countAttempt } from './attempts.ts';
import type { IdentityDeps } from './deps.ts';
import { hashPassword } from './password.ts';
import { beginSession } from './sessions.ts';

/** Has a link mailed. What is done here is the same for a known address; the mail alone tells its owner. */
export async function signUp(
  deps: IdentityDeps,
  input: { email: string; password: string; origin: Origin },
): Promise<void> {
  await countAttempt(deps, 'mail', input);
  const password_hash = await hashPassword(input.password);
  await wishMail(deps, deps.db, { kind: 'sign_up', email: input.email, password_hash });
}

/** Makes the user whose address the link has proved, and signs in; each link works once. */
export async function confirm(
  deps: IdentityDeps,
  input: { token: string; origin: Origin },
): Promise<NewSession> {
  const now = new Date(deps.clock());
  const session = await deps.db.fork().transactional(async (em) => {
    const [wanted]: { email: string; password_hash: string }[] = await em.execute(
      'delete from sign_up where token_hash = ? and expires_at > ? returning email, password_hash',
      [hashOf(input.token), now],
    );
    if (!wanted) throw linkExpired();
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

/** `link_expired`: used, too old, or never ours. */
export function linkExpired(): Fault {
  return new Fault('link_expired', {
    detail: 'the link was used or is too old; ask for a new one',
  });
}
