import { Fault } from '@perch/proto/faults';
import type { Stripe } from 'stripe';
import type { BillingDeps, StripeSettings } from './deps.ts';
import { grantMonth } from './monthly-grant.ts';
import { asked, requireStripe } from './stripe-pages.ts';

const toleranceSeconds = 300;
/** With these a subscription is paid for, or still may be. */
const paying = ['active', 'trialing', 'past_due'];

/**
 * Takes what Stripe tells. Events come in any order and more than once: each is taken once by its id, and of a
 * subscription they only say that it has changed; how it stands is asked. Throws `invalid_request` unless Stripe
 * has signed it just now.
 */
export async function stripeEvent(
  deps: BillingDeps,
  input: { payload: string; signature: string },
): Promise<void> {
  const stripe = requireStripe(deps);
  const event = verified(deps, stripe, input);
  const known = await deps.db.execute('select from stripe_event where id = ?', [event.id]);
  if (known.length > 0) return;
  await take(deps, stripe, event);
  // After it is done: whatever breaks off before, Stripe tells again, and all of it can be repeated.
  await deps.db.execute(
    'insert into stripe_event (id, taken_at) values (?, ?) on conflict do nothing',
    [event.id, new Date(deps.clock())],
  );
}

function verified(
  deps: BillingDeps,
  stripe: StripeSettings,
  input: { payload: string; signature: string },
): Stripe.Event {
  try {
    return stripe.client.webhooks.constructEvent(
      input.payload,
      input.signature,
      stripe.webhookSecret,
      toleranceSeconds,
      undefined,
      deps.clock(),
    );
  } catch (cause) {
    throw new Fault(
      'invalid_request',
      { detail: 'the event has no signature of Stripe' },
      { cause },
    );
  }
}

async function take(deps: BillingDeps, stripe: StripeSettings, event: Stripe.Event): Promise<void> {
  switch (event.type) {
    case 'checkout.session.completed':
    case 'checkout.session.async_payment_succeeded': {
      const session = event.data.object;
      if (session.mode === 'subscription') await refresh(deps, stripe, idOf(session.subscription));
      else if (session.payment_status === 'paid') await addTopUp(deps, session);
      return;
    }
    case 'customer.subscription.created':
    case 'customer.subscription.updated':
    case 'customer.subscription.deleted':
      return refresh(deps, stripe, event.data.object.id);
    case 'invoice.paid':
      return refresh(
        deps,
        stripe,
        idOf(event.data.object.parent?.subscription_details?.subscription),
      );
    default:
      return;
  }
}

/** Sets the plan by how the subscription stands now. */
async function refresh(
  deps: BillingDeps,
  stripe: StripeSettings,
  subscriptionId: string | null,
): Promise<void> {
  if (!subscriptionId) return;
  const found = await asked(() => stripe.client.subscriptions.retrieve(subscriptionId));
  const customer = idOf(found.customer);
  const [user] = await deps.db.execute<{ user_id: string; stripe_subscription: string | null }>(
    'select user_id, stripe_subscription from subscription where stripe_customer = ?',
    [customer],
  );
  if (!user) {
    deps.log.warn({ subscriptionId }, 'Stripe tells of a customer who is none of ours');
    return;
  }
  const paid = paying.includes(found.status);
  // An old subscription that ends must not end the one that came after it.
  const other = user.stripe_subscription !== null && user.stripe_subscription !== found.id;
  if (other && !paid) return;
  const [item] = found.items.data;
  await deps.db.fork().transactional(async (em) => {
    await em.execute(
      `update subscription set source = 'stripe', stripe_subscription = ?, renews_at = ?, ends_at = ?
       where user_id = ?`,
      [
        paid ? found.id : null,
        paid && !found.cancel_at ? instantOf(item?.current_period_end) : null,
        paid ? instantOf(found.cancel_at) : null,
        user.user_id,
      ],
    );
    await em.execute('update app_user set plan = ? where id = ?', [
      paid ? 'paid' : 'free',
      user.user_id,
    ]);
  });
  await grantMonth(deps, user.user_id);
}

/** Adds what was bought, once by the checkout. */
async function addTopUp(deps: BillingDeps, session: Stripe.Checkout.Session): Promise<void> {
  const [user] = await deps.db.execute<{ user_id: string }>(
    'select user_id from subscription where stripe_customer = ?',
    [idOf(session.customer)],
  );
  const credits = Number(session.metadata?.['top_up_credits']);
  if (!user || !Number.isSafeInteger(credits) || credits <= 0) return;
  await deps.clients.credits.grant.mutate({
    user_id: user.user_id,
    credits,
    reason: 'top-up',
    idempotency_key: `stripe:${session.id}`.slice(0, 200),
  });
}

function idOf(thing: string | { id: string } | null | undefined): string | null {
  return typeof thing === 'string' ? thing : (thing?.id ?? null);
}

function instantOf(seconds: number | null | undefined): Date | null {
  return seconds ? new Date(seconds * 1_000) : null;
}
