import { existsSync } from 'node:fs';
import { AxeBuilder } from '@axe-core/playwright';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import { expect } from 'vitest';
import type { Browser as Jar } from '../browser.ts';

const usual = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
  '/Applications/Chromium.app/Contents/MacOS/Chromium',
];

/** A Chromium of this machine: by `PERCH_CHROMIUM`, else where it usually is; null where there is none. */
const chromiumPath = process.env['PERCH_CHROMIUM'] ?? usual.find(existsSync) ?? null;

/** Whether tests with a browser are left out, which is said once, and fails where `CI` is set. */
export const noChromium = chromiumPath === null;
if (noChromium) {
  const said = 'no Chromium was found; set PERCH_CHROMIUM to one';
  if (process.env['CI']) throw new Error(said);
  console.warn(`test/dashboard is skipped: ${said}`);
}

/** A person at a browser: pages, and whatever went wrong on them that nobody should see. */
export interface Person {
  context: BrowserContext;
  page: Page;
  /** Another tab of the same browser. */
  tab(): Promise<Page>;
  /** Uncaught errors, and what the content security policy has stopped. */
  problems: string[];
}

/** Starts Chromium; as root in a container it has no sandbox of its own to use. */
export function launch(): Promise<Browser> {
  if (chromiumPath === null) throw new Error('no Chromium was found');
  return chromium.launch({ executablePath: chromiumPath, args: ['--no-sandbox'] });
}

/** Opens a browser window on the dashboard, signed in as in the jar, if one is given. */
export async function open(
  browser: Browser,
  url: string,
  options: { jar?: Jar; phone?: boolean; dark?: boolean } = {},
): Promise<Person> {
  const context = await browser.newContext({
    baseURL: url,
    timezoneId: 'UTC',
    locale: 'en-GB',
    reducedMotion: 'reduce',
    viewport: options.phone ? { width: 390, height: 844 } : { width: 1440, height: 900 },
    colorScheme: options.dark ? 'dark' : 'light',
    permissions: ['clipboard-read', 'clipboard-write'],
  });
  const [name = '', value = ''] = options.jar?.cookie.split('=') ?? [];
  if (options.jar) await context.addCookies([{ name, value, url }]);
  const problems: string[] = [];
  async function tab(): Promise<Page> {
    const page = await context.newPage();
    page.setDefaultTimeout(30_000);
    page.on('pageerror', (error) => problems.push(error.message));
    page.on('console', (message) => {
      if (/Content Security Policy|Refused to/.test(message.text())) problems.push(message.text());
    });
    return page;
  }
  return { context, page: await tab(), tab, problems };
}

/** Fails with what axe finds on the page that is serious or critical; of contrast alone where that is asked. */
export async function expectAccessible(
  page: Page,
  where: string,
  only?: 'color-contrast',
): Promise<void> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (only ? axe.withRules(only) : axe).analyze();
  const grave = violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${where}: ${id} at ${nodes.map(({ html }) => html).join(' ')}`);
  expect(grave).toEqual([]);
}
