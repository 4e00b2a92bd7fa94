import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Perch, startPerch, type TestUser } from '../perch.ts';
import { type FaultProxy, startFaultProxy } from './fault-proxy.ts';
import { startX, type XServer } from './x/start.ts';
import { sha256 } from './x/world.ts';

// Against a stand-in of ours: no server of X can be had.
const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);
let server: XServer;
let proxy: FaultProxy;
let perch: Perch;

beforeAll(async () => {
  server = await startX();
  proxy = await startFaultProxy(server.url);
  perch = await startPerch({ ...server.env(proxy.url), PERCH_REPLY_EVERY_SECONDS: '1' });
});
afterAll(async () => {
  await perch?.stop();
  await proxy?.stop();
  await server?.stop();
});

test('an account of X is connected, its thread stands once, and only who may be is answered', async () => {
  const user = await perch.user(20);
  const { accountId, remoteId } = await server.connect(perch, user.id);
  const posts = () => server.posts(remoteId);
  const texts = async () => (await posts()).map((post) => post.text);
  proxy.plan({
    kind: 'reset after the platform took it',
    matches: ({ path, body }) => path === '/2/tweets' && body.includes('of two'),
    times: 1,
  });
  const created = await user.api('POST', '/posts', {
    account_id: accountId,
    publish_now: true,
    tweets: [{ text: 'A thread' }, { text: 'of two', media_ids: [await picture(user)] }],
    auto_reply: { enabled: true, max: 3, text: 'Thank you, {name}' },
  });
  expect(created.status).toBe(201);
  const state = async () => (await user.api('GET', `/posts/${created.body.id}`)).body;
  await expect.poll(async () => (await state()).status, { timeout: 30_000 }).toBe('posted');
  expect(await texts()).toEqual(['A thread', 'of two']);
  const [root, second] = await posts();
  expect(second).toMatchObject({ inReplyTo: root?.id, media: 1 });
  expect((await state()).tweets[1].url).toMatch(`/status/${second?.id}`);
  const shown = [...server.world.media.values()].at(-1);
  expect(shown?.sha256).toBe(sha256(png, 'hex'));

  const [fan, stranger] = [server.account(), server.account()];
  server.tweetAs(stranger, `@${server.world.accounts.get(remoteId)?.username} something else`);
  server.tweetAs(fan, 'Well said', root?.id);
  await expect.poll(texts).toContain(`Thank you, ${fan.name}`);
  expect(await texts()).toHaveLength(3);
}, 60_000);

async function picture(user: TestUser): Promise<string> {
  const form = new FormData();
  form.append('file', new Blob([png], { type: 'image/png' }), 'pixel.png');
  return (await user.api('POST', '/media', form)).body.id;
}
