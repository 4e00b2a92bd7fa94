import { Fault } from '@perch/proto/faults';
import { Stripe } from 'stripe';
import type { BillingDeps, StripeSettings } from './deps.ts';
import { findSubscriber, type Subscriber } from './status.ts';

/** Stripe's page to subscribe on. What was paid is heard from its events alone, never from the browser's return. */
export async function checkout(
  deps: BillingDeps,
  input: { user_id: string },
): Promise<{ url: string }> {
  const stripe = requireStripe(deps);
  const user = await findSubscriber(deps, input.user_id);
  if (user.plan === 'paid')
    throw new Fault('already_exists', { detail: 'you are on the paid plan' });
  const customer = await customerOf(deps, stripe, user);
  const session = await asked(() =>
    stripe.client.checkout.sessions.create({
      mode: 'subscription',
      customer,
      client_reference_id: user.id,
      line_items: [{ price: stripe.price, quantity: 1 }],
      subscription_data: { metadata: { user_id: user.id } },
      ...returnUrls(deps),
    }),
  );
  return pageOf(session);
}

/** Stripe's page to buy credits on, once by the key. */
export async function topUp(
  deps: BillingDeps,
  input: { user_id: string; idempotency_key: string },
): Promise<{ url: string }> {
  const stripe = requireStripe(deps);
  if (!stripe.topUpPrice) throw new Fault('not_available', { detail: 'no credits are sold here' });
  const price = stripe.topUpPrice;
  const user = await findSubscriber(deps, input.user_id);
  const customer = await customerOf(deps, stripe, user);
  const session = await asked(() =>
    stripe.client.checkout.sessions.create(
      {
        mode: 'payment',
        customer,
        client_reference_id: user.id,
        line_items: [{ price, quantity: 1 }],
        metadata: { user_id: user.id, top_up_credits: String(deps.topUpCredits) },
        ...returnUrls(deps),
      },
      { idempotencyKey: `${user.id}:${input.idempotency_key}` },
    ),
  );
  return pageOf(session);
}

/** Stripe's page of the user's cards, invoices and subscription. */
export async function portal(
  deps: BillingDeps,
  input: { user_id: string },
): Promise<{ url: string }> {
  const stripe = requireStripe(deps);
  const { stripe_customer: customer } = await findSubscriber(deps, input.user_id);
  if (!customer) throw new Fault('not_available', { detail: 'you have not paid by Stripe yet' });
  const session = await asked(() =>
    stripe.client.billingPortal.sessions.create({
      customer,
      return_url: new URL('/app/plan', deps.publicUrl).href,
    }),
  );
  return pageOf(session);
}

/** Stripe as it is set up here, or `not_available`. */
export function requireStripe(deps: Pick<BillingDeps, 'stripe'>): StripeSettings {
  if (deps.stripe) return deps.stripe;
  throw new Fault('not_available', { detail: 'Stripe is not set up here' });
}

/** What Stripe is asked; `service_unavailable` when it does not answer or refuses. */
export async function asked<T>(question: () => Promise<T>): Promise<T> {
  try {
    return await question();
  } catch (cause) {
    if (!(cause instanceof Stripe.errors.StripeError)) throw cause;
    throw new Fault('service_unavailable', { detail: 'Stripe can not be asked now' }, { cause });
  }
}

/** The user's customer at Stripe: made once, however often it is asked for. */
async function customerOf(
  deps: BillingDeps,
  stripe: StripeSettings,
  user: Subscriber,
): Promise<string> {
  if (user.stripe_customer) return user.stripe_customer;
  const customer = await asked(() =>
    stripe.client.customers.create(
      { email: user.email, metadata: { user_id: user.id } },
      { idempotencyKey: `customer:${user.id}` },
    ),
  );
  await deps.db.execute(
    `insert into subscription (user_id, source, stripe_customer) values (?, 'stripe', ?)
     on conflict (user_id) do update set stripe_customer = excluded.stripe_customer`,
    [user.id, customer.id],
  );
  return customer.id;
}

function returnUrls(deps: BillingDeps) {
  const page = (outcome: string) => new URL(`/app/plan?checkout=${outcome}`, deps.publicUrl).href;
  return { success_url: page('done'), cancel_url: page('cancelled') };
}

function pageOf(session: { url: string | null }): { url: string } {
  if (!session.url) throw new Fault('service_unavailable', { detail: 'Stripe gave no page' });
  return { url: session.url };
}
