import type { Clock } from '@perch/proto/clock';
import { newId } from '@perch/proto/ids';
import type { Executes } from '../executes.ts';

/** Something to be mailed. Whether the address has a user is looked at when the mail is written. */
export type MailWish = { email: string } & (
  | { kind: 'sign_up'; password_hash: string; binding_hash: string }
  | { kind: 'password_reset' | 'password_changed' }
);

/** Writes down what is to be mailed, in the transaction of what it is about, so that no mail is lost. */
export async function wishMail(
  deps: { clock: Clock },
  on: Executes,
  wish: MailWish,
): Promise<void> {
  const now = new Date(deps.clock());
  const { password_hash, binding_hash } = wish.kind === 'sign_up' ? wish : nothing;
  await on.execute(
    `insert into mail_outbox (id, kind, email, password_hash, binding_hash, next_try_at, created_at)
     values (?, ?, ?, ?, ?, ?, ?)`,
    [newId('mail', deps.clock), wish.kind, wish.email, password_hash, binding_hash, now, now],
  );
}

const nothing = { password_hash: null, binding_hash: null };
