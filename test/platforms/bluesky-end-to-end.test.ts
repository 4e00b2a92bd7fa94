import { readConfig } from '@perch/local/config';
import { loadSecrets } from '@perch/local/secrets';
import { createCipher } from '@perch/proto/cipher';
import { EncryptionKeys } from '@perch/proto/settings';
import pg from 'pg';
import { type Browser, chromium } from 'playwright-core';
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest';
import { type Perch, startPerch, type TestUser } from '../perch.ts';
import { blueskyEngine } from './bluesky/engine.ts';
import type { BlueskyPerson } from './bluesky/person.ts';
import { type Bluesky, startBluesky } from './bluesky/start-bluesky.ts';

const ci = Boolean(process.env['CI']);
const engine = await blueskyEngine(readConfig(process.env).cacheDir, console.log).catch(
  (error: Error) => {
    if (ci) throw error;
    console.warn(`${error.message}\nThe tests against Bluesky's servers are skipped.`);
    return null;
  },
);
/** Debian's, unless told. */
const executablePath = process.env['PERCH_CHROMIUM'] ?? '/usr/bin/chromium';
const settings = { posting_window: { opens: '00:00', closes: '24:00' } };

let bluesky: Bluesky;
let perch: Perch;
let browser: Browser | null = null;

beforeAll(async () => {
  if (!engine) return;
  bluesky = await startBluesky(engine, inject('postgresUrl'));
  perch = await startPerch({ ...bluesky.env(bluesky.url), PERCH_REPLY_EVERY_SECONDS: '1' });
  browser = await chromium
    .launch({ executablePath, args: ['--no-sandbox'] })
    .catch((error: Error) => (ci ? Promise.reject(error) : null));
}, 180_000);
afterAll(async () => {
  await browser?.close();
  await perch?.stop();
  await bluesky?.stop();
}, 60_000);

const testReal = test.skipIf(!engine);

/** Goes the way of a person: the link, Perch's page, the server's own sign-in and consent, and back. */
async function consent(user: TestUser, person: BlueskyPerson, choice: string): Promise<string> {
  const { url } = await perch.clients.connections.create.mutate({
    user_id: user.id,
    platform: 'bluesky',
    server: person.handle,
    settings,
  });
  const page = await (browser as Browser).newPage();
  try {
    await page.goto(url);
    await page.getByRole('button', { name: 'Continue to Bluesky' }).click();
    await page.getByRole('textbox', { name: 'Password' }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in' }).click();
    await page.getByRole('button', { name: choice }).click();
    await page.waitForURL('**/connect/bluesky/callback?**');
    return (await page.getByRole('heading').textContent()) ?? '';
  } finally {
    await page.close();
  }
}

async function connected(user: TestUser): Promise<{ account_id: string; status: string }> {
  const [account] = (await user.api('GET', '/accounts')).body.data;
  return account;
}

async function publish(user: TestUser, body: object): Promise<string> {
  const answer = await user.api('POST', '/posts', { publish_now: true, ...body });
  expect(answer.status, JSON.stringify(answer.body)).toBe(201);
  return answer.body.id;
}

async function ended(user: TestUser, id: string) {
  return vi.waitFor(
    async () => {
      const { body } = await user.api('GET', `/posts/${id}`);
      expect(body.status).toMatch(/^(posted|failed)$/);
      return body;
    },
    { timeout: 30_000, interval: 200 },
  );
}

/** Makes the access token of an account one that the server does not take, as time does. */
async function spoilAccessToken(accountId: string): Promise<void> {
  const url = new URL(await perch.postgresUrl());
  url.pathname = '/perch_accounts';
  const client = new pg.Client(url.href);
  await client.connect();
  const cipher = createCipher(EncryptionKeys.parse((await loadSecrets(perch.home)).tokenKeys));
  const place = `connected_account|${accountId}|credentials`;
  const select = 'select credentials from connected_account where id = $1';
  const sealed = (await client.query(select, [accountId])).rows[0].credentials;
  const credentials = JSON.parse(cipher.decrypt(sealed, place));
  if (credentials.kind === 'oauth') credentials.tokenSet.access_token = 'spoilt.spoilt.spoilt';
  else credentials.accessJwt = 'spoilt.spoilt.spoilt';
  const update = 'update connected_account set credentials = $2 where id = $1';
  await client.query(update, [accountId, cipher.encrypt(JSON.stringify(credentials), place)]);
  await client.end();
}

const png = Buffer.from(
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
  'base64',
);

testReal(
  'connected on its consent page, an account publishes a thread with an image',
  {
    timeout: 90_000,
  },
  async ({ skip }) => {
    if (!browser) skip('there is no Chromium');
    const user = await perch.user(10);
    const person = await bluesky.person();
    expect(await consent(user, person, 'Authorize')).toBe(`@${person.handle} is connected`);
    const { account_id } = await connected(user);
    const form = new FormData();
    form.append('file', new Blob([png], { type: 'image/png' }), 'pixel.png');
    const media = (await user.api('POST', '/media', form)).body;
    const id = await publish(user, {
      account_id,
      tweets: [{ text: 'one', media_ids: [media.id] }, { text: 'two' }, { text: 'three' }],
    });
    expect((await ended(user, id)).status).toBe('posted');
    const posts = await bluesky.posts(person.did);
    expect(posts.map(({ text, media }) => [text, media])).toEqual([
      ['one', 1],
      ['two', 0],
      ['three', 0],
    ]);
    expect(posts.map(({ inReplyTo }) => inReplyTo)).toEqual([null, posts[0]?.id, posts[1]?.id]);
    expect((await user.api('GET', '/credits')).body.balance).toBe(9);

    // Connecting again keeps the account; of many posts at once with a token that has ended, one renews it.
    expect(await consent(user, person, 'Authorize')).toBe(`@${person.handle} is connected`);
    expect((await connected(user)).account_id).toBe(account_id);
    await spoilAccessToken(account_id);
    const ids = await Promise.all(
      ['a', 'b', 'c', 'd'].map((text) => publish(user, { account_id, tweets: [{ text }] })),
    );
    const states = await Promise.all(ids.map((one) => ended(user, one)));
    expect(states.map(({ status }) => status)).toEqual(['posted', 'posted', 'posted', 'posted']);
    expect(await bluesky.posts(person.did)).toHaveLength(7);
    expect((await connected(user)).status).toBe('connected');
  },
);

testReal(
  'whoever says no on the consent page is told so, and nothing is connected',
  {
    timeout: 60_000,
  },
  async ({ skip }) => {
    if (!browser) skip('there is no Chromium');
    const user = await perch.user(10);
    const heading = await consent(user, await bluesky.person(), 'Deny access');
    expect(heading).toBe('The account was not connected');
    expect(await connected(user)).toBeUndefined();
  },
);

testReal(
  'by an app password: people who answer are answered once, automated accounts never',
  {
    timeout: 60_000,
  },
  async () => {
    const user = await perch.user(10);
    const { accountId, remoteId } = await bluesky.connect(perch, user.id);
    const id = await publish(user, {
      account_id: accountId,
      tweets: [{ text: 'who is there?' }],
      auto_reply: { enabled: true, max: 2, text: 'Thanks {handle}' },
    });
    await ended(user, id);
    const [ours] = await bluesky.posts(remoteId);
    const to = { uri: ours?.id ?? '', root: ours?.id ?? '' };
    const [fan, bot] = [await bluesky.person(), await bluesky.person()];
    await bot.callItselfBot();
    const answer = await fan.reply(to, 'me!');
    await fan.reply(to, 'me again');
    await bot.reply(to, 'beep');
    await vi.waitFor(
      async () => {
        const { data } = (await user.api('GET', `/posts/${id}/events`)).body;
        const decided = data.filter(({ type }: { type: string }) => type.startsWith('auto_reply.'));
        expect(decided).toHaveLength(3);
      },
      { timeout: 30_000, interval: 500 },
    );
    const answers = (await bluesky.posts(remoteId)).slice(1);
    expect(answers).toMatchObject([{ text: `Thanks @${fan.handle}`, inReplyTo: answer }]);
  },
);

testReal(
  'an account that its server has shut fails its posts for that reason, and is told as disconnected',
  {
    timeout: 60_000,
  },
  async () => {
    const user = await perch.user(10);
    const { accountId, remoteId } = await bluesky.connect(perch, user.id);
    await bluesky.admin('com.atproto.admin.updateSubjectStatus', {
      subject: { $type: 'com.atproto.admin.defs#repoRef', did: remoteId },
      takedown: { applied: true },
    });
    const id = await publish(user, { account_id: accountId, tweets: [{ text: 'hello' }] });
    const { status, failure } = await ended(user, id);
    expect([status, failure?.code]).toEqual(['failed', 'account_disconnected']);
    expect((await connected(user)).status).toBe('disconnected');
  },
);
