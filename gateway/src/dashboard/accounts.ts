import { AccountSettings, NewSandboxAccount } from '@perch/proto/accounts';
import { AccountId } from '@perch/proto/ids';
import { z } from 'zod';
import { accountsWithDay } from '../rest/accounts.ts';
import { router, signedIn } from './procedure.ts';

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
