import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { MailMode } from '@perch/proto/identity';
import type { Logger } from '@perch/proto/process';
import { createTransport } from 'nodemailer';
import type { Executes } from '../executes.ts';
import { keepMail } from './local.ts';
import type { MailWish } from './outbox.ts';
import { type Mail, writeMail } from './write-mail.ts';

interface Deps {
  db: Database;
  clock: Clock;
  log: Logger;
  publicUrl: string;
  mailMode: MailMode;
  /** `smtp://user:password@host:port`, or `smtps:`. */
  smtpUrl: string | null;
  mailFrom: string;
}

/** Whatever takes a mail; throws when it does not. */
type Send = (on: Executes, mail: Mail) => Promise<void>;

const everyMs = 500;
const smtpTimeoutMs = 10_000;
/** Tried again after 10 s, 20 s, 40 s …; then given up after about a day and a half. */
const firstRetryMs = 10_000;
const maxTries = 14;

/** Sends what is in the outbox, in all replicas at once, until stopped. A mail may come twice, and is never lost. */
export function startPostOffice(deps: Deps): () => Promise<void> {
  const send = sender(deps);
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  const go = () => {
    round = sendNext(deps, send)
      .catch((err: unknown) => {
        deps.log.warn({ err }, 'mail not sent; the next round tries again');
        return false;
      })
      .then((sent) => {
        if (!stopped) timer = setTimeout(go, sent ? 0 : everyMs);
      });
  };
  if (deps.mailMode === 'off') deps.log.warn('no mail leaves: PERCH_SMTP_URL is not set');
  else go();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
}

/** Sends one mail that is due; false when there is none. */
async function sendNext(deps: Deps, send: Send): Promise<boolean> {
  return deps.db.fork().transactional(async (em) => {
    const [row]: OutboxRow[] = await em.execute(
      `select id, kind, email, password_hash, binding_hash, tries from mail_outbox where next_try_at <= ?
       order by next_try_at limit 1 for update skip locked`,
      [new Date(deps.clock())],
    );
    if (!row) return false;
    const mail = await writeMail(deps, em, wishOf(row));
    const failure = mail && (await send(em, mail).then(() => null, messageOf));
    if (failure === null) await em.execute('delete from mail_outbox where id = ?', [row.id]);
    else await putOff(deps, em, row, failure);
    return true;
  });
}

async function putOff(deps: Deps, on: Executes, row: OutboxRow, reason: string): Promise<void> {
  const { id, kind, tries } = row;
  if (tries + 1 >= maxTries) {
    deps.log.error({ mailId: id, kind, reason }, 'mail given up');
    await on.execute('delete from mail_outbox where id = ?', [id]);
    return;
  }
  deps.log.warn({ mailId: id, kind, reason }, 'mail not taken; it is tried again');
  const next = new Date(deps.clock() + firstRetryMs * 2 ** tries);
  await on.execute('update mail_outbox set tries = tries + 1, next_try_at = ? where id = ?', [
    next,
    id,
  ]);
}

function sender(deps: Deps): Send {
  const { smtpUrl, mailFrom } = deps;
  if (!smtpUrl) return (on, mail) => keepMail(deps, on, mail);
  const transport = createTransport({
    url: smtpUrl,
    connectionTimeout: smtpTimeoutMs,
    greetingTimeout: smtpTimeoutMs,
    socketTimeout: smtpTimeoutMs,
  });
  return async (_, mail) => void (await transport.sendMail({ ...mail, from: mailFrom }));
}

interface OutboxRow {
  id: string;
  kind: MailWish['kind'];
  email: string;
  password_hash: string | null;
  binding_hash: string | null;
  tries: number;
}

function wishOf({ kind, email, password_hash, binding_hash }: OutboxRow): MailWish {
  if (kind !== 'sign_up') return { kind, email };
  return { kind, email, password_hash: password_hash ?? '', binding_hash: binding_hash ?? '' };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
