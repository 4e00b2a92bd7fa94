import { z } from 'zod';
import { Balance, EntriesPage, Reservation } from './credits.ts';
import { PostId, UserId } from './ids.ts';
import { manyOf, PagesRequest } from './pages.ts';
import { type Call, procedure, router } from './rpc.ts';

const BalanceOfUser = z.object({ user_id: UserId, ...Balance.shape });

/** What operators see in credits, across all users; asked by the operators' part of the gateway alone. */
export interface CreditsOversight {
  /** What each of these users has, also of those who never had any. */
  balances(input: string[], call: Call): Promise<z.infer<typeof BalanceOfUser>[]>;
  /** A page of each of these users' ledgers, in the order asked for. */
  entries(input: PagesRequest, call: Call): Promise<z.infer<typeof EntriesPage>[]>;
  /** What these posts hold or held. */
  reservations(input: string[], call: Call): Promise<Reservation[]>;
}

/** The wire form of {@link CreditsOversight}. */
export const creditsOversightRouter = (credits: CreditsOversight) =>
  router({
    balances: procedure
      .input(manyOf(UserId))
      .output(z.array(BalanceOfUser))
      .query(({ input, ctx }) => credits.balances(input, ctx)),
    entries: procedure
      .input(PagesRequest)
      .output(z.array(EntriesPage))
      .query(({ input, ctx }) => credits.entries(input, ctx)),
    reservations: procedure
      .input(manyOf(PostId))
      .output(z.array(Reservation))
      .query(({ input, ctx }) => credits.reservations(input, ctx)),
  });
export type CreditsOversightRouter = ReturnType<typeof creditsOversightRouter>;
