import { faultSteps } from '@perch/proto/fault-points';
import type { Post } from '@perch/proto/posts';
import { afterAll, beforeAll, expect, test } from 'vitest';
import type { z } from 'zod';
import { type Perch, startPerch, type TestUser } from '../perch.ts';
import { createGate, type Gate } from './gate.ts';

type StoredPost = z.infer<typeof Post>;

const tweetsPerPost = 2;
const postsPerAccount = 3;
const dueInMs = 4_000;

let gate: Gate;
let perch: Perch;

beforeAll(async () => {
  gate = await createGate();
  perch = await startPerch({ PERCH_FAULT_POINTS_URL: gate.url });
}, 120_000);
afterAll(async () => {
  gate?.open();
  await perch?.stop();
  await gate?.close();
}, 60_000);

// One post waits at every boundary between two steps, from due to charged; then the victim dies.
const victims: [string, (perch: Perch) => Promise<void>][] = [
  ['posts', (it) => it.kill('posts')],
  ['accounts', (it) => it.kill('accounts')],
  ['credits', (it) => it.kill('credits')],
  [
    'the gateway and media',
    async (it) => void (await Promise.all([it.kill('gateway'), it.kill('media')])),
  ],
  ['NATS', (it) => it.kill('nats')],
  ['Temporal', (it) => it.kill('temporal')],
  ['PostgreSQL', (it) => it.kill('postgres')],
  [
    'the whole stack',
    async (it) => {
      await it.killAll();
      gate.open();
      await it.start();
    },
  ],
];

test.for(victims)(
  'kill -9 of %s at every step loses no post, sends none twice, charges each once',
  { timeout: 180_000 },
  async ([, kill]) => {
    const user = await perch.user(1_000);
    const posts = await schedule(user);
    for (const [index, step] of faultSteps.entries()) gate.hold(step, posts[index]?.id ?? '');
    await gate.allHeld();
    await kill(perch);
    gate.open();
    await allPosted(user, posts.length);
    await expectEachOnce(user, posts);
  },
);

/** A post for every step, all due at the same moment. */
async function schedule(user: TestUser): Promise<StoredPost[]> {
  const scheduled_at = new Date(Date.now() + dueInMs).toISOString();
  const posts: StoredPost[] = [];
  let account_id = '';
  for (const [index, step] of faultSteps.entries()) {
    if (index % postsPerAccount === 0) ({ account_id } = await user.account());
    const tweets = Array.from({ length: tweetsPerPost }, (_, tweet) => ({
      text: `${step} ${tweet}`,
    }));
    const answer = await user.api('POST', '/posts', { account_id, tweets, scheduled_at });
    expect(answer.status, JSON.stringify(answer.body)).toBe(201);
    posts.push(answer.body);
  }
  return posts;
}

async function allPosted(user: TestUser, count: number): Promise<void> {
  await expect
    .poll(
      async () => {
        const { body } = await user.api('GET', '/posts?limit=100').catch(() => ({ body: null }));
        return body?.data?.map((post: StoredPost) => post.status) ?? [];
      },
      { timeout: 120_000, interval: 500 },
    )
    .toEqual(Array.from({ length: count }, () => 'posted'));
}

async function expectEachOnce(user: TestUser, posts: StoredPost[]): Promise<void> {
  const tenant = { user_id: user.id, account_ids: null };
  const texts: string[] = [];
  for (const account_id of new Set(posts.map((post) => post.account_id))) {
    const feed = await perch.clients.accounts.sandboxFeed.query({ tenant, account_id });
    texts.push(...feed.map((post) => post.text));
  }
  expect(texts.sort()).toEqual(
    posts.flatMap((post) => post.tweets.map((tweet) => tweet.text)).sort(),
  );
  const { body: ledger } = await user.api('GET', '/credits/entries?limit=100');
  const charged = ledger.data.flatMap((entry: { post_id: string | null }) => entry.post_id ?? []);
  expect(charged.sort()).toEqual(posts.map((post) => post.id).sort());
  const { body: credits } = await user.api('GET', '/credits');
  expect([credits.balance, credits.reserved]).toEqual([1_000 - posts.length, 0]);
}
