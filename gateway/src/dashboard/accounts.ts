import { AccountSettings, NewSandboxAccount } from '@perch/proto/accounts';
import { AppSignIn, NewConnection } from '@perch/proto/connections';
import { Fault } from '@perch/proto/faults';
import { AccountId } from '@perch/proto/ids';
import { z } from 'zod';
import { accountsWithDay } from '../rest/accounts.ts';
import { router, signedIn } from './procedure.ts';

/** The platform is asked meanwhile, more than once. */
const platformTimeoutMs = 25_000;
const OneAccount = z.object({ account_id: AccountId });

/** The connected accounts, and what is set on them. */
export const accountsRouter = router({
  list: signedIn.query(({ ctx }) => accountsWithDay(ctx.clients, ctx.tenant)),
  /** Connecting the same handle again keeps its account_id and its settings. */
  connectSandbox: signedIn
    .input(NewSandboxAccount.omit({ user_id: true }))
    .mutation(({ ctx, input }) =>
      ctx.clients.accounts.connectSandbox.mutate({ ...input, user_id: ctx.user.id }),
    ),
  /** The platforms beside the sandbox: which are set up, and how an account is connected on each. */
  platforms: signedIn.query(({ ctx }) => ctx.clients.connections.platforms.query()),
  /** A link to send the browser to, and the ticket by which to ask how far it has come. */
  connect: signedIn
    .input(NewConnection.omit({ user_id: true }))
    .mutation(({ ctx, input }) =>
      ctx.clients.connections.create.mutate({ ...input, user_id: ctx.user.id }),
    ),
  connection: signedIn
    .input(z.object({ ticket: z.string().max(100) }))
    .query(async ({ ctx, input }) => {
      const state = await ctx.clients.connections.get.query(input);
      if (state.user_id === ctx.user.id) return state;
      throw new Fault('not_found', { detail: 'no such connection' });
    }),
  /** By a password that the platform made for apps. */
  connectByPassword: signedIn
    .input(AppSignIn.omit({ user_id: true }))
    .mutation(({ ctx, input }) => {
      const context = { timeoutMs: platformTimeoutMs };
      const asked = { ...input, user_id: ctx.user.id };
      return ctx.clients.connections.signIn.mutate(asked, { context });
    }),
  changeSettings: signedIn
    .input(z.object({ ...OneAccount.shape, settings: AccountSettings.partial() }))
    .mutation(({ ctx, input }) =>
      ctx.clients.accounts.changeSettings.mutate({ ...input, tenant: ctx.tenant }),
    ),
  disconnect: signedIn
    .input(OneAccount)
    .mutation(({ ctx, input }) =>
      ctx.clients.accounts.disconnect.mutate({ ...input, tenant: ctx.tenant }),
    ),
  /** What stands on the sandbox platform, newest first. */
  feed: signedIn
    .input(OneAccount)
    .query(({ ctx, input }) =>
      ctx.clients.accounts.sandboxFeed.query({ ...input, tenant: ctx.tenant }),
    ),
});
