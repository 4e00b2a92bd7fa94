import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Nats } from '@perch/proto/nats';
import { type Health, type HealthCheck, healthOf } from '@perch/proto/rpc';
import type { RunningWorkers } from '@perch/proto/temporal-worker';
import { readBacklog } from './backlog.ts';

interface Deps {
  db: Database;
  nats: Nats;
  /** Null in a process that only answers calls. */
  worker: RunningWorkers | null;
  clock: Clock;
  armAheadMs: number;
}

/** Looks at the work and not only at the process: database, NATS, Temporal, pollers, the oldest overdue post. */
export async function health(deps: Deps): Promise<Health> {
  const [database, temporal, late] = await Promise.all([
    deps.db.checks(),
    deps.worker?.checks() ?? [],
    overdue(deps),
  ]);
  return healthOf([...database, deps.nats.check(), ...temporal, late]);
}

async function overdue(deps: Deps): Promise<HealthCheck> {
  const name = 'overdue posts';
  try {
    const { overdue: count, overdueId } = await readBacklog(deps);
    const detail =
      count === 0
        ? 'none'
        : `${count}, the oldest is ${overdueId}; look at Temporal and the workers`;
    return { name, ok: count === 0, detail };
  } catch (error) {
    return { name, ok: false, detail: error instanceof Error ? error.message : String(error) };
  }
}
