import { z } from 'zod';
import type { XSettings } from '../../config.ts';
import { type ConnectorDeps, Later, Revoked, type Session } from '../platform.ts';
import { surelyUnsent } from '../surely-unsent.ts';
import { readTokens } from './tokens.ts';

/** One request to X's API. */
export interface XRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the base URL, such as `/2/tweets`. */
  path: string;
  query?: Record<string, string>;
  /** The limit that it counts against, as X keeps one for each kind of call. */
  bucket: string;
  body?: object | FormData | URLSearchParams;
}

/**
 * How a request ended. `refused`: X says that it did not do it, and why. `waiting`: X, or what it said before,
 * asks us to come back; it did nothing. `unsent`: it surely never got there. `lost`: it may or may not be done.
 */
export type XAnswer =
  | { kind: 'done'; body: unknown }
  | { kind: 'refused'; status: number; detail: string; body: unknown }
  | { kind: 'waiting'; untilMs: number; detail: string }
  | { kind: 'unsent'; detail: string }
  | { kind: 'lost'; detail: string };

/** The one place that talks to X. */
export interface XApi {
  /** For an account; renews its credentials once when X refuses them. Throws `Revoked`, and `Later` when they can not be renewed now. */
  call(session: Session, request: XRequest, signal: AbortSignal): Promise<XAnswer>;
  /** For the app itself, such as for tokens. */
  exchange(path: string, form: Record<string, string>): Promise<XAnswer>;
  /** With a token that no account holds yet. */
  callWith(token: string, request: XRequest, signal: AbortSignal): Promise<XAnswer>;
}

/** How long anything but a send or a chunk of media may take. */
export const readTimeoutMs = 10_000;
/** A refresh token works once, so an answer that is given up may cost the connection. */
const exchangeTimeoutMs = 20_000;
/** No answer of X that is of use comes near it. */
const maxAnswerBytes = 2_000_000;
const maxDetailChars = 300;
/** When X does not say when a limit ends: its windows are this long. */
const windowMs = 15 * 60_000;
/** After what surely did no harm. */
const againMs = 5_000;
/** When the operator's credits at X are out: somebody must buy some first. */
const creditsOutMs = 3_600_000;

/** X's API as the settings say where it is. */
export function createApi(settings: XSettings, deps: ConnectorDeps): XApi {
  const callWith = (token: string, request: XRequest, signal: AbortSignal) =>
    ask(deps, settings, request, { authorization: `Bearer ${token}` }, signal);
  return {
    callWith: async (token, request, signal) => read(deps, await callWith(token, request, signal)),
    call: async (session, request, signal) => {
      const blocked = await blockedUntil(deps, session, request.bucket);
      if (blocked) return blocked;
      let asked = await callWith(readTokens(session.credentials).access, request, signal);
      if (asked.kind === 'response' && asked.status === 401) {
        session.credentials = await renewed(deps, session);
        asked = await callWith(readTokens(session.credentials).access, request, signal);
        if (asked.kind === 'response' && asked.status === 401)
          throw new Revoked('X refuses the account’s access, even when it was just renewed');
      }
      if (asked.kind === 'response') await noteLimits(deps, session, request.bucket, asked);
      return read(deps, asked);
    },
    exchange: async (path, form) => {
      const { clientId, clientSecret } = settings;
      // A confidential client signs in by its header; a public one only says its name.
      const headers = clientSecret ? { authorization: basic(clientId, clientSecret) } : {};
      const fields = clientSecret ? form : { ...form, client_id: clientId };
      const body = new URLSearchParams(fields);
      const request = { method: 'POST', path, bucket: path, body } as const;
      const signal = AbortSignal.timeout(exchangeTimeoutMs);
      return read(deps, await ask(deps, settings, request, headers, signal));
    },
  };
}

/** Throws `Revoked`, or `Later` for whatever else kept it from being renewed: X has done nothing yet. */
async function renewed(deps: ConnectorDeps, session: Session): Promise<string> {
  try {
    return await session.renew();
  } catch (error) {
    if (error instanceof Revoked || error instanceof Later) throw error;
    deps.log.warn({ err: error, accountId: session.accountId }, 'the access can not be renewed');
    throw new Later('a part of Perch was away');
  }
}

/** What X did, for those who only read or may do it again: throws `Later` for whatever is not done or refused. */
export function settled(
  answer: XAnswer,
  nowMs: number,
): Extract<XAnswer, { kind: 'done' | 'refused' }> {
  if (answer.kind === 'done' || answer.kind === 'refused') return answer;
  throw new Later(answer.detail, answer.kind === 'waiting' ? answer.untilMs : nowMs + againMs);
}

/** The body of what X did; throws `Later` when it did not, or when it can not be read. */
export function bodyOf<T>(answer: XAnswer, schema: z.ZodType<T>, nowMs: number): T {
  const end = settled(answer, nowMs);
  if (end.kind === 'refused') throw new Later(end.detail, nowMs + windowMs);
  const parsed = schema.safeParse(end.body);
  if (parsed.success) return parsed.data;
  throw new Later('X answered something that can not be read', nowMs + againMs);
}

type Asked =
  | { kind: 'response'; status: number; headers: Headers; body: unknown; whole: boolean }
  | { kind: 'unsent' | 'lost'; detail: string };

async function ask(
  deps: ConnectorDeps,
  settings: XSettings,
  request: XRequest,
  headers: Record<string, string>,
  signal: AbortSignal,
): Promise<Asked> {
  const url = new URL(settings.apiUrl.replace(/\/$/, '') + request.path);
  for (const [name, value] of Object.entries(request.query ?? {}))
    url.searchParams.set(name, value);
  const body = await encoded(request.body);
  let response: Response;
  try {
    if (signal.aborted) return { kind: 'unsent', detail: 'there was no time left to send it' };
    response = await deps.fetch(url, {
      method: request.method,
      headers: { ...headers, ...(body && { 'content-type': body.type }) },
      signal,
      ...(body && { body: body.bytes }),
    });
  } catch (error) {
    return surelyUnsent(error)
      ? { kind: 'unsent', detail: 'X can not be reached' }
      : { kind: 'lost', detail: signal.aborted ? 'no answer in time' : 'the connection broke' };
  }
  const { status } = response;
  const answered = await readBody(response);
  return { kind: 'response', status, headers: response.headers, ...answered };
}

/** A body with its length known, which X's own clients always send. */
async function encoded(
  body: XRequest['body'],
): Promise<{ type: string; bytes: string | Uint8Array<ArrayBuffer> } | null> {
  if (!body) return null;
  if (body instanceof URLSearchParams)
    return { type: 'application/x-www-form-urlencoded', bytes: body.toString() };
  if (!(body instanceof FormData)) return { type: 'application/json', bytes: JSON.stringify(body) };
  const form = new Response(body);
  const type = form.headers.get('content-type') ?? '';
  return { type, bytes: new Uint8Array(await form.arrayBuffer()) };
}

/** The body as JSON; not whole when it is too long, breaks off, or is no JSON. */
async function readBody(response: Response): Promise<{ body: unknown; whole: boolean }> {
  try {
    const chunks: Uint8Array[] = [];
    let bytes = 0;
    for await (const chunk of response.body ?? []) {
      bytes += chunk.length;
      if (bytes > maxAnswerBytes) return { body: null, whole: false };
      chunks.push(chunk);
    }
    const text = Buffer.concat(chunks).toString('utf8');
    return { body: text === '' ? null : (JSON.parse(text) as unknown), whole: true };
  } catch {
    return { body: null, whole: false };
  }
}

function read(deps: ConnectorDeps, asked: Asked): XAnswer {
  if (asked.kind !== 'response') return asked;
  const { status, headers, body, whole } = asked;
  const now = deps.clock();
  if (status === 429) {
    const untilMs = Math.max(resetMs(headers) ?? now + windowMs, now + 1_000);
    return { kind: 'waiting', untilMs, detail: 'X asks us to wait: too many requests' };
  }
  if (status === 402) {
    const detail = 'the credits of the X app are out; whoever runs Perch must add some at X';
    return { kind: 'waiting', untilMs: now + creditsOutMs, detail };
  }
  // A request that X gave up on, like anything unclear, may have been done.
  if (status >= 400 && status < 500 && status !== 408)
    return { kind: 'refused', status, detail: words(body, status), body };
  if (status >= 200 && status < 300 && whole) return { kind: 'done', body };
  const detail = whole ? `X answered ${status}` : `X answered ${status}, and the answer broke off`;
  return { kind: 'lost', detail };
}

const Problem = z.object({
  title: z.string().optional(),
  detail: z.string().optional(),
  error_description: z.string().optional(),
  errors: z
    .array(z.object({ message: z.string().optional(), detail: z.string().optional() }))
    .optional(),
});

/** X's own words, the most telling first. */
function words(body: unknown, status: number): string {
  const { data } = Problem.safeParse(body);
  const inner = data?.errors?.map((error) => error.message ?? error.detail).find(Boolean);
  const said = inner ?? data?.detail ?? data?.error_description ?? data?.title;
  return said ? said.slice(0, maxDetailChars) : `X answered ${status}`;
}

async function blockedUntil(
  deps: ConnectorDeps,
  session: Session,
  bucket: string,
): Promise<XAnswer | null> {
  try {
    const untilMs = await session.rateLimits.blockedUntilMs(bucket);
    const detail = 'the limit that X sets for such requests is used up';
    return untilMs === null ? null : { kind: 'waiting', untilMs, detail };
  } catch (err) {
    deps.log.warn({ err, bucket }, 'the limits can not be read');
    return { kind: 'unsent', detail: 'a part of Perch was away' };
  }
}

/** Keeps the limits that are used up; a limit with something left holds nobody back. */
async function noteLimits(
  deps: ConnectorDeps,
  session: Session,
  bucket: string,
  { headers, status }: { headers: Headers; status: number },
): Promise<void> {
  const kinds = [
    { of: 'account', prefix: 'x-rate-limit' },
    { of: 'account', prefix: 'x-user-limit-24hour' },
    { of: 'app', prefix: 'x-app-limit-24hour' },
  ] as const;
  try {
    for (const { of, prefix } of kinds) {
      const reset = secondsOf(headers, `${prefix}-reset`);
      if (headers.get(`${prefix}-remaining`) === '0' && reset)
        await session.rateLimits.note(bucket, { of, remaining: 0, resetMs: reset });
    }
    if (status === 429 && resetMs(headers) === null) {
      const limit = { of: 'account', remaining: 0, resetMs: deps.clock() + windowMs } as const;
      await session.rateLimits.note(bucket, limit);
    }
  } catch (err) {
    // What X did is done, whether we can keep its limits or not.
    deps.log.warn({ err, bucket }, 'the limits can not be kept');
  }
}

/** The last reset among the limits that are used up. */
function resetMs(headers: Headers): number | null {
  const resets = ['x-rate-limit', 'x-user-limit-24hour', 'x-app-limit-24hour'].flatMap((prefix) =>
    headers.get(`${prefix}-remaining`) === '0' ? (secondsOf(headers, `${prefix}-reset`) ?? []) : [],
  );
  return resets.length > 0 ? Math.max(...resets) : null;
}

function secondsOf(headers: Headers, name: string): number | null {
  const seconds = Number(headers.get(name));
  return Number.isFinite(seconds) && seconds > 0 ? seconds * 1_000 : null;
}

function basic(id: string, secret: string): string {
  return `Basic ${Buffer.from(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`).toString('base64')}`;
}
