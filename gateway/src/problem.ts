import { STATUS_CODES } from 'node:http';
import { Fault, type FaultCode, faultOf, faults } from '@perch/proto/faults';
import { FieldErrors } from '@perch/proto/field-errors';
import { z } from 'zod';

/** The body of every error answer: RFC 9457, with members that a program can rely on. */
export const Problem = z
  .looseObject({
    type: z.string().describe('A page about this kind of error.'),
    title: z.string().describe('The kind of error, for a person.'),
    status: z.number().int().describe('The status of the answer.'),
    detail: z.string().describe('One sentence for a person.'),
    code: z.string().describe('Stable; programs decide by it.'),
    request_id: z.string().describe('Name it when you ask for help.'),
    retryable: z.boolean().describe('Whether the identical request can succeed later.'),
    errors: FieldErrors.optional().describe('One entry per broken field.'),
  })
  .meta({ id: 'Problem' });

/** An answer to a request that failed. */
interface ProblemAnswer {
  status: number;
  headers: Record<string, string>;
  body: z.infer<typeof Problem>;
  /** Not null for what nobody expected: worth an error in the log, and nothing of it in the answer. */
  bug: unknown;
}

/** Turns anything thrown into an answer; the one place where that happens. */
export function problemOf(thrown: unknown, requestId: string): ProblemAnswer {
  const fault = faultOf(thrown) ?? fastifyFault(thrown);
  const { code, details, message } = fault ?? new Fault('internal_error');
  const { status, title, retryable } = faults[code];
  return {
    status,
    headers: headersOf(code, details),
    body: {
      ...details,
      type: `/problems/${code}`,
      title,
      status,
      detail: details.detail ?? message,
      code,
      request_id: requestId,
      retryable,
    },
    bug: fault && code !== 'internal_error' ? null : thrown,
  };
}

function headersOf(code: FaultCode, details: Record<string, unknown>): Record<string, string> {
  if (code === 'invalid_api_key') return { 'www-authenticate': 'Bearer realm="perch"' };
  if (faults[code].retryable) {
    const seconds = details['retry_after_seconds'];
    return { 'retry-after': typeof seconds === 'number' ? String(seconds) : '1' };
  }
  if (code === 'precondition_failed' && typeof details['version'] === 'number') {
    return { etag: `"v${details['version']}"` };
  }
  if (code === 'method_not_allowed' && Array.isArray(details['allowed'])) {
    return { allow: details['allowed'].join(', ') };
  }
  return {};
}

/** Fastify's and its plugins' own errors, in our words. */
const fastifyCodes: Record<string, FaultCode> = {
  FST_ERR_CTP_BODY_TOO_LARGE: 'payload_too_large',
  FST_ERR_CTP_INVALID_MEDIA_TYPE: 'unsupported_media_type',
  FST_ERR_CTP_INVALID_CONTENT_LENGTH: 'invalid_request',
  FST_ERR_BAD_URL: 'not_found',
  FST_ERR_MAX_PARAM_LENGTH: 'not_found',
  FST_ERR_ASYNC_CONSTRAINT: 'not_found',
  FST_REQ_FILE_TOO_LARGE: 'payload_too_large',
  FST_FILES_LIMIT: 'validation_failed',
  FST_FIELDS_LIMIT: 'validation_failed',
  FST_PARTS_LIMIT: 'validation_failed',
  FST_INVALID_MULTIPART_CONTENT_TYPE: 'unsupported_media_type',
};

function fastifyFault(thrown: unknown): Fault | null {
  if (!(thrown instanceof Error) || !('code' in thrown) || typeof thrown.code !== 'string')
    return null;
  const code = fastifyCodes[thrown.code];
  return code ? new Fault(code, { detail: thrown.message }, { cause: thrown }) : null;
}

/** What Node's parser makes of bytes that are no request, in our words. */
const parserCodes: Record<string, FaultCode> = {
  HPE_HEADER_OVERFLOW: 'headers_too_large',
  ERR_HTTP_REQUEST_TIMEOUT: 'request_timeout',
};

/** The whole answer, as bytes, to a connection that sent what is no HTTP request. */
export function rawProblem(error: { code?: string }, requestId: string): string {
  const code = parserCodes[error.code ?? ''] ?? 'invalid_request';
  const { status, headers, body } = problemOf(new Fault(code), requestId);
  const text = JSON.stringify(body);
  const lines = {
    ...headers,
    'x-request-id': requestId,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': Buffer.byteLength(text),
    connection: 'close',
  };
  return [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(lines).map(([name, value]) => `${name}: ${value}`),
    '',
    text,
  ].join('\r\n');
}
