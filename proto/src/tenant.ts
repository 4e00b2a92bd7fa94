import { z } from 'zod';
import { AccountId, UserId } from './ids.ts';

/** On whose behalf a call is made; every query that reads or writes a user's things is held to it. */
export const Tenant = z.object({
  user_id: UserId,
  account_ids: z
    .array(AccountId)
    .nullable()
    .describe('The only accounts that the API key may touch; null when it may touch all.'),
  mode: z
    .literal('test')
    .optional()
    .describe(
      'With a test key: only sandbox accounts, only posts made with test keys, no credits.',
    ),
});
export type Tenant = z.infer<typeof Tenant>;
