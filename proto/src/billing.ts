import { z } from 'zod';
import { Plan } from './accounts.ts';
import { UserId } from './ids.ts';
import { type Call, procedure, router } from './rpc.ts';

/** What a user pays for, since when, and what it brings. */
export const PlanStatus = z.object({
  plan: Plan,
  source: z
    .enum(['stripe', 'demo', 'operator'])
    .nullable()
    .describe('By what the plan is paid; null on the free one.'),
  renews_at: z.iso.datetime().nullable().describe('When Stripe charges next.'),
  ends_at: z.iso.datetime().nullable().describe('When a subscription that was cancelled ends.'),
  monthly_credits: z.object({ free: z.number().int(), paid: z.number().int() }),
  top_up_credits: z.number().int().describe('What one top-up adds.'),
  stripe: z.boolean().describe('Whether Stripe is set up here.'),
  stripe_top_up: z.boolean().describe('Whether credits can be bought here.'),
  demo: z.boolean().describe('Whether the demo plan and demo top-ups can be had here.'),
});
export type PlanStatus = z.infer<typeof PlanStatus>;

/** What leaving the paid plan means, in numbers. */
export const Downgrade = z.object({
  plan: Plan,
  refused_keys: z.number().int().describe('Active API keys that answer 403 on the free plan.'),
  scheduled_posts: z.number().int().describe('They still go out.'),
  without_auto_reply: z.number().int().describe('Of them, those that go out without it.'),
  without_auto_retweet: z.number().int().describe('Of them, those that go out without it.'),
});
export type Downgrade = z.infer<typeof Downgrade>;

const OfUser = z.object({ user_id: UserId });
const Redirect = z.object({ url: z.url().describe('A page of Stripe, to send the user to.') });
const TopUp = z.object({ user_id: UserId, idempotency_key: z.string().min(8).max(200) });
const StripeWebhook = z.object({
  payload: z.string().max(500_000),
  signature: z.string().max(2_000),
});

/** Plans and what is paid, served by accounts. `not_available` where neither Stripe nor the demo is set up. */
export interface Billing {
  status(input: z.output<typeof OfUser>, call: Call): Promise<PlanStatus>;
  /** What leaving the paid plan would mean now; changes nothing. */
  previewDowngrade(input: z.output<typeof OfUser>, call: Call): Promise<Downgrade>;
  /** Stripe Checkout for the paid plan. `already_exists` on it, `not_available`. */
  checkout(input: z.output<typeof OfUser>, call: Call): Promise<{ url: string }>;
  /** Stripe's own page for cards, invoices and cancelling. `not_available` without a customer. */
  portal(input: z.output<typeof OfUser>, call: Call): Promise<{ url: string }>;
  /** Stripe Checkout for credits, once. `not_available`. */
  topUp(input: z.output<typeof TopUp>, call: Call): Promise<{ url: string }>;
  /** The paid plan without paying, for trying Perch out. `not_available` unless it is switched on. */
  activateDemoPlan(input: z.output<typeof OfUser>, call: Call): Promise<PlanStatus>;
  /** Back to the free plan, and what that means. `not_available` for a plan that is not the demo's. */
  endDemoPlan(input: z.output<typeof OfUser>, call: Call): Promise<Downgrade>;
  /** Credits without paying, once by the key. `not_available` unless it is switched on. */
  demoTopUp(input: z.output<typeof TopUp>, call: Call): Promise<void>;
  /** What Stripe tells; `invalid_request` without its signature. Each event is taken once. */
  stripeEvent(input: z.output<typeof StripeWebhook>, call: Call): Promise<void>;
}

/** The wire form of {@link Billing}. */
export const billingRouter = (billing: Billing) =>
  router({
    status: procedure
      .input(OfUser)
      .output(PlanStatus)
      .query(({ input, ctx }) => billing.status(input, ctx)),
    previewDowngrade: procedure
      .input(OfUser)
      .output(Downgrade)
      .query(({ input, ctx }) => billing.previewDowngrade(input, ctx)),
    checkout: procedure
      .input(OfUser)
      .output(Redirect)
      .mutation(({ input, ctx }) => billing.checkout(input, ctx)),
    portal: procedure
      .input(OfUser)
      .output(Redirect)
      .mutation(({ input, ctx }) => billing.portal(input, ctx)),
    topUp: procedure
      .input(TopUp)
      .output(Redirect)
      .mutation(({ input, ctx }) => billing.topUp(input, ctx)),
    activateDemoPlan: procedure
      .input(OfUser)
      .output(PlanStatus)
      .mutation(({ input, ctx }) => billing.activateDemoPlan(input, ctx)),
    endDemoPlan: procedure
      .input(OfUser)
      .output(Downgrade)
      .mutation(({ input, ctx }) => billing.endDemoPlan(input, ctx)),
    demoTopUp: procedure.input(TopUp).mutation(({ input, ctx }) => billing.demoTopUp(input, ctx)),
    stripeEvent: procedure
      .input(StripeWebhook)
      .mutation(({ input, ctx }) => billing.stripeEvent(input, ctx)),
  });
export type BillingRouter = ReturnType<typeof billingRouter>;
