import { toIso } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import type { LocalMail, MailMode } from '@perch/proto/identity';
import { newId } from '@perch/proto/ids';
import type { Executes } from '../executes.ts';
import type { IdentityDeps } from '../identity/deps.ts';
import type { Mail } from './write-mail.ts';

const kept = 50;

/** Keeps the mail for the local page instead of sending it. */
export async function keepMail(
  deps: Pick<IdentityDeps, 'clock'>,
  on: Executes,
  mail: Mail,
): Promise<void> {
  await on.execute(
    'insert into local_mail (id, recipient, subject, body, created_at) values (?, ?, ?, ?, ?)',
    [newId('mail', deps.clock), mail.to, mail.subject, mail.text, new Date(deps.clock())],
  );
  await on.execute(
    'delete from local_mail where id not in (select id from local_mail order by id desc limit ?)',
    [kept],
  );
}

/** The last mails, newest first; `not_found` where mail really is sent. */
export async function localMails(deps: {
  db: IdentityDeps['db'];
  mailMode: MailMode;
}): Promise<LocalMail[]> {
  if (deps.mailMode !== 'local') throw new Fault('not_found', { detail: 'no mail is kept here' });
  const rows = await deps.db.execute<LocalMail>(
    `select id, recipient as "to", subject, body as text, created_at
     from local_mail order by id desc limit ?`,
    [kept],
  );
  return rows.map((row) => ({ ...row, created_at: toIso(Date.parse(row.created_at)) }));
}
