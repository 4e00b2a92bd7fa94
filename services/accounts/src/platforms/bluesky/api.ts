import { z } from 'zod';
import { type ConnectorDeps, Later, Revoked, type Session } from '../platform.ts';
import { surelyUnsent } from '../surely-unsent.ts';
import { whole } from './bounded-fetch.ts';
import { type Credentials, readCredentials, serverOf } from './credentials.ts';
import { dpopHeaders, heedNonce } from './dpop.ts';

/** One call of XRPC, the API of a personal data server. */
export interface Call<T> {
  /** Its name, such as `com.atproto.repo.createRecord`. */
  nsid: string;
  /** Of a query. */
  params?: Record<string, string | string[]>;
  /** Of a procedure, made anew for every try. */
  body?: () => Promise<{
    content: string | ReadableStream<Uint8Array>;
    type: string;
    bytes?: number;
  }>;
  answer: z.ZodType<T>;
}

/**
 * How a call ended. `refused`: in the server's words, and nothing was done. `unsent`: it surely never got there.
 * `unclear`: the server may have done it. `revoked`: only connecting again helps.
 */
export type Answer<T> =
  | { kind: 'ok'; body: T }
  | { kind: 'refused'; status: number; error: string; detail: string }
  | { kind: 'limited'; atMs: number; detail: string }
  | { kind: 'unsent'; atMs: number | null; detail: string }
  | { kind: 'unclear'; detail: string }
  | { kind: 'revoked'; detail: string };

const Problem = z.object({
  error: z.string().default('').catch(''),
  message: z.string().default('').catch(''),
});
const maxDetail = 300;
const limitedForMs = 60_000;
const queryTimeoutMs = 10_000;
/** Points that one record costs of those that a repository may spend in an hour or a day (2026-11). */
const pointsPerRecord = 3;
/** Limits of shorter windows count requests. */
const pointsWindowSeconds = 3_600;
/** The bucket of what writes to the repository. */
export const writes = 'writes';

/** Credentials that took the place of a session's own. */
const renewed = new WeakMap<Session, string>();

/** A call in the name of an account; credentials that the server refuses are renewed once. */
export async function call<T>(
  deps: ConnectorDeps,
  session: Session,
  one: Call<T>,
  signal: AbortSignal = AbortSignal.timeout(queryTimeoutMs),
): Promise<Answer<T>> {
  const used = renewed.get(session) ?? session.credentials;
  const first = await callWith(deps, used, one, signal);
  await note(deps, session, one, first.limit);
  if (!isRefusedToken(first.answer)) return first.answer;
  const fresh = await renew(session);
  if (fresh.kind !== 'ok') return fresh;
  if (fresh.body === used) return { kind: 'revoked', detail: 'the server refuses the token' };
  renewed.set(session, fresh.body);
  const second = await callWith(deps, fresh.body, one, signal);
  await note(deps, session, one, second.limit);
  if (!isRefusedToken(second.answer)) return second.answer;
  return { kind: 'revoked', detail: 'the server refuses a token that it has just given' };
}

/** What a query gave; a refusal is left to the caller. Throws {@link Revoked} or {@link Later}. */
export function settled<T>(answer: Answer<T>): Extract<Answer<T>, { kind: 'ok' | 'refused' }> {
  if (answer.kind === 'ok' || answer.kind === 'refused') return answer;
  if (answer.kind === 'revoked') throw new Revoked(answer.detail);
  throw new Later(answer.detail, 'atMs' in answer ? answer.atMs : null);
}

/** What a call without credentials gave, or the tokens of a password sign-in. */
export async function callServer<T>(
  deps: ConnectorDeps,
  server: string,
  one: Call<T> & { token?: string },
  signal: AbortSignal = AbortSignal.timeout(queryTimeoutMs),
): Promise<Answer<T>> {
  const headers = one.token === undefined ? {} : { authorization: `Bearer ${one.token}` };
  return (await request(deps, urlOf(server, one), one, { signal, headers: async () => headers }))
    .answer;
}

/** A JSON body. */
export function json(content: unknown): NonNullable<Call<unknown>['body']> {
  const text = JSON.stringify(content);
  return async () => ({ content: text, type: 'application/json' });
}

/** What the headers of an answer say of the limit that is nearest; a server has several. */
interface Limit {
  /** Records that may still be written. */
  remaining: number;
  resetMs: number;
}

interface Outcome<T> {
  answer: Answer<T>;
  limit: Limit | null;
}

async function callWith<T>(
  deps: ConnectorDeps,
  sealed: string,
  one: Call<T>,
  signal: AbortSignal,
): Promise<Outcome<T>> {
  const credentials = readCredentials(sealed);
  const url = urlOf(serverOf(credentials), one);
  const method = one.body ? 'POST' : 'GET';
  const headers = () => authorization(deps, credentials, { method, url });
  return request(deps, url, one, { signal, headers });
}

async function authorization(
  deps: ConnectorDeps,
  credentials: Credentials,
  of: { method: string; url: URL },
): Promise<Record<string, string>> {
  if (credentials.kind === 'oauth') return dpopHeaders(credentials, of, deps.clock);
  return { authorization: `Bearer ${credentials.accessJwt}` };
}

function urlOf(server: string, { nsid, params = {} }: Call<unknown>): URL {
  const url = new URL(`/xrpc/${nsid}`, server);
  for (const [name, value] of Object.entries(params))
    for (const each of [value].flat()) url.searchParams.append(name, each);
  return url;
}

async function request<T>(
  deps: ConnectorDeps,
  url: URL,
  one: Call<T>,
  how: { signal: AbortSignal; headers(): Promise<Record<string, string>> },
): Promise<Outcome<T>> {
  try {
    const response = await exchange(deps, url, one, how);
    // A server that wants a nonce has looked at nothing else yet.
    const again = heedNonce(url, response);
    return await read(deps, again ? await exchange(deps, url, one, how) : response, one, url);
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    if (error instanceof NotBegun) {
      deps.log.warn({ err: error.cause, nsid: one.nsid }, 'a request could not be made');
      return unsent(detail);
    }
    if (surelyUnsent(error)) return unsent('the server can not be reached');
    return { answer: { kind: 'unclear', detail: `no answer: ${cut(detail)}` }, limit: null };
  }
}

function unsent<T>(detail: string): Outcome<T> {
  return { answer: { kind: 'unsent', atMs: null, detail }, limit: null };
}

/** There was nothing to send yet. */
class NotBegun extends Error {}

async function exchange(
  deps: ConnectorDeps,
  url: URL,
  one: Call<unknown>,
  how: { signal: AbortSignal; headers(): Promise<Record<string, string>> },
): Promise<Response> {
  const [authorized, body] = await Promise.all([how.headers(), one.body?.()]).catch((cause) => {
    throw new NotBegun('the request could not be made', { cause });
  });
  const headers = new Headers(authorized);
  if (body) headers.set('content-type', body.type);
  if (body?.bytes !== undefined) headers.set('content-length', String(body.bytes));
  const init = { method: body ? 'POST' : 'GET', headers, signal: how.signal };
  const content = body ? { body: body.content, duplex: 'half' as const } : {};
  return whole(await deps.fetch(url, { ...init, ...content }));
}

async function read<T>(
  deps: ConnectorDeps,
  response: Response,
  one: Call<T>,
  url: URL,
): Promise<Outcome<T>> {
  const limit = limitOf(response);
  const text = await response.text();
  if (response.ok) {
    const parsed = one.answer.safeParse(parse(text));
    if (parsed.success) return { answer: { kind: 'ok', body: parsed.data }, limit };
    const detail = `${url.host} gave an answer to ${one.nsid} that can not be read`;
    return { answer: { kind: 'unclear', detail }, limit };
  }
  const { status } = response;
  const problem = Problem.safeParse(parse(text)).data ?? { error: '', message: '' };
  const detail = cut(problem.message || problem.error || `status ${status}`);
  if (status === 429) {
    const atMs = limit?.resetMs ?? deps.clock() + limitedForMs;
    return { answer: { kind: 'limited', atMs, detail }, limit: { remaining: 0, resetMs: atMs } };
  }
  if (status < 400 || status >= 500) {
    return { answer: { kind: 'unclear', detail: `${detail} (${status})` }, limit };
  }
  if (accountIsGone.has(problem.error)) return { answer: { kind: 'revoked', detail }, limit };
  return { answer: { kind: 'refused', status, error: problem.error, detail }, limit };
}

/** Errors that no new token helps against. */
const accountIsGone = new Set(['AccountTakedown', 'AccountSuspended', 'AccountDeactivated']);

function isRefusedToken(answer: Answer<unknown>): boolean {
  if (answer.kind !== 'refused') return false;
  return answer.status === 401 || ['ExpiredToken', 'InvalidToken'].includes(answer.error);
}

async function renew(session: Session): Promise<Answer<string>> {
  try {
    return { kind: 'ok', body: await session.renew() };
  } catch (error) {
    if (error instanceof Revoked) return { kind: 'revoked', detail: error.message };
    // The server had refused the call, so nothing was done by it.
    if (error instanceof Later) return { kind: 'unsent', atMs: error.atMs, detail: error.message };
    return { kind: 'unsent', atMs: null, detail: 'the token could not be renewed' };
  }
}

async function note(
  deps: ConnectorDeps,
  session: Session,
  one: Call<unknown>,
  limit: Limit | null,
): Promise<void> {
  if (!limit || !one.nsid.startsWith('com.atproto.repo.') || !one.body) return;
  const told = { of: 'account' as const, ...limit };
  // What became of a send must not be lost over this.
  await session.rateLimits
    .note(writes, told)
    .catch((err: unknown) => deps.log.warn({ err }, 'a rate limit was not kept'));
}

function limitOf({ headers }: Response): Limit | null {
  const [remaining, reset] = ['ratelimit-remaining', 'ratelimit-reset'].map((name) =>
    Number(headers.get(name) ?? Number.NaN),
  );
  if (!Number.isFinite(remaining) || !Number.isFinite(reset)) return null;
  const window = Number(/;w=(\d+)/.exec(headers.get('ratelimit-policy') ?? '')?.[1] ?? 0);
  const cost = window >= pointsWindowSeconds ? pointsPerRecord : 1;
  return { remaining: Math.floor((remaining ?? 0) / cost), resetMs: (reset ?? 0) * 1_000 };
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

function cut(text: string): string {
  return text.length > maxDetail ? `${text.slice(0, maxDetail)}…` : text;
}
