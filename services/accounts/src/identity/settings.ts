import type { MailMode } from '@perch/proto/identity';
import { z } from 'zod';

const hourMs = 3_600_000;

/** What signing up and in, and mail, are set by. */
export const identitySettings = {
  /** `local` keeps mails on a page that anyone who reaches the dashboard can read: for one machine. Unset, they leave by PERCH_SMTP_URL. */
  PERCH_MAIL: z.literal('local').optional(),
  /** Where mails leave: `smtp://user:password@host:port`, or `smtps:`. */
  PERCH_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
  /** The sender of mails. */
  PERCH_MAIL_FROM: z.string().default('Perch <perch@localhost>'),
  /** A session of the dashboard that is not used for so long has expired. In hours; 14 days unless set. */
  PERCH_SESSION_IDLE_HOURS: z.coerce.number().positive().default(336),
  /** No session lasts longer. In hours; 30 days unless set. */
  PERCH_SESSION_MAX_HOURS: z.coerce.number().positive().max(720).default(720),
  /** Sign-ins, and sign-ups and resets, from one IP: in 15 minutes, and in an hour. */
  PERCH_ATTEMPTS_PER_IP: z.coerce.number().int().min(1).default(100),
};

type Settings = z.output<z.ZodObject<typeof identitySettings>>;

/** The settings in the words of the code. */
export function readIdentity(s: Settings) {
  const mailMode: MailMode = s.PERCH_MAIL ?? (s.PERCH_SMTP_URL ? 'smtp' : 'off');
  return {
    mailMode,
    smtpUrl: mailMode === 'smtp' ? (s.PERCH_SMTP_URL ?? null) : null,
    mailFrom: s.PERCH_MAIL_FROM,
    sessionIdleMs: s.PERCH_SESSION_IDLE_HOURS * hourMs,
    sessionMaxMs: s.PERCH_SESSION_MAX_HOURS * hourMs,
    attemptsPerIp: s.PERCH_ATTEMPTS_PER_IP,
  };
}

/** Mails hold links to sign in by, so a page that shows them is for one machine. */
export const requireLocalMail: z.core.CheckFn<Settings & { PERCH_PUBLIC_URL: string }> = ({
  value,
  issues,
}) => {
  const { hostname } = new URL(value.PERCH_PUBLIC_URL);
  if (value.PERCH_MAIL !== 'local' || ['localhost', '127.0.0.1', '[::1]'].includes(hostname))
    return;
  const message =
    'local shows every mail to everyone; it is for a PERCH_PUBLIC_URL on localhost alone';
  issues.push({ code: 'custom', path: ['PERCH_MAIL'], message, input: value.PERCH_MAIL });
};
