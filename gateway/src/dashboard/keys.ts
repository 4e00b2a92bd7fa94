import { NewKey } from '@perch/proto/accounts';
import { KeyId } from '@perch/proto/ids';
import { z } from 'zod';
import { idempotencyOf, Once, router, signedIn } from './procedure.ts';

const CreateKey = z.object({
  ...NewKey.omit({ user_id: true, idempotency: true }).shape,
  ...Once.shape,
});

/** The user's API keys (seed §5). */
export const keysRouter = router({
  list: signedIn.query(({ ctx }) => ctx.clients.accounts.listKeys.query({ user_id: ctx.user.id })),
  /** The secret is in this answer and never shown again. */
  create: signedIn.input(CreateKey).mutation(({ ctx, input }) => {
    const { idempotency_key: _, ...key } = input;
    const idempotency = idempotencyOf('keys.create', input);
    return ctx.clients.accounts.createKey.mutate({ ...key, user_id: ctx.user.id, idempotency });
  }),
  revoke: signedIn
    .input(z.object({ key_id: KeyId }))
    .mutation(({ ctx, input }) =>
      ctx.clients.accounts.revokeKey.mutate({ ...input, user_id: ctx.user.id }),
    ),
});
