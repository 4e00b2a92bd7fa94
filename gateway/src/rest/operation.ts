import type { Principal, Scope } from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import { Fault, type FaultCode } from '@perch/proto/faults';
import type { Idempotency, Once } from '@perch/proto/idempotency';
import { parseInput } from '@perch/proto/validation';
import type { FastifyReply, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** One operation of the public API: its route, its page in the documents, and what it does, in one place. */
export interface Operation {
  id: string;
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** Below `/api/v1`, with `{id}` for a path parameter. */
  path: string;
  /** The form of `{id}`; what has another is not found. */
  pathId?: z.ZodType;
  tag: string;
  summary: string;
  /** What a caller must know beyond the summary. */
  says?: string;
  scope: Scope;
  /** Query parameters; unknown ones are refused. */
  query?: z.ZodObject;
  /** The JSON body. */
  body?: z.ZodType;
  /** Whether the body may be a multipart form with the part `file` instead. */
  upload?: boolean;
  /** Whether it changes nothing although it is no GET, so that no Idempotency-Key is needed. */
  changesNothing?: boolean;
  /** Whether `If-Match` is taken. */
  ifMatch?: boolean;
  status: 200 | 201;
  response: z.ZodType;
  /** What can go wrong beside what can go wrong everywhere. */
  errors: FaultCode[];
  /** An example of the body. */
  example?: unknown;
  /** What its answer leads to, by name. */
  links?: Record<string, Link>;
  handle(request: Request): Promise<unknown>;
}

/** How a value of an answer leads to another operation, in OpenAPI's runtime expressions. */
export interface Link {
  /** The id of the operation that it leads to. */
  to: string;
  says: string;
  parameters?: Record<string, string>;
  /** Fields of the body that the value fills; the others are the caller's. */
  body?: unknown;
}

/** A request on its way through an operation. */
export interface Request {
  principal: Principal;
  clients: Clients;
  /** The value of the path parameter `{id}`. */
  id: string;
  /** The caller's Idempotency-Key, on what changes anything. */
  idempotency: Idempotency;
  raw: FastifyRequest;
  reply: FastifyReply;
}

export function changesSomething(operation: Operation): boolean {
  return operation.method !== 'GET' && !operation.changesNothing;
}

/** The body by its schema: 400 when it is no JSON object, 422 naming every broken field. */
export function bodyOf<T extends z.ZodType>(schema: T, request: Request): z.output<T> {
  const { body } = request.raw;
  if (typeof body !== 'object' || body === null || Array.isArray(body)) {
    throw new Fault('invalid_request', { detail: 'the body must be a JSON object' });
  }
  return parseInput(schema, body);
}

/** The query by its schema: 400 naming every broken or unknown parameter. */
export function queryOf<T extends z.ZodObject>(schema: T, request: Request): z.output<T> {
  const query = z.record(z.string(), z.unknown()).parse(request.raw.query);
  const limit = query['limit'];
  const given =
    typeof limit === 'string' && /^-?\d+$/.test(limit) ? { ...query, limit: Number(limit) } : query;
  try {
    return parseInput(schema, given);
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const errors = error.details.errors?.map((one) => ({ ...one, pointer: one.pointer.slice(1) }));
    const detail = errors?.[0] ? `${errors[0].pointer}: ${errors[0].detail}` : 'bad query';
    throw new Fault('invalid_request', { detail, errors: errors ?? [] });
  }
}

/** The version that `If-Match` names; null when any will do. */
export function ifMatchOf(request: Request): number | null {
  const header = request.raw.headers['if-match'];
  if (header === undefined || header.trim() === '*') return null;
  const version = /^(?:W\/)?"v(\d{1,9})"$/.exec(header.trim())?.[1];
  if (version !== undefined) return Number(version);
  const errors = [
    {
      pointer: 'If-Match',
      code: 'malformed',
      detail: 'must be an ETag of the post, like "v3", or *',
    },
  ];
  throw new Fault('invalid_request', { detail: 'If-Match is no ETag of a post', errors });
}

/** What was done by a request with an Idempotency-Key, marked when it was done before. */
export function doneOnce<T>(request: Pick<Request, 'reply'>, done: Once<T>): T {
  if (done.replayed) request.reply.header('idempotent-replayed', 'true');
  return done.result;
}

/** Links to the page after this one. */
export function linkNext(request: Request, page: { next_cursor: string | null }): void {
  if (page.next_cursor === null) return;
  const url = new URL(request.raw.url, 'http://perch');
  url.searchParams.set('cursor', page.next_cursor);
  request.reply.header('link', `<${url.pathname}${url.search}>; rel="next"`);
}
