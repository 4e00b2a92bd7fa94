import type { Identity } from '@perch/proto/identity';
import { localMails } from '../mail/local.ts';
import type { IdentityDeps } from './deps.ts';
import { changePassword, requestPasswordReset, resetPassword } from './new-password.ts';
import { endSession, listSessions, readSession, signOut } from './sessions.ts';
import { signIn } from './sign-in.ts';
import { confirm, signUp } from './sign-up.ts';

/** Who uses the dashboard, over its dependencies. */
export function createIdentity(deps: IdentityDeps): Identity {
  return {
    signUp: (input) => signUp(deps, input),
    confirm: (input) => confirm(deps, input),
    signIn: (input) => signIn(deps, input),
    signOut: (input) => signOut(deps, input),
    session: (input) => readSession(deps, input),
    requestPasswordReset: (input) => requestPasswordReset(deps, input),
    resetPassword: (input) => resetPassword(deps, input),
    changePassword: (input) => changePassword(deps, input),
    listSessions: (input) => listSessions(deps, input),
    endSession: (input) => endSession(deps, input),
    mailMode: async () => deps.mailMode,
    localMails: () => localMails(deps),
  };
}
