import type { Clock } from '@perch/proto/clock';
import type { Executes } from '../executes.ts';
import { newToken } from '../identity/token.ts';
import type { MailWish } from './outbox.ts';

/** A mail ready to go. */
export interface Mail {
  to: string;
  subject: string;
  text: string;
}

interface Deps {
  clock: Clock;
  /** The address of the gateway, for links. */
  publicUrl: string;
}

const signUpLinkMs = 24 * 60 * 60_000;
const resetLinkMs = 60 * 60_000;

/** The mail of a wish, its link's token made and its hash stored just now; null when there is nobody to write to. */
export async function writeMail(deps: Deps, on: Executes, wish: MailWish): Promise<Mail | null> {
  const [user] = await on.execute<{ id: string }>('select id from app_user where email = ?', [
    wish.email,
  ]);
  if (wish.kind === 'sign_up') {
    return user ? alreadySignedUp(deps, wish.email) : confirmation(deps, on, wish);
  }
  if (!user) return null;
  if (wish.kind === 'password_changed') return passwordChanged(deps, wish.email);
  return passwordReset(deps, on, { email: wish.email, userId: user.id });
}

async function confirmation(
  deps: Deps,
  on: Executes,
  wish: { email: string; password_hash: string; binding_hash: string },
): Promise<Mail> {
  const { token, hash } = newToken();
  await on.execute(
    `insert into sign_up (token_hash, email, password_hash, binding_hash, expires_at)
     values (?, ?, ?, ?, ?)`,
    [
      ...[hash, wish.email, wish.password_hash, wish.binding_hash],
      new Date(deps.clock() + signUpLinkMs),
    ],
  );
  const text = `Somebody, we hope you, signed up for Perch with this address.

Confirm it within a day:
${linkTo(deps, 'confirm', token)}

If it was not you, do nothing: without that link there is no account.`;
  return { to: wish.email, subject: 'Confirm your address for Perch', text };
}

function alreadySignedUp(deps: Deps, email: string): Mail {
  const text = `Somebody signed up for Perch with this address, which has an account already.

If it was you, sign in, or set a new password:
${new URL('/app/sign-in', deps.publicUrl).href}
${new URL('/app/forgot-password', deps.publicUrl).href}

If it was not you, do nothing: nobody got in.`;
  return { to: email, subject: 'You have an account with Perch already', text };
}

async function passwordReset(
  deps: Deps,
  on: Executes,
  to: { email: string; userId: string },
): Promise<Mail> {
  const { token, hash } = newToken();
  await on.execute(
    'insert into password_reset (token_hash, user_id, expires_at) values (?, ?, ?)',
    [hash, to.userId, new Date(deps.clock() + resetLinkMs)],
  );
  const text = `Set a new password for Perch within an hour:
${linkTo(deps, 'reset-password', token)}

If you did not ask for it, do nothing: your password stays as it is.`;
  return { to: to.email, subject: 'Set a new password for Perch', text };
}

function passwordChanged(deps: Deps, email: string): Mail {
  const text = `The password of your Perch account was changed, and all other sessions were ended.

If it was not you, set a new one now:
${new URL('/app/forgot-password', deps.publicUrl).href}`;
  return { to: email, subject: 'Your Perch password was changed', text };
}

/** The token is in the fragment, which browsers send to nobody: it is in no log and no referrer. */
function linkTo(deps: Deps, page: string, token: string): string {
  return new URL(`/app/${page}#token=${token}`, deps.publicUrl).href;
}
