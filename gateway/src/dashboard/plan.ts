import { idempotencyOf, Once, router, signedIn } from './procedure.ts';

/** The user's plan, and what is paid. */
export const planRouter = router({
  get: signedIn.query(({ ctx }) => ctx.clients.billing.status.query({ user_id: ctx.user.id })),
  /** What leaving the paid plan would mean now; changes nothing. */
  previewDowngrade: signedIn.query(({ ctx }) =>
    ctx.clients.billing.previewDowngrade.query({ user_id: ctx.user.id }),
  ),
  /** A page of Stripe, to send the browser to; so are `portal` and `topUp`. */
  checkout: signedIn.mutation(({ ctx }) =>
    ctx.clients.billing.checkout.mutate({ user_id: ctx.user.id }),
  ),
  portal: signedIn.mutation(({ ctx }) =>
    ctx.clients.billing.portal.mutate({ user_id: ctx.user.id }),
  ),
  topUp: signedIn.input(Once).mutation(({ ctx, input }) =>
    ctx.clients.billing.topUp.mutate({
      user_id: ctx.user.id,
      idempotency_key: idempotencyOf('plan.topUp', input).key,
    }),
  ),
  activateDemoPlan: signedIn.mutation(({ ctx }) =>
    ctx.clients.billing.activateDemoPlan.mutate({ user_id: ctx.user.id }),
  ),
  endDemoPlan: signedIn.mutation(({ ctx }) =>
    ctx.clients.billing.endDemoPlan.mutate({ user_id: ctx.user.id }),
  ),
  demoTopUp: signedIn.input(Once).mutation(async ({ ctx, input }) => {
    await ctx.clients.billing.demoTopUp.mutate({
      user_id: ctx.user.id,
      idempotency_key: idempotencyOf('plan.demoTopUp', input).key,
    });
    return {};
  }),
});
