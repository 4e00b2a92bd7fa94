import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password } from '../browser.ts';
import { type Perch, startPerch } from '../perch.ts';
import { launch, noChromium, open } from './chromium.ts';

describe.skipIf(noChromium)('from signing up to the first post', () => {
  let perch: Perch;
  let browser: Browser;

  beforeAll(async () => {
    [perch, browser] = await Promise.all([startPerch(), launch()]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await perch?.stop();
  }, 60_000);

  // The order of the seed (§1): subscribe, connect, create a key, GET /accounts, POST /posts.
  test('a newcomer signs up, subscribes, connects, creates a key, calls the API and sees the post on the calendar', async () => {
    const { page, problems } = await open(browser, perch.url);
    const email = 'newcomer@perch.example';
    await page.goto('/');
    await page.getByRole('link', { name: 'Make an account' }).click();
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Make an account' }).click();
    await page.getByRole('link', { name: 'the local mails page' }).click();
    const mail = page.getByRole('article').filter({ hasText: email });
    await mail.getByRole('link').click();

    await page.getByText('0 of 5 done').waitFor();
    await page.getByRole('link', { name: 'See the plans' }).click();
    await page.getByRole('button', { name: 'Activate demo plan' }).click();
    await page.getByText('Demo plan.').waitFor();

    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('link', { name: 'Connect an account', exact: true }).first().click();
    await page.getByRole('button', { name: 'Connect an account' }).click();
    await page.getByRole('button', { name: /^Sandbox/ }).click();
    await page.getByLabel('Handle').fill('newcomer');
    await page.getByRole('button', { name: 'Connect', exact: true }).click();
    // Open all day, so that the hour at which the test runs makes no difference.
    await page.getByRole('textbox', { name: 'Opens' }).fill('00:00');
    await page.getByRole('textbox', { name: 'Closes' }).fill('00:00');
    await page.getByText('Open all day and night.').waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('Settings saved').waitFor();

    await page.getByRole('link', { name: 'Developer' }).click();
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('First script');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page.getByRole('button', { name: 'Copy: API key' }).click();
    const secret = await page.evaluate<string>('navigator.clipboard.readText()');
    expect(secret).toMatch(/^perch_live_/);
    await page.getByRole('button', { name: 'I have copied it' }).click();
    await page.getByRole('row', { name: /First script/ }).waitFor();
    expect(await page.content()).not.toContain(secret);

    const accounts = await perch.api(secret, 'GET', '/accounts');
    const { account_id } = accounts.body.data[0];
    const tweets = [{ text: 'My first post' }];
    const made = { account_id, tweets, publish_now: true };
    expect((await perch.api(secret, 'POST', '/posts', made)).status).toBe(201);

    await page.getByRole('link', { name: 'Posts' }).click();
    const chip = page.getByRole('link', { name: /posted.*My first post/ });
    await chip.waitFor();
    await chip.click();
    await page.getByText('Charged 1 credit.').waitFor();
    await page.getByRole('link', { name: 'See it on the platform' }).waitFor();

    await page.getByRole('link', { name: 'Developer' }).click();
    await page.getByRole('link', { name: 'Requests' }).click();
    await page.getByRole('row', { name: /201.*POST \/api\/v1\/posts/ }).waitFor();
    await page.getByRole('link', { name: 'Home' }).click();
    await page.getByRole('heading', { name: 'Next posts' }).waitFor();
    // All five steps are done, and the list of them is gone.
    await page.getByText('Get set up').waitFor({ state: 'detached' });
    expect(problems).toEqual([]);
  }, 120_000);
});
