import { type Clock, systemClock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Logger } from '@perch/proto/process';
import { inSpan, placeOf } from '@perch/proto/tracing';
import { type PublishPost, postWorkflowId, taskQueues } from '@perch/proto/workflows';
import type { Client } from '@temporalio/client';
import type { StoredPost } from './post.ts';
import type { publishPost } from './workflow/publish-post.ts';

/** Sees to it that every post that is due soon has its workflow, and that the workflow knows its last version. */
export interface Arming {
  /** Arms a post that was just written, unless it is due later than the horizon; never fails, never waits. */
  soon(post: StoredPost): void;
  /** Tells a workflow that its post has changed, as far as it can be told. */
  wake(post: StoredPost): void;
  /** Starts the workflow of one post; never fails, for the sweep and the reconciler come again. */
  arm(post: Armable): Promise<void>;
  /** Arms what nobody armed; returns how many. */
  sweep(): Promise<number>;
  /** Sweeps from now on until {@link stop}. */
  start(): void;
  stop(): Promise<void>;
}

/** What is told of a post to start its workflow. */
export type Armable = Pick<StoredPost, 'id' | 'version' | 'run' | 'scheduled_at' | 'traceparent'>;

/** Starts towards Temporal at the same time; it takes about 100 a second (design). */
const concurrentStarts = 16;
/** A start that takes longer is left to the next sweep. */
const startTimeoutMs = 3_000;
/** Posts waiting to be armed at once; what is more is left to the sweep. */
const maxWaiting = 500;
/** Between two sweeps; with the age below this keeps "armed within 5 s". */
const sweepEveryMs = 1_000;
/** A post younger than this is still in the hands of whoever wrote it. */
const sweepAgeMs = 2_000;
const sweepBatch = 500;

/** The arming over one database and one Temporal. */
export function createArming(deps: {
  db: Database;
  temporal: Client;
  clock: Clock;
  log: Logger;
  /** Posts due later than this from now stay rows. */
  armAheadMs: number;
  policy: { retryForMs: number; reconcileForMs: number };
}): Arming {
  const { db, temporal, clock, log } = deps;
  const waiting: Armable[] = [];
  const running = new Set<Promise<void>>();
  let stopped = false;
  let timer: NodeJS.Timeout | undefined;

  function soon(post: StoredPost): void {
    if (stopped || post.scheduled_at.getTime() > clock() + deps.armAheadMs) return;
    if (waiting.length >= maxWaiting) return;
    waiting.push(post);
    next();
  }

  function next(): void {
    while (running.size < concurrentStarts) {
      const post = waiting.shift();
      if (!post) return;
      const arming = arm(post).finally(() => {
        running.delete(arming);
        next();
      });
      running.add(arming);
    }
  }

  async function arm(post: Armable): Promise<void> {
    try {
      // gRPC tells its deadlines by the machine's clock, whatever ours says.
      const deadlineMs = systemClock() + startTimeoutMs;
      await inSpan(stepOf(post), () =>
        temporal.withDeadline(deadlineMs, () =>
          startWorkflow(temporal, inputOf(post), post.version),
        ),
      );
      await db.execute('update post set armed_at = ? where id = ? and version = ?', [
        new Date(clock()),
        post.id,
        post.version,
      ]);
    } catch (err) {
      log.warn({ err, postId: post.id }, 'post not armed; the next sweep tries again');
    }
  }

  function inputOf(post: Armable): PublishPost {
    return {
      post_id: post.id,
      run: post.run,
      due_at_ms: post.scheduled_at.getTime(),
      retry_for_ms: deps.policy.retryForMs,
      reconcile_for_ms: deps.policy.reconcileForMs,
    };
  }

  async function sweep(): Promise<number> {
    const rows: (Omit<Armable, 'scheduled_at'> & { scheduled_at: string })[] = await db
      .fork()
      .execute(
        `select id, version, run, scheduled_at, traceparent from post
       where status = 'scheduled' and armed_at is null and scheduled_at < ? and updated_at < ?
       order by scheduled_at limit ?`,
        [new Date(clock() + deps.armAheadMs), new Date(clock() - sweepAgeMs), sweepBatch],
      );
    const due = rows.map((row) => ({ ...row, scheduled_at: new Date(row.scheduled_at) }));
    await inTurns(due, arm);
    return due.length;
  }

  async function sweepOn(): Promise<void> {
    const swept = await sweep().catch((err: unknown) => {
      log.warn({ err }, 'sweep failed; the next one tries again');
      return 0;
    });
    if (!stopped) timer = setTimeout(() => void sweepOn(), swept === sweepBatch ? 0 : sweepEveryMs);
  }

  return {
    soon,
    wake: (post) => {
      if (post.armed_at === null) return;
      temporal.workflow
        .getHandle<typeof publishPost>(postWorkflowId(post.id, post.run))
        .signal('changed')
        .catch((err: unknown) =>
          log.info({ err, postId: post.id }, 'workflow not woken; it ends when due'),
        );
    },
    arm,
    sweep,
    start: () => void sweepOn(),
    stop: async () => {
      stopped = true;
      clearTimeout(timer);
      waiting.length = 0;
      await Promise.all(running);
    },
  };
}

/** Part of the trace that created the post, also when a sweep arms it days later. */
function stepOf({ id, traceparent }: Armable) {
  const attributes = { 'perch.post_id': id };
  return { name: 'arm', kind: 'hands_on' as const, attributes, parent: placeOf(traceparent) };
}

/** Starting again is harmless: the workflow's id is the post's. A changed post also wakes the workflow. */
async function startWorkflow(temporal: Client, input: PublishPost, version: number): Promise<void> {
  const options = {
    taskQueue: taskQueues.posts,
    workflowId: postWorkflowId(input.post_id, input.run),
    workflowIdConflictPolicy: 'USE_EXISTING' as const,
    args: [input] as Parameters<typeof publishPost>,
  };
  if (version === 1) await temporal.workflow.start<typeof publishPost>('publishPost', options);
  else
    await temporal.workflow.signalWithStart<typeof publishPost, []>('publishPost', {
      ...options,
      signal: 'changed',
      signalArgs: [],
    });
}

/** Runs `work` on each item, so many at a time. */
async function inTurns<T>(items: T[], work: (item: T) => Promise<void>): Promise<void> {
  const rest = items.values();
  const lanes = Array.from({ length: concurrentStarts }, async () => {
    for (const item of rest) await work(item);
  });
  await Promise.all(lanes);
}
