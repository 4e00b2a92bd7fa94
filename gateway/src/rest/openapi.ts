import { type FaultCode, faults } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { AltText, MediaType } from '@perch/proto/media';
import { Post } from '@perch/proto/posts';
import { WebhookEventType } from '@perch/proto/webhooks';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiLinkObject,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { Problem } from '../problem.ts';
import { guides } from './guides.ts';
import { keyPattern } from './idempotency-key.ts';
import { changesSomething, type Link, type Operation } from './operation.ts';
import { operations } from './operations.ts';
import { samplesOf } from './samples.ts';

/** What can go wrong with any operation. */
const everywhere: FaultCode[] = [
  'invalid_api_key',
  'paid_plan_required',
  'insufficient_scope',
  'rate_limited',
  'overloaded',
  'service_unavailable',
  'outcome_unknown',
  'internal_error',
];
/** A body is read before anyone asks whether it is wanted: with DELETE too, say. */
const mayHaveBody: FaultCode[] = ['invalid_request', 'payload_too_large', 'unsupported_media_type'];

const onceCodes: FaultCode[] = [
  'invalid_request',
  'idempotency_in_flight',
  'idempotency_key_reused',
];

/** The OpenAPI 3.1 document, from the very schemas that requests are checked by. */
export function openApiDocument() {
  const paths: Record<string, Record<string, ZodOpenApiOperationObject>> = {};
  for (const operation of operations) {
    paths[operation.path] = {
      ...paths[operation.path],
      [operation.method.toLowerCase()]: describe(operation),
    };
  }
  return createDocument({
    openapi: '3.1.0',
    info: {
      title: 'Perch',
      version: '1.0.0',
      description: guides(),
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/api/v1' }],
    security: [{ apiKey: [] }],
    components: {
      securitySchemes: {
        apiKey: { type: 'http', scheme: 'bearer', description: 'An API key from the dashboard.' },
      },
    },
    paths,
    webhooks: Object.fromEntries(WebhookEventType.options.map((type) => [type, webhookOf(type)])),
  });
}

/** What an endpoint is sent for events of that type. */
function webhookOf(type: WebhookEventType) {
  const id = type.replaceAll(/[._](\w)/g, (_, letter: string) => letter.toUpperCase());
  return {
    post: {
      operationId: `${id}Event`,
      tags: ['Webhooks'],
      summary: type,
      security: [],
      requestBody: {
        required: true,
        content: json(
          z.object({
            type: z.literal(type),
            timestamp: z.iso.datetime().describe('When it happened.'),
            data: z.record(z.string(), z.unknown()),
          }),
        ),
      },
      responses: { '2XX': { description: 'Taken; anything else is tried again.' } },
    },
  };
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { query, body, upload, ifMatch, status, response } = operation;
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    'x-codeSamples': samplesOf(operation),
    description: [operation.says, `Needs the scope \`${operation.scope}\`.`]
      .filter((line) => line !== undefined)
      .join('\n\n'),
    requestParams: {
      ...(query && { query }),
      ...(operation.pathId && { path: z.object({ id: operation.pathId }) }),
      ...(changesSomething(operation) && {
        header: z.object({ ...IdempotencyKey.shape, ...(ifMatch && IfMatch.shape) }),
      }),
    },
    ...(body && {
      requestBody: {
        required: true,
        content: { ...json(body, operation.example), ...(upload && form) },
      },
    }),
    responses: {
      [status]: {
        description: operation.summary,
        headers: z.object(headersOf(operation)),
        content: json(response),
        ...(operation.links && { links: linksOf(operation.links) }),
      },
      ...problems(operation),
    },
  };
}

/** What `idempotencyOf` takes. */
const IdempotencyKey = z.object({
  'Idempotency-Key': z
    .string()
    .regex(keyPattern)
    .optional()
    .describe(
      'Makes it safe to send the request again: with the same key and body the first answer comes again, ' +
        'marked `Idempotent-Replayed: true`. Kept for 7 days per user; a refused request leaves the key free.',
    ),
});
/** What {@link ifMatchOf} takes. */
const IfMatch = z.object({
  'If-Match': z
    .string()
    .regex(/^(?:\*|(?:W\/)?"v[0-9]{1,9}")$/)
    .optional()
    .meta({
      description: 'The ETag that the post must still have, or `*`.',
      format: 'etag',
      examples: ['"v1"', '*'],
    }),
});

const form = {
  'multipart/form-data': {
    schema: z.strictObject({
      file: z.string().meta({
        format: 'binary',
        description: `The image or video, of up to ${limits.mediaBytes} bytes; its type is told by its content.`,
      }),
      alt_text: AltText.unwrap().optional(),
    }),
    encoding: { file: { contentType: MediaType.options.join(', ') } },
  },
};

function linksOf(links: Record<string, Link>): Record<string, ZodOpenApiLinkObject> {
  return Object.fromEntries(
    Object.entries(links).map(([name, { to, says, parameters, body }]) => [
      name,
      {
        operationId: to,
        description: says,
        ...(parameters && { parameters }),
        ...(body !== undefined && { requestBody: body }),
      },
    ]),
  );
}

function json(schema: z.ZodType, example?: unknown) {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

/** The headers of a success. */
function headersOf(operation: Operation) {
  return {
    ...everyHeader,
    RateLimit: text(
      'What is left of the quota of the API key: `r` requests, whole again in `t` seconds.',
      /^"key";r=[0-9]+;t=[0-9]+$/,
    ),
    'RateLimit-Policy': text(
      'The quota: `q` requests in `w` seconds, over all of the key.',
      /^"key";q=[0-9]+;w=[0-9]+$/,
    ),
    ...(changesSomething(operation) && {
      'Idempotent-Replayed': text(
        'When the answer is that of an earlier request with the same key.',
        /^true$/,
      ).optional(),
    }),
    ...(operation.status === 201 && {
      Location: text(
        'Of what was made.',
        new RegExp(`^/api/v1${operation.path}/[a-z]+_[0-9a-z]{26}$`),
      ),
    }),
    ...(operation.response === Post && { ETag: etag }),
    ...(operation.query && {
      Link: text('`rel="next"` where there is another page.', /^<.+>; rel="next"$/).optional(),
    }),
  };
}

function text(says: string, form: RegExp) {
  return z.string().regex(form).describe(says);
}

const everyHeader = { 'X-Request-Id': text('Of this request.', /^req_[0-9a-z]{26}$/) };
const etag = text('The version of the post.', /^"v[0-9]+"$/);

/** The headers that a failure has beside those that all have. */
const problemHeaders: Record<string, Record<string, z.ZodType>> = {
  401: { 'WWW-Authenticate': text('How to authenticate.', /^Bearer /) },
  412: { ETag: etag },
  503: { 'Retry-After': text('Seconds to wait at the least.', /^[0-9]+$/) },
};

/** What each of these failures looks like. */
function examplesOf(codes: FaultCode[]) {
  const example = (code: FaultCode) => {
    const { title, status, retryable } = faults[code];
    const request_id = 'req_01jd0000000000000000000000';
    const type = `/problems/${code}`;
    return {
      summary: title,
      value: { type, title, status, detail: title, code, request_id, retryable },
    };
  };
  return Object.fromEntries(codes.map((code) => [code, example(code)]));
}

/** One answer per status, naming the codes that it can carry. */
function problems(operation: Operation): Record<string, ZodOpenApiResponseObject> {
  const codes = new Set<FaultCode>([
    ...everywhere,
    ...(operation.method !== 'GET' ? mayHaveBody : []),
    ...(operation.body ? (['validation_failed'] as const) : []),
    ...(changesSomething(operation) ? onceCodes : []),
    ...(operation.query ? (['invalid_request'] as const) : []),
    ...(operation.ifMatch ? (['invalid_request', 'precondition_failed'] as const) : []),
    ...operation.errors,
  ]);
  const byStatus = Map.groupBy(codes, (code) => String(faults[code].status));
  return Object.fromEntries(
    [...byStatus].sort().map(([status, list]) => [
      status,
      {
        description: list.map((code) => `\`${code}\`: ${faults[code].title}.`).join(' '),
        headers: z.object({ ...everyHeader, ...problemHeaders[status] }),
        content: { 'application/problem+json': { schema: Problem, examples: examplesOf(list) } },
      },
    ]),
  );
}
