import { execFileSync } from 'node:child_process';
import { setTimeout } from 'node:timers/promises';
import type { Perch } from '../perch.ts';
import { fillUp } from './create.ts';
import { line } from './figures.ts';

const scheduled = 20_000;
const settleMs = 8_000;
const engines = ['postgres', 'nats', 'temporal'];

/** Memory of our processes after a start with nothing, and with many posts scheduled; and the time a start takes. */
export async function benchMemory(perch: Perch): Promise<void> {
  const empty = await freshStart(perch);
  await fillUp(perch, scheduled);
  const full = await freshStart(perch);
  line(
    'start, warm',
    `${(empty.startMs / 1_000).toFixed(1)} s, with ${scheduled} posts ${(full.startMs / 1_000).toFixed(1)} s`,
  );
  const growth = (full.ours / empty.ours).toFixed(2);
  line(
    'memory of our processes',
    `${empty.ours} MB with 0 posts, ${full.ours} MB with ${scheduled}: ratio ${growth}`,
  );
  line('memory of NATS and Temporal', `${empty.engines} MB, ${full.engines} MB`);
}

async function freshStart(perch: Perch) {
  await perch.halt();
  const started = performance.now();
  await perch.start();
  const startMs = performance.now() - started;
  await setTimeout(settleMs);
  const { pid, parts } = await perch.state();
  const rss = (pids: number[]) =>
    Math.round(pids.reduce((sum, one) => sum + rssKb(one), 0) / 1_024);
  const named = Object.entries(parts);
  const ours = named.flatMap(([name, part]) => (engines.includes(name) ? [] : [part.pid]));
  // PostgreSQL's processes share memory, and a sum of them would count it many times.
  const theirs = named.flatMap(([name, part]) =>
    name === 'nats' || name === 'temporal' ? [part.pid] : [],
  );
  return { startMs, ours: rss([pid, ...ours]), engines: rss(theirs) };
}

function rssKb(pid: number): number {
  return Number(execFileSync('ps', ['-o', 'rss=', '-p', String(pid)], { encoding: 'utf8' }));
}
