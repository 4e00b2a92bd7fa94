import type { Downgrade, PlanStatus } from '@perch/proto/billing';
import { Fault } from '@perch/proto/faults';
import type { BillingDeps } from './deps.ts';
import { grantMonth } from './monthly-grant.ts';
import { downgradeOf, findSubscriber, status } from './status.ts';

/** The paid plan without paying; on it already, nothing changes. */
export async function activateDemoPlan(
  deps: BillingDeps,
  input: { user_id: string },
): Promise<PlanStatus> {
  requireDemo(deps);
  const user = await findSubscriber(deps, input.user_id);
  if (user.plan === 'free') {
    await deps.db.fork().transactional(async (em) => {
      await em.execute(
        `insert into subscription (user_id, source) values (?, 'demo')
         on conflict (user_id) do update set source = 'demo', renews_at = null, ends_at = null`,
        [user.id],
      );
      await em.execute("update app_user set plan = 'paid' where id = ?", [user.id]);
    });
    await grantMonth(deps, user.id);
  }
  return status(deps, input);
}

/** Back to the free plan; a plan that is paid for is ended where it is paid. */
export async function endDemoPlan(
  deps: BillingDeps,
  input: { user_id: string },
): Promise<Downgrade> {
  requireDemo(deps);
  const user = await findSubscriber(deps, input.user_id);
  if (user.plan === 'paid' && user.source !== 'demo') {
    const detail = 'this plan is not the demo plan; it ends where it is paid';
    throw new Fault('not_available', { detail });
  }
  await deps.db.execute("update app_user set plan = 'free' where id = ?", [user.id]);
  return downgradeOf(deps, input);
}

/** Credits without paying, once by the key. */
export async function demoTopUp(
  deps: BillingDeps,
  input: { user_id: string; idempotency_key: string },
): Promise<void> {
  requireDemo(deps);
  await deps.clients.credits.grant.mutate({
    user_id: input.user_id,
    credits: deps.topUpCredits,
    reason: 'demo top-up',
    idempotency_key: `demo:${input.idempotency_key}`.slice(0, 200),
  });
}

function requireDemo(deps: BillingDeps): void {
  if (!deps.demoPlan) throw new Fault('not_available', { detail: 'there is no demo plan here' });
}
