import type { PostEvent } from '@perch/proto/posts';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import type { z } from 'zod';
import { type Perch, startPerch, type TestUser } from './perch.ts';

let perch: Perch;
beforeAll(async () => {
  perch = await startPerch({ PERCH_REPLY_EVERY_SECONDS: '1', PERCH_REPLY_FOR_SECONDS: '60' });
}, 120_000);
afterAll(() => perch?.stop(), 60_000);

// A busy account: as many posts as its day allows, each sent slowly, and each with replies that are sent slowly.
const busyPosts = 7;
const quietPosts = 5;

test('an account that is busy as can be delays no other', async () => {
  const user = await perch.user(1_000);
  const alone = await latenessMs(user);
  const busy = await Promise.all(Array.from({ length: 4 }, () => keepBusy(user)));
  const beside = await latenessMs(user);
  await Promise.all(busy.flat().map((id) => posted(user, id)));
  const said = `alone ${alone} ms, beside 4 busy accounts ${beside} ms`;
  // A slow send takes 3 s: had one waited for another, it would show.
  expect(beside, said).toBeLessThan(Math.max(2_000, 4 * alone));
}, 120_000);

/** Posts and replies whose every send takes three seconds. */
async function keepBusy(user: TestUser): Promise<string[]> {
  const { account_id } = await user.account();
  const answers = await Promise.all(
    Array.from({ length: busyPosts }, (_, index) =>
      user.api('POST', '/posts', {
        account_id,
        publish_now: true,
        tweets: [{ text: `${index} [[sandbox:slow]] [[sandbox:replies:9]]` }],
        auto_reply: { enabled: true, max: 100, text: '[[sandbox:slow]] thanks {handle}' },
      }),
    ),
  );
  return answers.map(({ status, body }) => {
    expect(status, JSON.stringify(body)).toBe(201);
    return body.id;
  });
}

/** The worst time from due to posted of a quiet account's posts. */
async function latenessMs(user: TestUser): Promise<number> {
  const { account_id } = await user.account();
  const late: number[] = [];
  for (let index = 0; index < quietPosts; index++) {
    const { body } = await user.api('POST', '/posts', {
      account_id,
      publish_now: true,
      tweets: [{ text: `quiet ${index}` }],
    });
    const post = await posted(user, body.id);
    late.push(Date.parse(post.posted_at) - Date.parse(post.scheduled_at));
  }
  return Math.max(...late);
}

function posted(user: TestUser, id: string) {
  return vi.waitFor(
    async () => {
      const { body } = await user.api('GET', `/posts/${id}`);
      expect(body.status).toBe('posted');
      return body;
    },
    { timeout: 60_000, interval: 50 },
  );
}

test('while a platform asks to wait, the timeline says until when', async () => {
  const user = await perch.user(10);
  const { account_id } = await user.account();
  const { body } = await user.api('POST', '/posts', {
    account_id,
    publish_now: true,
    tweets: [{ text: '[[sandbox:rate-limit]]' }],
  });
  await posted(user, body.id);
  const { body: timeline } = await user.api('GET', `/posts/${body.id}/events`);
  const waits = timeline.data.filter(
    (event: z.infer<typeof PostEvent>) => event.type === 'post.waiting',
  );
  expect(waits).toEqual([
    expect.objectContaining({
      data: { until: expect.any(String), detail: 'the sandbox is rate limited' },
    }),
  ]);
});
