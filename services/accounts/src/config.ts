import type { MailMode } from '@perch/proto/identity';
import {
  EncryptionKeys,
  parseSettings,
  serviceSettings,
  temporalSettings,
} from '@perch/proto/settings';
import { z } from 'zod';
import type { StripeSettings } from './billing/deps.ts';
import { openStripe } from './billing/open-stripe.ts';

const hourMs = 3_600_000;

const Settings = z
  .object({
    ...serviceSettings,
    ...temporalSettings,
    /** Encrypts the tokens of connected accounts: `k2:<base64>,k1:<base64>`; the first encrypts, all decrypt. */
    PERCH_TOKEN_KEYS: EncryptionKeys,
    /** The address of the gateway that browsers use, for links in mails; platforms and Stripe send people back to it. */
    PERCH_PUBLIC_URL: z.url(),
    /** How long a send to a real platform may take before its outcome is unknown. */
    PERCH_SEND_TIMEOUT_SECONDS: z.coerce.number().min(0.1).max(120).default(30),
    /** Whether servers of platforms may be on `http://localhost:<port>`; for trying things out on one machine. */
    PERCH_PLATFORM_LOOPBACK: z.stringbool().default(false),
    /** `local` keeps mails on a page that anyone who reaches the dashboard can read: for one machine. Unset, they leave by PERCH_SMTP_URL. */
    PERCH_MAIL: z.literal('local').optional(),
    /** Where mails leave: `smtp://user:password@host:port`, or `smtps:`. */
    PERCH_SMTP_URL: z.url({ protocol: /^smtps?$/ }).optional(),
    /** The sender of mails. */
    PERCH_MAIL_FROM: z.string().default('Perch <perch@localhost>'),
    /** A session of the dashboard that is not used for so long has expired. In hours; 14 days unless set. */
    PERCH_SESSION_IDLE_HOURS: z.coerce.number().positive().default(336),
    /** No session lasts longer. In hours; 30 days unless set. */
    PERCH_SESSION_MAX_HOURS: z.coerce.number().positive().max(720).default(720),
    /** Sign-ins, and sign-ups and resets, from one IP: in 15 minutes, and in an hour. */
    PERCH_ATTEMPTS_PER_IP: z.coerce.number().int().min(1).default(100),
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
  })
  .refine((s) => s.PERCH_MAIL !== 'local' || isLoopback(s.PERCH_PUBLIC_URL), {
    path: ['PERCH_MAIL'],
    message: 'local shows every mail to everyone; it is for a PERCH_PUBLIC_URL on localhost alone',
  });

/** What the settings say of platforms. */
export type PlatformSettings = ReturnType<typeof readConfig>['platforms'];

/** Reads and checks the environment; throws one message that lists every mistake. */
export function readConfig(env: Readonly<Record<string, string | undefined>>) {
  const s = parseSettings(Settings, env);
  return {
    databaseUrl: s.DATABASE_URL,
    databasePool: s.PERCH_DATABASE_POOL,
    natsUrl: s.NATS_URL,
    logLevel: s.PERCH_LOG_LEVEL,
    temporal: { address: s.TEMPORAL_ADDRESS, namespace: s.TEMPORAL_NAMESPACE },
    tokenKeys: s.PERCH_TOKEN_KEYS,
    platforms: {
      publicUrl: s.PERCH_PUBLIC_URL,
      sendTimeoutMs: s.PERCH_SEND_TIMEOUT_SECONDS * 1_000,
      loopback: s.PERCH_PLATFORM_LOOPBACK,
    },
    faultPointsUrl: s.PERCH_FAULT_POINTS_URL,
    publicUrl: s.PERCH_PUBLIC_URL,
    mailMode: mailModeOf(s),
    smtpUrl: s.PERCH_MAIL === 'local' ? null : (s.PERCH_SMTP_URL ?? null),
    mailFrom: s.PERCH_MAIL_FROM,
    sessionIdleMs: s.PERCH_SESSION_IDLE_HOURS * hourMs,
    sessionMaxMs: s.PERCH_SESSION_MAX_HOURS * hourMs,
    attemptsPerIp: s.PERCH_ATTEMPTS_PER_IP,
    demoPlan: s.PERCH_DEMO_PLAN,
    stripe: stripeOf(s),
    monthlyCredits: { free: s.PERCH_MONTHLY_CREDITS_FREE, paid: s.PERCH_MONTHLY_CREDITS_PAID },
    topUpCredits: s.PERCH_TOP_UP_CREDITS,
  };
}

function mailModeOf(s: z.output<typeof Settings>): MailMode {
  if (s.PERCH_MAIL === 'local') return 'local';
  return s.PERCH_SMTP_URL ? 'smtp' : 'off';
}

/** Stripe is on only where all that it needs is set. */
function stripeOf(s: z.output<typeof Settings>): StripeSettings | null {
  const {
    PERCH_STRIPE_SECRET_KEY: secretKey,
    PERCH_STRIPE_WEBHOOK_SECRET: webhookSecret,
    PERCH_STRIPE_PRICE: price,
  } = s;
  if (!secretKey || !webhookSecret || !price) return null;
  const topUpPrice = s.PERCH_STRIPE_TOP_UP_PRICE ?? null;
  return { client: openStripe(secretKey, s.PERCH_STRIPE_URL), webhookSecret, price, topUpPrice };
}

function isLoopback(url: string): boolean {
  return ['localhost', '127.0.0.1', '[::1]'].includes(new URL(url).hostname);
}
