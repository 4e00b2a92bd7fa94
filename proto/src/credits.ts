import { z } from 'zod';
import { PostId, UserId } from './ids.ts';
import { PageRequest, pageOf } from './pages.ts';
import { type Call, Health, procedure, router } from './rpc.ts';

const Credits = z.number().int().positive().max(1_000_000_000);

/** What a user has: `available` is `balance` less what posts being sent hold. */
export const Balance = z.object({
  balance: z.number().int().describe('Credits owned, including those reserved.'),
  reserved: z.number().int().describe('Held by posts that are being sent; not charged yet.'),
  available: z.number().int().describe('What a new post can use.'),
});
export type Balance = z.infer<typeof Balance>;

/** What a test key has, whatever it publishes. */
export const testBalance: Balance = { balance: 1_000_000, reserved: 0, available: 1_000_000 };

/** One line of the ledger; lines are never changed, and they add up to the balance. */
export const LedgerEntry = z
  .object({
    id: z.string(),
    kind: z.enum(['grant', 'charge']),
    credits: z.number().int().describe('What the balance changed by; negative for a charge.'),
    balance_after: z.number().int().describe('The balance right after it.'),
    reason: z.string().describe('For a person.'),
    post_id: PostId.nullable().describe('The post that was charged for.'),
    created_at: z.iso.datetime(),
  })
  .meta({ id: 'CreditEntry' });
export type LedgerEntry = z.infer<typeof LedgerEntry>;

/** The credits that one post holds: at most one reservation ever exists for a post. */
export const Reservation = z.object({
  post_id: PostId,
  credits: z.number().int(),
  state: z.enum(['held', 'captured', 'released']),
  balance_after: z.number().int().nullable().default(null).describe('Right after the charge.'),
});
export type Reservation = z.infer<typeof Reservation>;

const Grant = z.object({
  user_id: UserId,
  credits: Credits,
  reason: z.string().min(1).max(200),
  idempotency_key: z.string().min(1).max(200).describe('The same key grants once.'),
});
const Reserve = z.object({ user_id: UserId, post_id: PostId, credits: Credits });
const OfPost = z.object({ post_id: PostId });
const OfUser = z.object({ user_id: UserId });
const EntriesRequest = z.object({ user_id: UserId, ...PageRequest.shape });
/** A page of the ledger. */
export const EntriesPage = pageOf(LedgerEntry);

/** The credits service: a ledger with holds. A balance is never negative, a post is charged at most once. */
export interface CreditsService {
  grant(input: z.output<typeof Grant>, call: Call): Promise<Balance>;
  /** Holds credits for a post. `insufficient_credits` {available, reserved, required}. Again: the same answer. */
  reserve(input: z.output<typeof Reserve>, call: Call): Promise<Reservation>;
  /** Charges what the post holds, once; `not_found` when it never held any. A released one stays released. */
  capture(input: z.output<typeof OfPost>, call: Call): Promise<Reservation>;
  /** Gives back what the post holds; a captured one stays captured, none at all is nothing to do. */
  release(input: z.output<typeof OfPost>, call: Call): Promise<Reservation | null>;
  balance(input: z.output<typeof OfUser>, call: Call): Promise<Balance>;
  entries(input: z.output<typeof EntriesRequest>, call: Call): Promise<z.infer<typeof EntriesPage>>;
  health(call: Call): Promise<Health>;
}

/** The wire form of {@link CreditsService}. */
export const creditsRouter = (credits: CreditsService) =>
  router({
    grant: procedure
      .input(Grant)
      .output(Balance)
      .mutation(({ input, ctx }) => credits.grant(input, ctx)),
    reserve: procedure
      .input(Reserve)
      .output(Reservation)
      .mutation(({ input, ctx }) => credits.reserve(input, ctx)),
    capture: procedure
      .input(OfPost)
      .output(Reservation)
      .mutation(({ input, ctx }) => credits.capture(input, ctx)),
    release: procedure
      .input(OfPost)
      .output(Reservation.nullable())
      .mutation(({ input, ctx }) => credits.release(input, ctx)),
    balance: procedure
      .input(OfUser)
      .output(Balance)
      .query(({ input, ctx }) => credits.balance(input, ctx)),
    entries: procedure
      .input(EntriesRequest)
      .output(EntriesPage)
      .query(({ input, ctx }) => credits.entries(input, ctx)),
    health: procedure.output(Health).query(({ ctx }) => credits.health(ctx)),
  });
export type CreditsRouter = ReturnType<typeof creditsRouter>;
