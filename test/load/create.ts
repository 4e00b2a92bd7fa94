import autocannon from 'autocannon';
import type { Perch } from '../perch.ts';
import { startChild } from './child.ts';
import { line } from './figures.ts';

const connections = 32;
const warmUpSeconds = 5;
const seconds = 10;
const accounts = 100;
const dayMs = 86_400_000;

/** POST /posts against a bare Fastify handler with one INSERT; the posts stay scheduled. */
export async function benchCreate(perch: Perch, databaseUrl: string): Promise<void> {
  const bare = await startChild('./bare-fastify.ts', databaseUrl);
  const body = JSON.stringify({
    account_id: 'acc',
    tweets: [{ text: 'bench' }],
    scheduled_at: new Date().toISOString(),
  });
  const baseline = await cannon(`${bare.said}/posts`, {}, () => body);
  await bare.stop();
  const { secret, bodies } = await posters(perch);
  const ours = await cannon(
    `${perch.url}/api/v1/posts`,
    { authorization: `Bearer ${secret}` },
    bodies,
  );
  line('POST, Fastify + one INSERT', `${baseline.rate.toFixed(0)}/s, p99 ${baseline.p99} ms`);
  const ratio = (ours.rate / baseline.rate).toFixed(2);
  line(
    'POST /posts, Perch',
    `${ours.rate.toFixed(0)}/s, p99 ${ours.p99} ms, ratio ${ratio} (goal 0.35)`,
  );
}

/** Schedules posts until there are so many, a few days ahead. */
export async function fillUp(perch: Perch, count: number): Promise<void> {
  const { user, bodies } = await posters(perch);
  let left = count;
  const lanes = Array.from({ length: connections }, async () => {
    while (left-- > 0) {
      const { status, body } = await user.api('POST', '/posts', bodies());
      if (status !== 201) throw new Error(JSON.stringify(body));
    }
  });
  await Promise.all(lanes);
}

/** A user whose accounts have room for every body: seven tweets per account and day, days ahead. */
async function posters(perch: Perch) {
  const user = await perch.user(0);
  const ids: string[] = [];
  for (let n = 0; n < accounts; n++) ids.push((await user.account()).account_id);
  let made = 0;
  const bodies = () => {
    const n = made++;
    const day = 2 + Math.floor(n / (accounts * 7));
    const scheduled_at = new Date(Date.now() + day * dayMs).toISOString();
    return JSON.stringify({
      account_id: ids[n % accounts],
      tweets: [{ text: `bench ${n}` }],
      scheduled_at,
    });
  };
  return { user, secret: user.secret, bodies };
}

async function cannon(url: string, headers: Record<string, string>, body: () => string) {
  const fire = (duration: number) =>
    autocannon({
      url,
      connections,
      duration,
      method: 'POST',
      headers: { 'content-type': 'application/json', ...headers },
      requests: [{ setupRequest: (request) => ({ ...request, body: body() }) }],
    });
  // Both sides run code that was compiled well, as a server does that has been up for a while.
  await fire(warmUpSeconds);
  const result = await fire(seconds);
  if (result.non2xx > 0) throw new Error(`${result.non2xx} answers were not 201`);
  return { rate: result.requests.average, p99: result.latency.p99 };
}
