import type { BillingDeps } from './deps.ts';
import { monthOf } from './month.ts';

const batch = 100;
const everyMs = 60_000;

type Deps = Pick<BillingDeps, 'db' | 'clients' | 'clock' | 'log' | 'monthlyCredits'>;

interface Due {
  user_id: string;
  plan: 'free' | 'paid';
}

/**
 * Grants the credits of this month to those who signed up in the dashboard and have not got them: at sign-in, so
 * that nobody waits, and by {@link startMonthlyGrants}. Once by user, month and plan: who changes to the paid plan
 * gets the paid plan's too, and nobody gains by changing to and fro. Users made by an operator get theirs from him.
 */
export async function grantMonth(deps: Deps, userId: string): Promise<void> {
  const [due] = await deps.db.execute<Due>(
    `select u.id as user_id, u.plan from app_user u where u.id = ? and u.password_hash is not null
     and not exists (select from monthly_grant g where g.user_id = u.id and g.month = ? and g.plan = u.plan)`,
    [userId, monthOf(deps.clock())],
  );
  if (due) await grant(deps, due);
}

/** Looks for users whose month has begun, now and then, until stopped. */
export function startMonthlyGrants(deps: Deps): () => Promise<void> {
  let round = Promise.resolve();
  const timer = setInterval(() => {
    round = grantAll(deps).catch((err: unknown) =>
      deps.log.warn({ err }, 'monthly credits not granted yet; the next round tries again'),
    );
  }, everyMs);
  return async () => {
    clearInterval(timer);
    await round;
  };
}

async function grantAll(deps: Deps): Promise<void> {
  const due = await deps.db.execute<Due>(
    `select u.id as user_id, u.plan from app_user u where u.password_hash is not null
     and not exists (select from monthly_grant g where g.user_id = u.id and g.month = ? and g.plan = u.plan)
     limit ?`,
    [monthOf(deps.clock()), batch],
  );
  for (const one of due) await grant(deps, one);
}

/** Granting again changes nothing: the ledger knows the key. So it is written down after the grant. */
async function grant(deps: Deps, { user_id, plan }: Due): Promise<void> {
  const month = monthOf(deps.clock());
  const credits = deps.monthlyCredits[plan];
  const reason = `${plan} plan, ${month}`;
  const idempotency_key = `monthly:${month}:${plan}`;
  if (credits > 0)
    await deps.clients.credits.grant.mutate({ user_id, credits, reason, idempotency_key });
  await deps.db.execute(
    'insert into monthly_grant (user_id, month, plan) values (?, ?, ?) on conflict do nothing',
    [user_id, month, plan],
  );
}
