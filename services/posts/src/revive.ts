import { type Clock, systemClock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import { counter } from '@perch/proto/metrics';
import type { Logger } from '@perch/proto/process';
import { postWorkflowId } from '@perch/proto/workflows';
import { type Client, WorkflowNotFoundError } from '@temporalio/client';
import type { Arming } from './arming.ts';

interface Deps {
  db: Database;
  temporal: Client;
  namespace: string;
  arming: Pick<Arming, 'arm'>;
  clock: Clock;
  log: Logger;
}

/** A post that is so late should have been taken up by its workflow. */
const lateMs = 10_000;
const batch = 100;
/** Looks at Temporal at the same time. */
const concurrentLooks = 8;
const askTimeoutMs = 3_000;

const revived = counter({
  name: 'perch_posts_revived_total',
  help: 'Late posts whose workflow was not there any more and was started again, by what was found.',
  labels: ['found'],
});

interface LatePost {
  id: string;
  version: number;
  run: number;
  traceparent: string | null;
  due_at: string;
}

/**
 * Looks at a batch of late posts whose workflow should be at work: where there is none, or it has ended, starts it
 * anew under the same id. What was sent is in the journal, so nothing goes out twice. Replicas take different posts.
 * Returns how many it looked at.
 */
export async function reviveLate(deps: Deps): Promise<number> {
  const now = deps.clock();
  // Ever more seldom, up to ten minutes: a post may rightly wait long for a platform that is away.
  const late = await deps.db.execute<LatePost>(
    `update post set look_again_at = ?::timestamptz + least(greatest(
       (?::timestamptz - coalesce(held_until, scheduled_at)) / 4, interval '30 seconds'), interval '10 minutes')
     where id in (
       select id from post
       where status in ('scheduled', 'publishing') and scheduled_at < ?
         and coalesce(held_until, scheduled_at) < ?
         and (armed_at is not null or status = 'publishing')
         and (look_again_at is null or look_again_at < ?)
       order by scheduled_at limit ? for update skip locked
     ) returning id, version, run, traceparent, coalesce(held_until, scheduled_at) as due_at`,
    [
      ...Array(2).fill(new Date(now)),
      ...Array(2).fill(new Date(now - lateMs)),
      new Date(now),
      batch,
    ],
  );
  const rest = late.values();
  const lanes = Array.from({ length: concurrentLooks }, async () => {
    for (const post of rest) await revive(deps, post);
  });
  await Promise.all(lanes);
  return late.length;
}

async function revive(deps: Deps, post: LatePost): Promise<void> {
  try {
    const found = await workflowStatus(deps.temporal, post);
    if (found === 'RUNNING' || !(await isOpen(deps.db, post.id))) return;
    const { id, version, run, traceparent } = post;
    await deps.arming.arm({ id, version, run, traceparent, scheduled_at: new Date(post.due_at) });
    revived.inc({ found: found.toLowerCase() });
    deps.log.warn({ postId: id, found }, 'workflow of a late post was gone; started it again');
  } catch (err) {
    deps.log.warn({ err, postId: post.id }, 'could not look after a late post; trying again');
  }
}

/** Whether it still waits to be sent: its workflow may have come to its end while we looked. */
async function isOpen(db: Database, postId: string): Promise<boolean> {
  const rows = await db.execute(
    "select id from post where id = ? and status in ('scheduled', 'publishing')",
    [postId],
  );
  return rows.length > 0;
}

async function workflowStatus(temporal: Client, post: LatePost): Promise<string> {
  try {
    // gRPC tells its deadlines by the machine's clock, whatever ours says.
    const { status } = await temporal.withDeadline(systemClock() + askTimeoutMs, () =>
      temporal.workflow.getHandle(postWorkflowId(post.id, post.run)).describe(),
    );
    return status.name;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return 'MISSING';
    throw error;
  }
}

/**
 * When Temporal has been started anew on an empty database, nothing of what was armed is known there: the whole
 * horizon is armed again, before it is late. Returns whether it was so.
 */
export async function armAnewWhereLost(deps: Deps): Promise<boolean> {
  const { namespaceInfo } = await deps.temporal.withDeadline(systemClock() + askTimeoutMs, () =>
    deps.temporal.workflowService.describeNamespace({ namespace: deps.namespace }),
  );
  const id = namespaceInfo?.id;
  if (!id) return false;
  const [known] = await deps.db.execute<{ namespace_id: string }>(
    'select namespace_id from armed_in',
  );
  if (known?.namespace_id === id) return false;
  const lost = await deps.db.fork().transactional(async (em) => {
    const [moved] = await em.execute(
      `insert into armed_in (namespace_id) values (?) on conflict (only_row)
       do update set namespace_id = excluded.namespace_id
       where armed_in.namespace_id <> excluded.namespace_id returning namespace_id`,
      [id],
    );
    if (!moved || !known) return 0;
    const posts: unknown[] = await em.execute(
      "update post set armed_at = null where status = 'scheduled' and armed_at is not null returning id",
    );
    // Deliveries that were under way are begun anew; receivers know repeated ones by their id.
    await em.execute("update webhook_delivery set started = false where status = 'pending'");
    return posts.length;
  });
  if (lost > 0) deps.log.error({ posts: lost }, 'Temporal has lost its workflows; arming all anew');
  return lost > 0;
}
