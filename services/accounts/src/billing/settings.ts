import { z } from 'zod';
import type { StripeSettings } from './deps.ts';
import { openStripe } from './open-stripe.ts';

/** What plans and payments are set by. */
export const billingSettings = {
  /** Whether the paid plan can be had without paying; for trying Perch out. */
  PERCH_DEMO_PLAN: z.stringbool().default(false),
  /** Stripe's secret key, the secret of its webhook at `/webhooks/stripe`, and the price of the paid plan. */
  PERCH_STRIPE_SECRET_KEY: z.string().optional(),
  PERCH_STRIPE_WEBHOOK_SECRET: z.string().optional(),
  PERCH_STRIPE_PRICE: z.string().optional(),
  /** The price of a top-up; without it no credits are sold. */
  PERCH_STRIPE_TOP_UP_PRICE: z.string().optional(),
  /** Where Stripe's API is, for tests. */
  PERCH_STRIPE_URL: z.url().default('https://api.stripe.com'),
  /** Credits that who signed up gets each month, by plan. */
  PERCH_MONTHLY_CREDITS_FREE: z.coerce.number().int().min(0).default(20),
  PERCH_MONTHLY_CREDITS_PAID: z.coerce.number().int().min(0).default(500),
  /** Credits of one top-up. */
  PERCH_TOP_UP_CREDITS: z.coerce.number().int().min(1).default(500),
};

type Settings = z.output<z.ZodObject<typeof billingSettings>>;

/** The settings in the words of the code. */
export function readBilling(s: Settings) {
  return {
    demoPlan: s.PERCH_DEMO_PLAN,
    stripe: stripeOf(s),
    monthlyCredits: { free: s.PERCH_MONTHLY_CREDITS_FREE, paid: s.PERCH_MONTHLY_CREDITS_PAID },
    topUpCredits: s.PERCH_TOP_UP_CREDITS,
  };
}

/** Stripe is on only where all that it needs is set. */
function stripeOf(s: Settings): StripeSettings | null {
  const {
    PERCH_STRIPE_SECRET_KEY: secretKey,
    PERCH_STRIPE_WEBHOOK_SECRET: webhookSecret,
    PERCH_STRIPE_PRICE: price,
  } = s;
  if (!secretKey || !webhookSecret || !price) return null;
  const topUpPrice = s.PERCH_STRIPE_TOP_UP_PRICE ?? null;
  return { client: openStripe(secretKey, s.PERCH_STRIPE_URL), webhookSecret, price, topUpPrice };
}
