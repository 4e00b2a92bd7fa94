import type { Downgrade, PlanStatus } from '@perch/proto/billing';
import { toIso } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import type { BillingDeps } from './deps.ts';

/** The user's plan, and by what it is paid. */
export interface Subscriber {
  id: string;
  email: string;
  plan: 'free' | 'paid';
  source: 'stripe' | 'demo' | null;
  stripe_customer: string | null;
  renews_at: string | null;
  ends_at: string | null;
}

/** One user with what is known of the payment, or `not_found`. */
export async function findSubscriber(
  deps: Pick<BillingDeps, 'db'>,
  userId: string,
): Promise<Subscriber> {
  const [row] = await deps.db.execute<Subscriber>(
    `select u.id, u.email, u.plan, s.source, s.stripe_customer, s.renews_at, s.ends_at
     from app_user u left join subscription s on s.user_id = u.id where u.id = ?`,
    [userId],
  );
  if (!row) throw new Fault('not_found', { detail: 'no such user' });
  return row;
}

/** What the plan page shows. */
export async function status(deps: BillingDeps, input: { user_id: string }): Promise<PlanStatus> {
  const user = await findSubscriber(deps, input.user_id);
  const paid = user.plan === 'paid';
  const iso = (instant: string | null) => (paid && instant ? toIso(Date.parse(instant)) : null);
  return {
    plan: user.plan,
    source: paid ? (user.source ?? 'operator') : null,
    renews_at: iso(user.renews_at),
    ends_at: iso(user.ends_at),
    monthly_credits: deps.monthlyCredits,
    top_up_credits: deps.topUpCredits,
    stripe: deps.stripe !== null,
    stripe_top_up: Boolean(deps.stripe?.topUpPrice),
    demo: deps.demoPlan,
  };
}

/** What leaving the paid plan means: no API, and no follow-ups to posts that are scheduled. */
export async function downgradeOf(
  deps: BillingDeps,
  input: { user_id: string },
): Promise<Downgrade> {
  const { plan } = await findSubscriber(deps, input.user_id);
  const [keys] = await deps.db.execute<{ active: number }>(
    `select count(*)::int as active from api_key
     where user_id = ? and revoked_at is null and (expires_at is null or expires_at > ?)`,
    [input.user_id, new Date(deps.clock())],
  );
  const upcoming = await deps.clients.posts.upcoming.query({ user_id: input.user_id });
  return {
    plan,
    refused_keys: keys?.active ?? 0,
    scheduled_posts: upcoming.scheduled,
    without_auto_reply: upcoming.with_auto_reply,
    without_auto_retweet: upcoming.with_auto_retweet,
  };
}
