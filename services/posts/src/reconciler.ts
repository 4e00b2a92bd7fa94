import { auditCharges } from './audit-charges.ts';
import { armAnewWhereLost, reviveLate } from './revive.ts';

type Deps = Parameters<typeof auditCharges>[0] & Parameters<typeof reviveLate>[0];

/** Between two rounds; a lost workflow makes its post late by little more than this. */
const everyMs = 5_000;

/**
 * Puts right what should never happen, in all replicas at once, until stopped: posts whose workflow was lost,
 * charges that do not fit. Each round does a bounded piece of each.
 */
export function startReconciler(deps: Deps): () => Promise<void> {
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;
  let round = Promise.resolve();
  const go = () => {
    round = reconcile(deps).then(() => {
      if (!stopped) timer = setTimeout(go, everyMs);
    });
  };
  go();
  return async () => {
    stopped = true;
    clearTimeout(timer);
    await round;
  };
}

async function reconcile(deps: Deps): Promise<void> {
  for (const work of [armAnewWhereLost, reviveLate, auditCharges]) {
    // One that can not go on, as while Temporal is away, holds up no other.
    await work(deps).catch((err: unknown) =>
      deps.log.warn(
        { err, work: work.name },
        'reconciler: a step failed; the next round tries again',
      ),
    );
  }
}
