import { TimeZone } from '@perch/proto/accounts';
import { limits } from '@perch/proto/limits';
import { PageRequest } from '@perch/proto/pages';
import { z } from 'zod';
import { router, signedIn } from './procedure.ts';

/** The user's credits. */
export const creditsRouter = router({
  balance: signedIn.query(async ({ ctx }) => {
    const [balance, pricing] = await Promise.all([
      ctx.clients.credits.balance.query({ user_id: ctx.user.id }),
      ctx.clients.posts.pricing.query(),
    ]);
    return { ...balance, pricing };
  }),
  entries: signedIn
    .input(PageRequest)
    .query(({ ctx, input }) =>
      ctx.clients.credits.entries.query({ ...input, user_id: ctx.user.id }),
    ),
  /** What came and went on each of the last days. */
  daily: signedIn
    .input(
      z.object({
        days: z.number().int().min(1).max(limits.creditDays).default(30),
        time_zone: TimeZone.default('UTC'),
      }),
    )
    .query(({ ctx, input }) => ctx.clients.credits.daily.query({ ...input, user_id: ctx.user.id })),
});
