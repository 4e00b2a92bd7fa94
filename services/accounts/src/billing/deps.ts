import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Logger } from '@perch/proto/process';
import type { Stripe } from 'stripe';

/** What Perch sells by Stripe. */
export interface StripeSettings {
  client: Stripe;
  /** By which events are known to come from Stripe. */
  webhookSecret: string;
  /** The price of the paid plan, a recurring one. */
  price: string;
  /** The price of a top-up, paid once; null where none are sold. */
  topUpPrice: string | null;
}

/** All that plans and payments may use. */
export interface BillingDeps {
  db: Database;
  clients: Pick<Clients, 'credits' | 'posts'>;
  clock: Clock;
  log: Logger;
  /** The address of the gateway, where Stripe sends the browser back to. */
  publicUrl: string;
  stripe: StripeSettings | null;
  /** Whether the paid plan can be had without paying, for trying Perch out. */
  demoPlan: boolean;
  monthlyCredits: { free: number; paid: number };
  topUpCredits: number;
}
