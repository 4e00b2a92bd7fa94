import { setTimeout } from 'node:timers/promises';
import { Client, Connection } from '@temporalio/client';
import type { Perch, TestUser } from '../perch.ts';
import type { barePost } from './bare-workflow.ts';
import { startChild } from './child.ts';
import { line, percentile } from './figures.ts';

const posts = 500;
/** Long enough for all of them to be waiting when they fall due. */
const leadMs = 25_000;
const perAccount = 7;

interface Timed {
  due: number;
  done: number;
}

/** Posts drained per second when all fall due in the same second, against a timer and one activity. */
export async function benchDrain(perch: Perch): Promise<void> {
  const ours = await drainPosts(perch);
  const { temporalAddress } = await perch.state();
  const bare = await drainBare(temporalAddress);
  line('drain, bare workflow', `${bare.toFixed(1)} posts/s`);
  line('drain, Perch', `${ours.toFixed(1)} posts/s, ratio ${(ours / bare).toFixed(2)} (goal 0.60)`);
}

/** Lateness of a steady trickle. */
export async function benchTrickle(
  perch: Perch,
  perSecond: number,
  forSeconds: number,
): Promise<void> {
  const user = await perch.user(10_000);
  const from = Date.now() + 10_000;
  const due = Array.from(
    { length: perSecond * forSeconds },
    (_, n) => from + (n * 1_000) / perSecond,
  );
  await create(user, due);
  await setTimeout(from + forSeconds * 1_000 - Date.now());
  const late = (await allPosted(user, due.length)).map((post) => post.posted - post.due);
  const figures = `p50 ${percentile(late, 0.5)} ms, p99 ${percentile(late, 0.99)} ms, max ${Math.max(...late)} ms`;
  line(`lateness at ${perSecond} posts/s, ${forSeconds} s`, figures);
}

async function drainPosts(perch: Perch): Promise<number> {
  const user = await perch.user(10_000);
  const due = Date.now() + leadMs;
  await create(user, Array(posts).fill(due));
  await setTimeout(due - Date.now());
  const done = await allPosted(user, posts);
  const late = done.map((post) => post.posted - post.due);
  line(
    'drain, lateness of the sends',
    `p50 ${percentile(late, 0.5)} ms, p99 ${percentile(late, 0.99)} ms`,
  );
  return rate(done.map((post) => ({ due: post.due, done: post.settled })));
}

async function create(user: TestUser, due: number[]): Promise<void> {
  let account_id = '';
  for (const [n, at] of due.entries()) {
    if (n % perAccount === 0) ({ account_id } = await user.account());
    const body = {
      account_id,
      tweets: [{ text: `bench ${n}` }],
      scheduled_at: new Date(at).toISOString(),
    };
    const answer = await user.api('POST', '/posts', body);
    if (answer.status !== 201) throw new Error(JSON.stringify(answer.body));
  }
}

async function allPosted(user: TestUser, count: number) {
  for (;;) {
    const done: { due: number; posted: number; settled: number }[] = [];
    for (let path: string | null = '/posts?status=posted&limit=100'; path !== null; ) {
      const { body } = await user.api('GET', path);
      for (const { scheduled_at, posted_at, updated_at } of body.data) {
        done.push({
          due: Date.parse(scheduled_at),
          posted: Date.parse(posted_at),
          settled: Date.parse(updated_at),
        });
      }
      path = body.has_more ? `/posts?status=posted&limit=100&cursor=${body.next_cursor}` : null;
    }
    if (done.length === count) return done;
    await setTimeout(1_000);
  }
}

async function drainBare(address: string): Promise<number> {
  const worker = await startChild('./bare-worker.ts', address);
  const connection = await Connection.connect({ address });
  const { workflow } = new Client({ connection });
  const due = Date.now() + leadMs;
  const waiting = Array.from({ length: posts }, async (_, n) => {
    const handle = await workflow.start<typeof barePost>('barePost', {
      taskQueue: 'bare',
      workflowId: `bare-${due}-${n}`,
      args: [due],
    });
    await handle.result();
    return { due, done: Date.now() };
  });
  const done = await Promise.all(waiting);
  await connection.close();
  await worker.stop();
  return rate(done);
}

function rate(done: Timed[]): number {
  const seconds =
    (Math.max(...done.map((one) => one.done)) - Math.min(...done.map((one) => one.due))) / 1_000;
  return done.length / seconds;
}
