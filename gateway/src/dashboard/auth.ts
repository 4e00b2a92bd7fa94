import { Email, Password } from '@perch/proto/identity';
import { SessionId } from '@perch/proto/ids';
import { z } from 'zod';
import { begin, open, router, signedIn } from './procedure.ts';

const Link = z.object({ token: z.string().min(1).max(200) });

/** Signing up, in and out; the sessions of who is signed in. */
export const authRouter = router({
  /** Who is signed in, or `not_signed_in`. */
  session: signedIn.query(({ ctx: { user, session } }) => ({ user, session })),
  /** The same answer for a new address and for a known one; the rest is in the mail. */
  signUp: open
    .input(z.object({ email: Email, password: Password }))
    .mutation(async ({ ctx, input }) => {
      const asked = { ...input, origin: ctx.origin };
      ctx.setBinding((await ctx.clients.identity.signUp.mutate(asked)).binding);
      return {};
    }),
  /**
   * Takes the link of the sign-up mail, and signs in. In another browser than the one that signed up it needs the
   * password too, and is `invalid_credentials` without.
   */
  confirm: open
    .input(z.object({ ...Link.shape, password: z.string().max(1_000).optional() }))
    .mutation(async ({ ctx, input }) => {
      const { token, password = null } = input;
      const { binding, origin } = ctx;
      const asked = { token, password, binding, origin };
      const session = await ctx.clients.identity.confirm.mutate(asked);
      ctx.setBinding(null);
      return begin(ctx, session);
    }),
  signIn: open
    .input(z.object({ email: Email, password: z.string().max(1_000) }))
    .mutation(async ({ ctx, input }) => {
      const asked = { ...input, origin: ctx.origin };
      const session = await ctx.clients.identity.signIn.mutate(asked);
      // The session before, if there was one, is not carried into this one.
      if (ctx.token) await ctx.clients.identity.signOut.mutate({ token: ctx.token });
      return begin(ctx, session);
    }),
  signOut: open.mutation(async ({ ctx }) => {
    if (ctx.token) await ctx.clients.identity.signOut.mutate({ token: ctx.token });
    ctx.setToken(null);
    return {};
  }),
  /** The same answer whether the address is known or not. */
  requestPasswordReset: open.input(z.object({ email: Email })).mutation(async ({ ctx, input }) => {
    await ctx.clients.identity.requestPasswordReset.mutate({ ...input, origin: ctx.origin });
    return {};
  }),
  resetPassword: open
    .input(z.object({ ...Link.shape, password: Password }))
    .mutation(async ({ ctx, input }) => {
      const asked = { ...input, origin: ctx.origin };
      return begin(ctx, await ctx.clients.identity.resetPassword.mutate(asked));
    }),
  changePassword: signedIn
    .input(z.object({ current: z.string().max(1_000), password: Password }))
    .mutation(async ({ ctx, input }) => {
      const asked = { ...input, user_id: ctx.user.id, origin: ctx.origin };
      return begin(ctx, await ctx.clients.identity.changePassword.mutate(asked));
    }),
  listSessions: signedIn.query(async ({ ctx }) => {
    const sessions = await ctx.clients.identity.listSessions.query({ user_id: ctx.user.id });
    return sessions.map((session) => ({ ...session, current: session.id === ctx.session.id }));
  }),
  endSession: signedIn
    .input(z.object({ session_id: SessionId }))
    .mutation(async ({ ctx, input }) => {
      await ctx.clients.identity.endSession.mutate({ ...input, user_id: ctx.user.id });
      if (input.session_id === ctx.session.id) ctx.setToken(null);
      return {};
    }),
});
