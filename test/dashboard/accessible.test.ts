import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signUp } from '../browser.ts';
import { type Perch, startPerch } from '../perch.ts';
import { expectAccessible, launch, noChromium, open } from './chromium.ts';

const key = () => crypto.randomUUID();
const outside = [
  'sign-in',
  'sign-up',
  'forgot-password',
  'reset-password#token=x',
  'confirm#token=x',
  'mails',
];

describe.skipIf(noChromium)('every page', () => {
  let perch: Perch;
  let browser: Browser;
  let person: Awaited<ReturnType<typeof signUp>>;
  let inside: string[];

  beforeAll(async () => {
    [perch, browser] = await Promise.all([startPerch(), launch()]);
    person = await signUp(perch, 'paid');
    inside = await furnish();
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await perch?.stop();
  }, 60_000);

  /** One of everything, so that no page is empty; and where it is all shown. */
  async function furnish(): Promise<string[]> {
    const settings = { time_zone: 'UTC', posting_window: { opens: '00:00', closes: '24:00' } };
    const { account_id } = (
      await person.mutate('accounts.connectSandbox', { handle: 'furnished', settings })
    ).data;
    const scheduled_at = new Date(Date.now() + 86_400_000).toISOString();
    const post = { account_id, tweets: [{ text: 'One' }, { text: 'Two' }], scheduled_at };
    const { id } = (await person.mutate('posts.create', { post, idempotency_key: key() })).data;
    const now = { account_id, tweets: [{ text: 'Now' }], publish_now: true };
    await person.mutate('posts.create', { post: now, idempotency_key: key() });
    const endpoint = { url: 'http://localhost:9/hook' };
    const hook = (await person.mutate('webhooks.create', { endpoint, idempotency_key: key() }))
      .data;
    await person.mutate('webhooks.test', { endpoint_id: hook.id, idempotency_key: key() });
    const made = await person.mutate('keys.create', { name: 'script', idempotency_key: key() });
    await perch.api(made.data.secret, 'GET', '/accounts');
    return [
      '',
      'plan',
      'accounts',
      `accounts/${account_id}`,
      `accounts/${account_id}/feed`,
      'developer',
      'developer/webhooks',
      `developer/webhooks/${hook.id}`,
      'developer/requests',
      'posts',
      'posts?view=month',
      'posts/list',
      `posts/new?copy=${id}`,
      `posts/${id}`,
      `posts/${id}/edit`,
      'credits',
      'settings',
      'nowhere',
    ];
  }

  test.for([
    { size: 'a phone', phone: true, dark: false },
    { size: 'a phone in the dark', phone: true, dark: true },
    { size: 'a desktop', phone: false, dark: false },
    { size: 'a desktop in the dark', phone: false, dark: true },
  ])(
    'can be used by everyone, and fits, on $size',
    { timeout: 180_000 },
    async ({ phone, dark }) => {
      const stranger = await open(browser, perch.url, { phone, dark });
      const user = await open(browser, perch.url, { jar: person, phone, dark });
      const visits = [
        ...outside.map((path) => ({ path, ...stranger })),
        ...inside.map((path) => ({ path, ...user })),
      ];
      for (const { path, page } of visits) {
        await page.goto(`/app/${path}`);
        await page.getByRole('heading', { level: 1 }).waitFor();
        await page.getByText('Loading').first().waitFor({ state: 'detached' });
        // Nothing but the colours is another in the dark.
        await expectAccessible(page, path, dark ? 'color-contrast' : undefined);
        const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
        expect([path, await page.evaluate<number>(wide)]).toEqual([path, 0]);
      }
      expect([...stranger.problems, ...user.problems]).toEqual([]);
      await stranger.context.close();
      await user.context.close();
    },
  );

  test('fits a phone of 360 pixels', async () => {
    const { page } = await open(browser, perch.url, { jar: person, phone: true });
    await page.setViewportSize({ width: 360, height: 640 });
    for (const path of inside) {
      await page.goto(`/app/${path}`);
      await page.getByRole('heading', { level: 1 }).waitFor();
      await page.getByText('Loading').first().waitFor({ state: 'detached' });
      const wide = 'document.documentElement.scrollWidth - document.documentElement.clientWidth';
      expect([path, await page.evaluate<number>(wide)]).toEqual([path, 0]);
    }
  }, 60_000);
});
