import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { type Browser as Jar, mailedToken, openBrowser, password, signUp } from '../browser.ts';
import { type Perch, startPerch } from '../perch.ts';
import { launch, noChromium, open } from './chromium.ts';

const key = () => crypto.randomUUID();
const settings = { time_zone: 'UTC', posting_window: { opens: '00:00', closes: '24:00' } };
/** Thursday of the week after the next, so that the day is always to come. */
const thursday = new Date(Date.now() + 14 * 86_400_000);
thursday.setUTCDate(thursday.getUTCDate() - ((thursday.getUTCDay() + 6) % 7) + 3);
thursday.setUTCHours(12, 0, 0, 0);

/** An account that may post at any hour. */
async function connect(person: Jar, handle: string, display_name = handle): Promise<string> {
  const asked = { handle, display_name, settings };
  return (await person.mutate('accounts.connectSandbox', asked)).data.account_id;
}

async function schedule(person: Jar, account_id: string, text: string) {
  const post = { account_id, tweets: [{ text }], scheduled_at: thursday.toISOString() };
  return (await person.mutate('posts.create', { post, idempotency_key: key() })).data;
}

describe.skipIf(noChromium)('the dashboard', { timeout: 90_000 }, () => {
  let perch: Perch;
  let browser: Browser;

  beforeAll(async () => {
    [perch, browser] = await Promise.all([startPerch(), launch()]);
  }, 120_000);
  afterAll(async () => {
    await browser?.close();
    await perch?.stop();
  }, 60_000);

  async function signIn(page: Page, email: string, secret = password): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password', { exact: true }).fill(secret);
    await page.getByRole('button', { name: 'Sign in' }).click();
  }

  test('a wrong password says so, tells nothing more, and the right one goes on to where it was asked for', async () => {
    const person = await signUp(perch);
    const { page } = await open(browser, perch.url);
    await page.goto('/app/credits');
    await page.waitForURL(/sign-in/);
    await signIn(page, person.email, 'not the password');
    await page.getByRole('alert').getByText('Wrong address or password').waitFor();
    await signIn(page, 'nobody@perch.example', 'not the password');
    await page.getByRole('alert').getByText('Wrong address or password').waitFor();
    await signIn(page, person.email);
    await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor();
  });

  test('a sign-up link in another browser asks for the password that was chosen', async () => {
    const jar = openBrowser(perch);
    const email = 'elsewhere@perch.example';
    await jar.mutate('auth.signUp', { email, password });
    const token = await mailedToken(jar, email);
    const { page } = await open(browser, perch.url);
    await page.goto(`/app/confirm#token=${token}`);
    await page.getByText('You signed up in another browser.').waitFor();
    await page.getByLabel('Password', { exact: true }).fill('a guess at it');
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByRole('alert').waitFor();
    await page.getByLabel('Password', { exact: true }).fill(password);
    await page.getByRole('button', { name: 'Confirm' }).click();
    await page.getByText('0 of 5 done').waitFor();
  });

  test('a forgotten password is set anew by a link in a mail', async () => {
    const person = await signUp(perch);
    const { page } = await open(browser, perch.url);
    await page.goto('/app/sign-in');
    await page.getByRole('link', { name: 'Forgot your password?' }).click();
    await page.getByLabel('Email').fill(person.email);
    await page.getByRole('button', { name: 'Send the link' }).click();
    await page.getByRole('link', { name: 'the local mails page' }).click();
    const mails = page.getByRole('article').filter({ hasText: person.email });
    await mails.locator('a[href*="reset-password"]').click();
    await page.getByLabel('New password').fill('another long password');
    await page.getByRole('button', { name: 'Set the password' }).click();
    await page.getByText('Your new password is set').waitFor();
    expect((await person.query('auth.session')).code).toBe('not_signed_in');
  });

  test('the sixth key is refused in words, also on a page that does not know of the fifth yet', async () => {
    const person = await signUp(perch, 'paid');
    const create = (name: string) => person.mutate('keys.create', { name, idempotency_key: key() });
    for (const name of ['one', 'two', 'three', 'four']) await create(name);
    const { page } = await open(browser, perch.url, { jar: person });
    await page.goto('/app/developer');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await create('five');
    await page.getByLabel('Name').fill('six');
    await page.getByRole('button', { name: 'Create the key' }).click();
    await page
      .getByRole('dialog')
      .getByRole('alert')
      .getByText('5 keys are active, and 5 are allowed')
      .waitFor();
    await page.reload();
    await page.getByText('You have 5 active keys, and no user can have more.').waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).isDisabled()).toBe(true);
    await page.getByRole('button', { name: 'Revoke three' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke' }).click();
    await page.getByText('three is revoked').waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).isEnabled()).toBe(true);
  });

  test('a free user composes and schedules, and is told what needs the paid plan', async () => {
    const person = await signUp(perch);
    await connect(person, 'free_rider');
    const { page } = await open(browser, perch.url, { jar: person });
    await page.goto('/app/developer');
    await page.getByText('403 paid_plan_required').waitFor();
    expect(await page.getByRole('button', { name: 'Create a key' }).isDisabled()).toBe(true);
    await page.goto(`/app/posts/new?at=${thursday.toISOString()}`);
    await page.getByText('Needs the paid plan').waitFor();
    expect(await page.getByLabel('Auto-reply to people who answer').isDisabled()).toBe(true);
    expect(await page.getByLabel('Auto-retweet it later').isDisabled()).toBe(true);
    await page.getByLabel('Text', { exact: true }).fill('For free');
    await page.getByRole('heading', { name: 'Ready to go' }).waitFor();
    await page.getByRole('button', { name: 'Schedule' }).click();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
  });

  test('leaving the paid plan says in numbers what it means before it is done', async () => {
    const person = await signUp(perch, 'paid');
    const account = await connect(person, 'leaver');
    await person.mutate('keys.create', { name: 'script', idempotency_key: key() });
    await schedule(person, account, 'still goes out');
    const { page } = await open(browser, perch.url, { jar: person });
    await page.goto('/app/plan');
    await page.getByRole('button', { name: 'Go back to the free plan' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('1 API key will answer 403 paid_plan_required.').waitFor();
    await dialog.getByText('1 scheduled post still goes out as planned.').waitFor();
    await dialog.getByRole('button', { name: 'Go to the free plan' }).click();
    await page.getByText('You are on the free plan').waitFor();
    await page.getByRole('button', { name: 'Activate demo plan' }).waitFor();
  });

  test('a session that has ended leads to signing in, and back to the same page', async () => {
    const person = await signUp(perch);
    const { page } = await open(browser, perch.url, { jar: person });
    await page.goto('/app/settings');
    await page.getByText('This one').waitFor();
    const other = openBrowser(perch);
    other.cookie = person.cookie;
    await other.mutate('auth.signOut');
    await page.getByRole('link', { name: 'Credits' }).click();
    await page.getByText('Your session has ended.').waitFor();
    await signIn(page, person.email);
    await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor();
  });

  test('two tabs: signing out in one signs out the other; of two changes to a post one wins', async () => {
    const person = await signUp(perch);
    const post = await schedule(person, await connect(person, 'two_tabs'), 'from the start');
    const { page, tab } = await open(browser, perch.url, { jar: person });
    const second = await tab();
    for (const one of [page, second]) {
      await one.goto(`/app/posts/${post.id}/edit`);
      await one.getByLabel('Text', { exact: true }).waitFor();
    }
    await page.getByLabel('Text', { exact: true }).fill('from the first tab');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('The post is changed').waitFor();
    await second.getByLabel('Text', { exact: true }).fill('from the second tab');
    await second.getByRole('button', { name: 'Save' }).click();
    await second.getByRole('alert').first().waitFor();
    const { data } = await person.query('posts.get', { post_id: post.id });
    expect(data.tweets[0].text).toBe('from the first tab');
    await page.getByRole('button', { name: 'Your account' }).click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await page.waitForURL(/sign-in/);
    await second.getByRole('link', { name: 'Credits' }).click();
    await second.getByText('Your session has ended.').waitFor();
  });

  test('a double click on a create makes one', async () => {
    const person = await signUp(perch, 'paid');
    const { page } = await open(browser, perch.url, { jar: person });
    await page.goto('/app/accounts');
    await page.getByRole('button', { name: 'Connect an account' }).click();
    await page.getByRole('button', { name: /^Sandbox/ }).click();
    await page.getByLabel('Handle').fill('doubled');
    await page.getByRole('button', { name: 'Connect', exact: true }).dblclick();
    await page.getByText('@doubled is connected').waitFor();

    await page.goto('/app/developer');
    await page.getByRole('button', { name: 'Create a key' }).click();
    await page.getByLabel('Name').fill('twice');
    await page.getByRole('button', { name: 'Create the key' }).dblclick();
    await page.getByRole('heading', { name: 'Your new key' }).waitFor();

    await page.goto('/app/developer/webhooks');
    await page.getByRole('button', { name: 'Add an endpoint' }).click();
    await page.getByLabel('Address').fill('http://localhost:9/hook');
    await page.getByRole('button', { name: 'Add the endpoint' }).dblclick();
    await page.getByRole('heading', { name: 'The secret' }).waitFor();

    await page.goto(`/app/posts/new?at=${thursday.toISOString()}`);
    await page.getByLabel('Text', { exact: true }).fill('only once');
    await page.getByRole('button', { name: 'Presets' }).click();
    await page.getByRole('menuitem', { name: 'Save this as a preset' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('one preset');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).dblclick();
    await page.getByText('one preset is saved').waitFor();
    await page.getByRole('button', { name: 'Schedule' }).dblclick();
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();

    await page.goto('/app/plan');
    const { data: before } = await person.query('credits.balance');
    await page.getByRole('button', { name: /Add .* demo credits/ }).dblclick();
    await page.getByText(/demo credits added/).waitFor();
    const { data: plan } = await person.query('plan.get');
    const { data: after } = await person.query('credits.balance');
    expect(after.balance - before.balance).toBe(plan.top_up_credits);
    for (const list of ['accounts.list', 'keys.list', 'webhooks.list', 'presets.list'])
      expect([list, (await person.query(list)).data.length]).toEqual([list, 1]);
    expect((await person.query('posts.list', { limit: 10 })).data.data).toHaveLength(1);
  });

  test('what others wrote is shown as text, wherever it appears', async () => {
    const person = await signUp(perch, 'paid');
    const evil = '<img src=x onerror="window.pwned=1"><script>window.pwned=1</script>';
    const account = await connect(person, 'sneaky', evil.slice(0, 80));
    const { id } = await schedule(person, account, `${evil} javascript:alert(1)`);
    const published = { account_id: account, tweets: [{ text: evil }], publish_now: true };
    await person.mutate('posts.create', { post: published, idempotency_key: key() });
    await person.mutate('keys.create', { name: evil.slice(0, 80), idempotency_key: key() });
    const preset = { name: evil.slice(0, 80), tweets: [{ text: evil }] };
    await person.mutate('presets.create', { preset, idempotency_key: key() });
    await vi.waitFor(
      async () =>
        expect((await person.query('accounts.feed', { account_id: account })).data).toHaveLength(1),
      { timeout: 20_000, interval: 200 },
    );
    const { page, problems } = await open(browser, perch.url, { jar: person });
    const week = `/app/posts?date=${thursday.toISOString().slice(0, 10)}`;
    for (const path of [
      '/app/',
      week,
      `${week}&view=month`,
      '/app/posts/list',
      `/app/posts/${id}`,
      `/app/posts/${id}/edit`,
      `/app/accounts/${account}`,
      `/app/accounts/${account}/feed`,
      '/app/accounts',
      '/app/developer',
    ]) {
      await page.goto(path);
      await page.getByText('<img src=x').or(page.getByRole('textbox')).first().waitFor();
      expect([path, await page.evaluate<unknown>('window.pwned')]).toEqual([path, undefined]);
      expect(await page.locator('img[src="x"]').count()).toBe(0);
    }
    expect(problems).toEqual([]);
  });

  test('a post is moved by dragging it, and by the keyboard, and a refusal puts it back', async () => {
    const person = await signUp(perch);
    const account = await connect(person, 'mover');
    const { id } = await schedule(person, account, 'on the move');
    const dueAt = async () =>
      (await person.query('posts.get', { post_id: id })).data.scheduled_at as string;
    const moved = (days: number, minutes: number) =>
      new Date(thursday.getTime() + days * 86_400_000 + minutes * 60_000).toISOString();
    const { page } = await open(browser, perch.url, { jar: person });
    await page.goto(`/app/posts?date=${thursday.toISOString().slice(0, 10)}`);
    const chip = page.getByRole('link', { name: /on the move/ });
    const box = await chip.boundingBox();
    const friday = await page.locator(`[data-date="${moved(1, 0).slice(0, 10)}"]`).boundingBox();
    if (!box || !friday) throw new Error('the calendar does not show it');
    await page.mouse.move(box.x + 20, box.y + 10);
    await page.mouse.down();
    // Two hours of the grid further down.
    await page.mouse.move(friday.x + 30, box.y + 10 + 92, { steps: 8 });
    await page.mouse.up();
    await page.getByText('The post is moved').waitFor();
    expect(await dueAt()).toBe(moved(1, 120));

    await chip.focus();
    await page.keyboard.press('Alt+ArrowLeft');
    await page.keyboard.press('Alt+ArrowUp');
    await expect.poll(dueAt).toBe(moved(0, 105));

    await person.mutate('accounts.changeSettings', {
      account_id: account,
      settings: { posting_window: { opens: '13:00', closes: '14:00' } },
    });
    await chip.focus();
    await page.keyboard.press('Alt+ArrowDown');
    await page.getByText('The post stays where it was').first().waitFor();
    expect(await dueAt()).toBe(moved(0, 105));
    await page.getByRole('link', { name: /13:45.*on the move/ }).waitFor();
  });

  test('the composer splits what is too long, uploads media, and tells the next time that would do', async () => {
    const person = await signUp(perch);
    const account = await connect(person, 'writer');
    await person.mutate('accounts.changeSettings', {
      account_id: account,
      settings: { posting_window: { opens: '13:00', closes: '14:00' } },
    });
    const { page, problems } = await open(browser, perch.url, { jar: person });
    await page.goto(`/app/posts/new?at=${thursday.toISOString()}`);
    await page.getByLabel('Text', { exact: true }).fill('This is a sentence. '.repeat(20).trim());
    await page.getByText('399 / 280').waitFor();
    await page.getByLabel('Text', { exact: true }).press('ControlOrMeta+Home');
    await page.getByRole('button', { name: 'Split here' }).click();
    await page.getByLabel('Tweet 2 of 2').waitFor();
    const png =
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==';
    await page
      .locator('input[type=file]')
      .first()
      .setInputFiles({
        name: 'dot.png',
        mimeType: 'image/png',
        buffer: Buffer.from(png, 'base64'),
      });
    await page.getByRole('img', { name: 'dot.png' }).first().waitFor();
    await page.getByRole('heading', { name: 'Not yet' }).waitFor();
    await page.getByRole('button', { name: 'Use that time' }).click();
    await page.getByRole('heading', { name: 'Ready to go' }).waitFor();
    await page.keyboard.press('Control+Enter');
    await page.getByRole('heading', { name: 'Timeline' }).waitFor();
    const [post] = (await person.query('posts.list', { limit: 1 })).data.data;
    expect(post.tweets).toHaveLength(2);
    expect(post.tweets[0].media_ids).toHaveLength(1);
    expect(post.scheduled_at).toBe(new Date(thursday.getTime() + 3_600_000).toISOString());
    await page.getByRole('img', { name: 'Attached image' }).waitFor();
    expect(problems).toEqual([]);
  });

  test('a post page shows what happens as it happens, and says why a post failed', async () => {
    const person = await signUp(perch);
    const account = await connect(person, 'unlucky');
    const { page } = await open(browser, perch.url, { jar: person });
    await page.goto(`/app/posts/new?account=${account}`);
    await page.getByLabel('Text', { exact: true }).fill('[[sandbox:reject]]');
    await page.getByLabel('Publish now instead').check();
    await page.getByRole('button', { name: 'Publish now' }).click();
    await page.getByText('The platform refused it.').waitFor();
    await page.getByText('Failed').first().waitFor();
    await page.getByText('not charged').waitFor();
  });

  test('shortcuts lead around, are listed at ?, and leave typing alone', async () => {
    const person = await signUp(perch);
    await connect(person, 'typist');
    const { page } = await open(browser, perch.url, { jar: person });
    await page.goto('/app/');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await page.keyboard.press('?');
    await page.getByRole('dialog', { name: 'Keyboard shortcuts' }).waitFor();
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('c');
    await page.getByRole('heading', { name: 'Credits', level: 1 }).waitFor();
    await page.keyboard.press('n');
    const text = page.getByLabel('Text', { exact: true });
    await text.pressSequentially('ng?');
    expect(await text.inputValue()).toBe('ng?');
  });
});
