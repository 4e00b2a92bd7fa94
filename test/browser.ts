import { faultCodeOf } from '@perch/proto/faults';
import { expect, vi } from 'vitest';
import type { Perch } from './perch.ts';

/** What a browser does on the dashboard, without its pages: keeps the cookie, and says where requests come from. */
export interface Browser {
  /** The Cookie header that it sends. */
  cookie: string;
  query(path: string, input?: unknown): Promise<Told>;
  mutate(path: string, input?: unknown, headers?: Record<string, string>): Promise<Told>;
  /** The first event of a subscription, or its failure. */
  subscribe(path: string, input: unknown): Promise<Told>;
  /** Any request to the gateway, with its cookie. */
  fetch(path: string, init?: RequestInit): Promise<Response>;
}

/** What a procedure answered. */
export interface Told {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers as a page's script would.
  data: any;
  /** The code of the fault; null where it went well. */
  code: string | null;
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  details: any;
}

/** A browser that nobody has signed in on yet. */
export function openBrowser(perch: Pick<Perch, 'url'>): Browser {
  const headers = () => ({ cookie: browser.cookie, 'sec-fetch-site': 'same-origin' });
  const ask = async (path: string, init: RequestInit) => told(await browser.fetch(path, init));
  const browser: Browser = {
    cookie: '',
    query: (path, input) => ask(`/app/api/${path}${inputOf(input)}`, {}),
    mutate: (path, input = {}, more = {}) =>
      ask(`/app/api/${path}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json', ...more },
        body: JSON.stringify(input),
      }),
    subscribe: async (path, input) => {
      const stopped = new AbortController();
      const response = await browser.fetch(`/app/api/${path}${inputOf(input)}`, {
        headers: { accept: 'text/event-stream' },
        signal: stopped.signal,
      });
      const answer = response.ok ? await firstEvent(response) : told(response);
      stopped.abort();
      return answer;
    },
    fetch: async (path, init = {}) => {
      const response = await fetch(`${perch.url}${path}`, {
        redirect: 'manual',
        ...init,
        headers: { ...headers(), ...Object.fromEntries(new Headers(init.headers)) },
      });
      for (const set of response.headers.getSetCookie()) keepCookie(browser, set);
      return response;
    },
  };
  return browser;
}

export const password = 'correct horse battery';
let people = 0;

/** A browser with someone new signed in on it, whose address was confirmed by the mail on the local page. */
export async function signUp(
  perch: Pick<Perch, 'url'>,
  plan: 'free' | 'paid' = 'free',
): Promise<Browser & { email: string; userId: string }> {
  const browser = openBrowser(perch);
  const email = `person-${process.pid}-${++people}@perch.example`;
  const asked = await browser.mutate('auth.signUp', { email, password });
  expect(asked.code).toBeNull();
  const { user } = (
    await browser.mutate('auth.confirm', { token: await mailedToken(browser, email) })
  ).data;
  if (plan === 'paid') await browser.mutate('plan.activateDemoPlan');
  return Object.assign(browser, { email, userId: user.id });
}

/** The token of the last link that was mailed to the address. */
export async function mailedToken(browser: Browser, email: string): Promise<string> {
  return vi.waitFor(
    async () => {
      const mails: { to: string; text: string }[] = (await browser.query('mails.list')).data;
      const text = mails.find((mail) => mail.to === email)?.text ?? '';
      const token = /#token=([\w-]+)/.exec(text)?.[1];
      if (!token) throw new Error(`no link was mailed to ${email}`);
      return token;
    },
    { timeout: 10_000, interval: 100 },
  );
}

function keepCookie(browser: Browser, set: string): void {
  const [name = '', value = ''] = set.split(';')[0]?.split('=') ?? [];
  const others = browser.cookie.split('; ').filter((one) => one && !one.startsWith(`${name}=`));
  browser.cookie = [...others, ...(value ? [`${name}=${value}`] : [])].join('; ');
}

function inputOf(input: unknown): string {
  return input === undefined ? '' : `?input=${encodeURIComponent(JSON.stringify(input))}`;
}

async function told(response: Response): Promise<Told> {
  const body: unknown = await response.json();
  return { status: response.status, headers: response.headers, ...contentOf(body) };
}

function contentOf(body: unknown): Pick<Told, 'data' | 'code' | 'details'> {
  if (typeof body === 'object' && body !== null && 'error' in body) {
    const error = Object.assign(new Error(), body.error);
    const fault = Object(Object(Object(body.error).data).fault);
    return { data: null, code: faultCodeOf(error) ?? 'none', details: fault.details };
  }
  return { data: Object(Object(body).result).data, code: null, details: null };
}

/** Reads the stream up to its first event with something in it. */
async function firstEvent(response: Response): Promise<Told> {
  let text = '';
  for await (const chunk of response.body ?? []) {
    text += Buffer.from(chunk).toString();
    for (const block of text.split('\n\n').slice(0, -1)) {
      const event = /^event: (.*)$/m.exec(block)?.[1];
      const data = /^data: (.*)$/m.exec(block)?.[1];
      if (!data || event === 'connected' || event === 'ping') continue;
      const body: unknown = JSON.parse(data);
      const content = event === 'serialized-error' ? { error: body } : { result: { data: body } };
      return { status: response.status, headers: response.headers, ...contentOf(content) };
    }
  }
  throw new Error(`the stream ended: ${text}`);
}
