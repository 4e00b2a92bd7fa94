import { z } from 'zod';
import type { ConnectorDeps } from '../platform.ts';
import { surelyUnsent } from '../surely-unsent.ts';

/**
 * How a request ended. `refused`: any answer but a success, also a redirect. `unsent`: it surely never reached the
 * instance. `lost`: it may have, and nobody knows what became of it.
 */
export type Answer =
  | { kind: 'ok'; status: number; body: unknown; limit: Limit | null }
  | { kind: 'refused'; status: number; detail: string; error: string; limit: Limit | null }
  | { kind: 'unsent'; detail: string }
  | { kind: 'lost'; detail: string };

/** What the headers told of the limit that is nearest. */
export interface Limit {
  remaining: number;
  resetMs: number;
}

/** A request to an instance. */
export interface ApiRequest {
  method: 'GET' | 'POST' | 'DELETE';
  /** Below the origin, with its query. */
  path: string;
  token?: string;
  headers?: Record<string, string>;
  json?: unknown;
  form?: Record<string, string>;
  /** A body that is made anew for every attempt. */
  stream?: { contentType: string; open(): ReadableStream<Uint8Array> };
  /** Its own time to take, where ten seconds will not do. */
  signal?: AbortSignal;
}

const answerTimeoutMs = 10_000;
const maxAnswerBytes = 2_000_000;
/** No window of Mastodon is longer: 300 posts in three hours. */
const longestWindowMs = 10_800_000;
/** Where an instance says to wait and not how long. */
const waitMs = 60_000;

/** The one place that talks to instances: explicit timeouts, no redirects, small answers, errors of a few kinds. */
export async function callApi(
  deps: Pick<ConnectorDeps, 'fetch' | 'clock'>,
  origin: string,
  request: ApiRequest,
): Promise<Answer> {
  const { method, path, token, json, form, stream } = request;
  try {
    const response = await deps.fetch(`${origin}${path}`, {
      method,
      headers: {
        accept: 'application/json',
        'user-agent': 'Perch',
        ...(token !== undefined && { authorization: `Bearer ${token}` }),
        ...(json !== undefined && { 'content-type': 'application/json' }),
        ...(stream && { 'content-type': stream.contentType }),
        ...request.headers,
      },
      signal: request.signal ?? AbortSignal.timeout(answerTimeoutMs),
      redirect: 'manual',
      ...(json !== undefined && { body: JSON.stringify(json) }),
      ...(form && { body: new URLSearchParams(form) }),
      ...(stream && { body: stream.open(), duplex: 'half' as const }),
    });
    return await readAnswer(response, deps.clock());
  } catch (error) {
    const detail = reasonOf(error);
    return surelyUnsent(error) ? { kind: 'unsent', detail } : { kind: 'lost', detail };
  }
}

async function readAnswer(response: Response, nowMs: number): Promise<Answer> {
  const { status, headers } = response;
  const limit = limitOf(status, headers, nowMs);
  if (status >= 300 && status < 400) {
    await response.body?.cancel();
    const detail = `it sends us on to ${hostOf(headers.get('location'))}`;
    return { kind: 'refused', status, detail, error: 'redirect', limit };
  }
  const text = await readText(response);
  if (status < 300) {
    const body: unknown = text === '' ? {} : JSON.parse(text);
    return { kind: 'ok', status, body, limit };
  }
  const said = ErrorBody.safeParse(parsed(text)).data;
  const words = said?.error_description ?? said?.error;
  return {
    kind: 'refused',
    status,
    detail: words ? words.slice(0, 300) : `it answered ${status}`,
    error: said?.error ?? '',
    limit,
  };
}

const ErrorBody = z.object({ error: z.string(), error_description: z.string().optional() });

async function readText(response: Response): Promise<string> {
  const decoder = new TextDecoder();
  let text = '';
  let bytes = 0;
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    if (bytes > maxAnswerBytes) throw new Error('the answer is too long');
    text += decoder.decode(chunk, { stream: true });
  }
  return text + decoder.decode();
}

/** The headers of Mastodon (an ISO instant) and of servers like it (seconds); a wait that is told counts as empty. */
function limitOf(status: number, headers: Headers, nowMs: number): Limit | null {
  const left = headers.get('x-ratelimit-remaining');
  const resetMs = instantOf(headers.get('x-ratelimit-reset'));
  const afterMs = Number(headers.get('retry-after') ?? Number.NaN) * 1_000 + nowMs;
  const told = resetMs ?? (Number.isFinite(afterMs) ? afterMs : null);
  if (status === 429) {
    const untilMs = told ?? nowMs + waitMs;
    return { remaining: 0, resetMs: clamp(untilMs, nowMs) };
  }
  const remaining = Number(left ?? Number.NaN);
  if (!Number.isInteger(remaining) || resetMs === null) return null;
  return { remaining, resetMs: clamp(resetMs, nowMs) };
}

function instantOf(text: string | null): number | null {
  if (text === null) return null;
  const ms = /^\d{1,12}$/.test(text) ? Number(text) * 1_000 : Date.parse(text);
  return Number.isFinite(ms) ? ms : null;
}

function clamp(ms: number, nowMs: number): number {
  return Math.min(Math.max(ms, nowMs + 1_000), nowMs + longestWindowMs);
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function hostOf(location: string | null): string {
  return (location && URL.parse(location)?.host) || 'another place';
}

/** Why a request failed, for a person; never an address or a header. */
function reasonOf(error: unknown): string {
  if (!(error instanceof Error)) return 'the connection failed';
  if (error.name === 'TimeoutError' || error.name === 'AbortError') return 'no answer in time';
  if (error instanceof SyntaxError) return 'the answer can not be read';
  const code = error.cause instanceof Error && 'code' in error.cause ? error.cause.code : null;
  return typeof code === 'string' ? `the connection failed (${code})` : 'the connection failed';
}
