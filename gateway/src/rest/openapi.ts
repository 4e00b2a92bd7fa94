import { type FaultCode, faults } from '@perch/proto/faults';
import { z } from 'zod';
import {
  createDocument,
  type ZodOpenApiOperationObject,
  type ZodOpenApiResponseObject,
} from 'zod-openapi';
import { Problem } from '../problem.ts';
import { changesSomething, type Operation } from './operation.ts';
import { operations } from './operations.ts';

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
const withBody: FaultCode[] = [
  'invalid_request',
  'payload_too_large',
  'unsupported_media_type',
  'validation_failed',
];

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
      description:
        'Scheduled social publishing. Every post goes out once, on time, or says exactly why not.',
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
  });
}

function describe(operation: Operation): ZodOpenApiOperationObject {
  const { query, body, upload, status, response } = operation;
  const etag = operation.ifMatch ? ifMatch : {};
  return {
    operationId: operation.id,
    tags: [operation.tag],
    summary: operation.summary,
    description: `Needs the scope \`${operation.scope}\`.`,
    requestParams: {
      ...(query && { query }),
      ...(operation.path.includes('{id}') && { path: z.object({ id: z.string() }) }),
      ...(changesSomething(operation) && { header: z.object({ ...idempotencyKey, ...etag }) }),
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
      },
      ...problems(operation),
    },
  };
}

const ifMatch = {
  'If-Match': z.string().optional().describe('The ETag that the post must still have.'),
};
const idempotencyKey = {
  'Idempotency-Key': z
    .string()
    .max(257)
    .optional()
    .describe(
      'Makes it safe to send the request again: with the same key and body the first answer comes again, ' +
        'marked `Idempotent-Replayed: true`. Kept for 7 days per user; a refused request leaves the key free.',
    ),
};

const form = {
  'multipart/form-data': {
    schema: z.object({
      file: z.string().meta({ format: 'binary', description: 'The image or video.' }),
    }),
  },
};

function json(schema: z.ZodType, example?: unknown) {
  return { 'application/json': { schema, ...(example !== undefined && { example }) } };
}

function headersOf(operation: Operation) {
  const text = (says: string) => z.string().describe(says);
  return {
    'X-Request-Id': text('Of this request.'),
    RateLimit: text(
      'What is left of the quota of the API key: `r` requests, whole again in `t` seconds.',
    ),
    'RateLimit-Policy': text('The quota: `q` requests in `w` seconds, over all of the key.'),
    ...(changesSomething(operation) && {
      'Idempotent-Replayed': z
        .string()
        .optional()
        .describe('`true` when the answer is that of an earlier request with the same key.'),
    }),
    ...(operation.status === 201 && { Location: text('Of what was made.') }),
    ...(operation.path.startsWith('/posts') &&
      operation.query === undefined && { ETag: text('The version of the post.') }),
    ...(operation.query && {
      Link: z.string().optional().describe('`rel="next"` where there is another page.'),
    }),
  };
}

/** One answer per status, naming the codes that it can carry. */
function problems(operation: Operation): Record<string, ZodOpenApiResponseObject> {
  const codes = new Set<FaultCode>([
    ...everywhere,
    ...(operation.body ? withBody : []),
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
        content: { 'application/problem+json': { schema: Problem } },
      },
    ]),
  );
}
