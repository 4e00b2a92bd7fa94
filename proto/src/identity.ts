import { z } from 'zod';
import { User } from './accounts.ts';
import { SessionId, UserId } from './ids.ts';
import { limits } from './limits.ts';
import { type Call, procedure, router } from './rpc.ts';

/** A mail address; how it is written in capitals makes no difference. */
export const Email = z.email().max(254).toLowerCase();

/** A password as a user chooses it: long rather than contorted (NIST SP 800-63B). */
export const Password = z
  .string()
  .min(limits.passwordChars, `must have at least ${limits.passwordChars} characters`)
  .max(limits.passwordMaxChars);

/** From where someone signs in: for the limits, and for the list of sessions. */
export const Origin = z.object({
  ip: z.string().max(64),
  user_agent: z.string().transform((text) => text.slice(0, 300)),
});
export type Origin = z.infer<typeof Origin>;

/** A time of being signed in to the dashboard, on one device. */
export const Session = z.object({
  id: SessionId,
  ip: z.string(),
  user_agent: z.string(),
  created_at: z.iso.datetime(),
  last_seen_at: z.iso.datetime().describe('To the minute.'),
  expires_at: z.iso.datetime().describe('At the latest; earlier when it is not used.'),
});
export type Session = z.infer<typeof Session>;

/** Who is signed in, and by which session. */
export const SignedIn = z.object({ user: User, session: Session });
export type SignedIn = z.infer<typeof SignedIn>;

/** A session just begun, with the token that goes into the cookie; the token is stored as a hash only. */
export const NewSession = z.object({ ...SignedIn.shape, token: z.string() });
export type NewSession = z.infer<typeof NewSession>;

/** How mail leaves Perch: by SMTP, onto a local page, or not at all. */
export const MailMode = z.enum(['smtp', 'local', 'off']);
export type MailMode = z.infer<typeof MailMode>;

/** A mail as the local page shows it. */
export const LocalMail = z.object({
  id: z.string(),
  to: z.string(),
  subject: z.string(),
  text: z.string(),
  created_at: z.iso.datetime(),
});
export type LocalMail = z.infer<typeof LocalMail>;

const Token = z.string().min(1).max(200);
const SignUp = z.object({ email: Email, password: Password, origin: Origin });
const SignIn = z.object({ email: Email, password: z.string().max(1_000), origin: Origin });
const SignUpBegun = z.object({
  binding: z
    .string()
    .describe('A secret for the browser that signed up; the link alone is enough there.'),
});
const Confirm = z.object({
  token: Token,
  binding: z.string().max(200).nullable(),
  password: z.string().max(1_000).nullable(),
  origin: Origin,
});
const ByToken = z.object({ token: Token });
const RequestReset = z.object({ email: Email, origin: Origin });
const ResetPassword = z.object({ token: Token, password: Password, origin: Origin });
const ChangePassword = z.object({
  user_id: UserId,
  current: z.string().max(1_000),
  password: Password,
  origin: Origin,
});
const OfUser = z.object({ user_id: UserId });
const OneSession = z.object({ user_id: UserId, session_id: SessionId });

/**
 * Who uses the dashboard, served by accounts. Whoever knows only an address learns nothing here of whether it has
 * an account: the answers and their times are alike. `rate_limited` for too many attempts on an address or from an IP.
 */
export interface Identity {
  /** Mails a link that {@link confirm} takes; a known address is mailed that it has an account. */
  signUp(input: z.output<typeof SignUp>, call: Call): Promise<z.infer<typeof SignUpBegun>>;
  /**
   * Makes the user of a sign-up, on the free plan, and signs in. `link_expired`. In another browser than the one
   * that signed up, `invalid_credentials` without the password that was chosen there.
   */
  confirm(input: z.output<typeof Confirm>, call: Call): Promise<NewSession>;
  /** A new session. `invalid_credentials` for an unknown address and for a wrong password. */
  signIn(input: z.output<typeof SignIn>, call: Call): Promise<NewSession>;
  /** Ends the session; one that has ended is nothing to do. */
  signOut(input: z.output<typeof ByToken>, call: Call): Promise<void>;
  /** Who has that token. `not_signed_in` when nobody has, or it has expired. */
  session(input: z.output<typeof ByToken>, call: Call): Promise<SignedIn>;
  /** Mails a link that {@link resetPassword} takes; users made without a password get one by it. */
  requestPasswordReset(input: z.output<typeof RequestReset>, call: Call): Promise<void>;
  /** Sets the password, ends every session, and begins a new one. `link_expired`. */
  resetPassword(input: z.output<typeof ResetPassword>, call: Call): Promise<NewSession>;
  /** Sets the password, ends every session, and begins a new one. `invalid_credentials`. */
  changePassword(input: z.output<typeof ChangePassword>, call: Call): Promise<NewSession>;
  /** The user's sessions that have not ended, the last used first. */
  listSessions(input: z.output<typeof OfUser>, call: Call): Promise<Session[]>;
  /** `not_found` when the user has no such session. */
  endSession(input: z.output<typeof OneSession>, call: Call): Promise<void>;
  mailMode(call: Call): Promise<MailMode>;
  /** The last mails, newest first; `not_found` unless they are kept on the local page. */
  localMails(call: Call): Promise<LocalMail[]>;
}

/** The wire form of {@link Identity}. */
export const identityRouter = (identity: Identity) =>
  router({
    signUp: procedure
      .input(SignUp)
      .output(SignUpBegun)
      .mutation(({ input, ctx }) => identity.signUp(input, ctx)),
    confirm: procedure
      .input(Confirm)
      .output(NewSession)
      .mutation(({ input, ctx }) => identity.confirm(input, ctx)),
    signIn: procedure
      .input(SignIn)
      .output(NewSession)
      .mutation(({ input, ctx }) => identity.signIn(input, ctx)),
    signOut: procedure.input(ByToken).mutation(({ input, ctx }) => identity.signOut(input, ctx)),
    session: procedure
      .input(ByToken)
      .output(SignedIn)
      .query(({ input, ctx }) => identity.session(input, ctx)),
    requestPasswordReset: procedure
      .input(RequestReset)
      .mutation(({ input, ctx }) => identity.requestPasswordReset(input, ctx)),
    resetPassword: procedure
      .input(ResetPassword)
      .output(NewSession)
      .mutation(({ input, ctx }) => identity.resetPassword(input, ctx)),
    changePassword: procedure
      .input(ChangePassword)
      .output(NewSession)
      .mutation(({ input, ctx }) => identity.changePassword(input, ctx)),
    listSessions: procedure
      .input(OfUser)
      .output(z.array(Session))
      .query(({ input, ctx }) => identity.listSessions(input, ctx)),
    endSession: procedure
      .input(OneSession)
      .mutation(({ input, ctx }) => identity.endSession(input, ctx)),
    mailMode: procedure.output(MailMode).query(({ ctx }) => identity.mailMode(ctx)),
    localMails: procedure.output(z.array(LocalMail)).query(({ ctx }) => identity.localMails(ctx)),
  });
export type IdentityRouter = ReturnType<typeof identityRouter>;
