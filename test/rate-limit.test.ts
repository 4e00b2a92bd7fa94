import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@perch/local/ports';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Answer, type Perch, startPerch } from './perch.ts';

const limit = 300;
const ipLimit = 2_000;
let perch: Perch;
let second: ChildProcess;
let secondUrl = '';

beforeAll(async () => {
  const env = {
    PERCH_KEY_RATE_PER_MINUTE: String(limit),
    PERCH_IP_RATE_PER_MINUTE: String(ipLimit),
    PERCH_TRUSTED_PROXIES: '1',
  };
  perch = await startPerch(env);
  const { port } = await freePorts({ port: 0 });
  secondUrl = `http://127.0.0.1:${port}`;
  second = fork(fileURLToPath(new URL('../gateway/src/main.ts', import.meta.url)), {
    env: {
      ...process.env,
      ...env,
      PORT: String(port),
      NATS_URL: (await perch.state()).natsUrl,
      PERCH_PUBLIC_URL: secondUrl,
      PERCH_LOG_LEVEL: 'error',
    },
  });
  await once(second, 'message');
}, 120_000);
afterAll(async () => {
  second?.kill();
  await perch?.stop();
});

/** Long enough before the minute is over for what a test does in it. */
async function startOfMinute(): Promise<void> {
  const leftMs = 60_000 - (Date.now() % 60_000);
  if (leftMs < 15_000) await new Promise((resolve) => setTimeout(resolve, leftMs + 50));
}

test('two gateway replicas hold the limit of a key within 2 %', { timeout: 60_000 }, async () => {
  const user = await perch.user(0);
  await startOfMinute();
  const answers = await Promise.all(
    Array.from({ length: limit * 2 }, (_, n) =>
      user.api('GET', '/credits', undefined, {}, n % 2 === 0 ? perch.url : secondUrl),
    ),
  );
  const counts = Map.groupBy(answers, (answer) => answer.status);
  expect([...counts.keys()].sort()).toEqual([200, 429]);
  expect(counts.get(200)?.length).toBeLessThanOrEqual(limit);
  expect(counts.get(200)?.length).toBeGreaterThanOrEqual(limit * 0.98);
  expectLimited(counts.get(429)?.[0], 'key', limit);
  // Another key is not touched by it.
  const other = await (await perch.user(0)).api('GET', '/credits');
  expect([other.status, other.headers.get('ratelimit-policy')]).toEqual([
    200,
    `"key";q=${limit};w=60`,
  ]);
});

test('one address is limited before its key is looked at', { timeout: 60_000 }, async () => {
  await startOfMinute();
  const from = { 'x-forwarded-for': '203.0.113.7' };
  const answers = await Promise.all(
    Array.from({ length: ipLimit + 1 }, () =>
      perch.api('perch_live_none', 'GET', '/credits', undefined, from),
    ),
  );
  const limited = answers.filter((answer) => answer.status === 429);
  expect(limited).toHaveLength(1);
  expectLimited(limited[0], 'ip', ipLimit);
  const elsewhere = { 'x-forwarded-for': '203.0.113.8' };
  const other = await perch.api('perch_live_none', 'GET', '/credits', undefined, elsewhere);
  expect(other.status).toBe(401);
});

/** The 429 says when to come back, in every way that clients look for. */
function expectLimited(answer: Answer | undefined, policy: string, quota: number): void {
  const seconds = Number(answer?.headers.get('retry-after'));
  expect(seconds).toBeGreaterThan(0);
  expect(seconds).toBeLessThanOrEqual(60);
  expect(answer?.headers.get('ratelimit')).toMatch(new RegExp(`^"${policy}";r=0;t=\\d+$`));
  expect(answer?.body).toMatchObject({
    code: 'rate_limited',
    retryable: true,
    limit: quota,
    retry_after_seconds: seconds,
  });
}
