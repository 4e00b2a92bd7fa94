import { setTimeout } from 'node:timers/promises';
import { Agent, fetch } from 'undici';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { percentile } from '../load/figures.ts';
import { type Perch, startPerch, type TestUser } from '../perch.ts';
import { type Balancer, startBalancer } from './balancer.ts';
import { processNames, type Replicas, restartSupervised, startReplicas } from './replicas.ts';

const perSecond = 50;
/** One request in ten makes a post that falls due soon after. */
const postEvery = 10;
const leadMs = 3_000;
const perAccount = 7;
const accounts = 130;
const env = {
  PERCH_DRAIN_SECONDS: '2',
  PERCH_AUTH_CACHE_MS: '2000',
  PERCH_KEY_RATE_PER_MINUTE: '1000000',
  PERCH_IP_RATE_PER_MINUTE: '1000000',
  PERCH_LOG_LEVEL: 'warn',
};

let perch: Perch;
let replicas: Replicas;
let balancer: Balancer;
/** Keeps a connection for less than the gateway drains, as a balancer before it must be set to. */
const agent = new Agent({ keepAliveTimeout: 1_000, keepAliveMaxTimeout: 1_000 });

beforeAll(async () => {
  perch = await startPerch(env);
  replicas = await startReplicas(perch, env);
  balancer = await startBalancer([perch.url, replicas.gatewayUrl]);
}, 180_000);
afterAll(async () => {
  await agent.close();
  await balancer?.stop();
  await replicas?.stop();
  await perch?.stop();
}, 120_000);

interface Load {
  asked: number;
  failures: string[];
  created: string[];
}

/** Asks at a steady pace, whatever the answers take, until stopped; then waits for the last answer. */
function startLoad(user: TestUser, accountIds: string[]): { stop(): Promise<Load> } {
  const load: Load = { asked: 0, failures: [], created: [] };
  const open = new Set<Promise<void>>();
  const ask = async (n: number) => {
    const post = n % postEvery === 0;
    const body = {
      account_id: accountIds[Math.floor(n / postEvery / perAccount) % accountIds.length],
      tweets: [{ text: `rolling ${n}` }],
      scheduled_at: new Date(Date.now() + leadMs).toISOString(),
    };
    try {
      const response = await fetch(`${balancer.url}/api/v1/posts${post ? '' : '?limit=1'}`, {
        method: post ? 'POST' : 'GET',
        headers: {
          authorization: `Bearer ${user.secret}`,
          ...(post && { 'content-type': 'application/json' }),
        },
        ...(post && { body: JSON.stringify(body) }),
        dispatcher: agent,
      });
      const answer = (await response.json()) as { id?: string };
      if (!response.ok) load.failures.push(`${response.status} ${JSON.stringify(answer)}`);
      else if (post && answer.id) load.created.push(answer.id);
    } catch (error) {
      const { message, cause } = error as Error;
      load.failures.push(`${post ? 'POST' : 'GET'} ${message}: ${String(cause)}`);
    }
  };
  const startedMs = performance.now();
  // By the clock and not by ticks, which a busy machine leaves out.
  const timer = setInterval(() => {
    const due = ((performance.now() - startedMs) * perSecond) / 1_000;
    while (load.asked < due) {
      const asking = ask(load.asked++).finally(() => open.delete(asking));
      open.add(asking);
    }
  }, 1_000 / perSecond);
  return {
    stop: async () => {
      clearInterval(timer);
      await Promise.all(open);
      return load;
    },
  };
}

test('a rolling restart of everything, at 50 requests a second, loses no request, sends nothing twice, and keeps posts on time', {
  timeout: 420_000,
}, async () => {
  const user = await perch.user(10_000);
  const accountIds: string[] = [];
  while (accountIds.length < accounts) accountIds.push((await user.account()).account_id);
  const load = startLoad(user, accountIds);
  await setTimeout(3_000);
  for (const name of processNames) {
    await replicas.restart(name);
    await restartSupervised(perch, name);
  }
  const { asked, failures, created } = await load.stop();
  expect([failures.length, failures.slice(0, 5)]).toEqual([0, []]);
  expect(created).toHaveLength(Math.ceil(asked / postEvery));
  const late: number[] = [];
  for (const id of created) {
    const read = async () => (await user.api('GET', `/posts/${id}`)).body;
    await expect.poll(async () => (await read()).status, { timeout: 60_000 }).toBe('posted');
    const { posted_at, scheduled_at } = await read();
    late.push(Date.parse(posted_at) - Date.parse(scheduled_at));
  }
  const sent: string[] = [];
  for (const account_id of accountIds) {
    const tenant = { user_id: user.id, account_ids: null };
    const feed = await perch.clients.accounts.sandboxFeed.query({ tenant, account_id });
    sent.push(...feed.map(({ text }) => text));
  }
  expect(sent).toHaveLength(created.length);
  expect(new Set(sent).size).toBe(sent.length);
  const p99 = percentile(late, 0.99);
  console.log(
    `rolling restart: ${asked} requests, ${created.length} posts, late p50 ${percentile(late, 0.5)} ms, p99 ${p99} ms`,
  );
  expect(p99).toBeLessThan(2_000);
});
