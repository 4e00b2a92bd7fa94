import { Readable } from 'node:stream';
import type { ReadableStream } from 'node:stream/web';
import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import type { Actor } from '@perch/proto/operators';
import type { Logger } from '@perch/proto/process';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import type { OidcSettings } from '../config.ts';
import { problemOf } from '../problem.ts';
import { ownRate, rateHeaders, rateLimited } from '../rate-limit.ts';
import { createAuthenticateOperator } from './authenticate.ts';
import { createLoaders } from './loaders.ts';
import { createOperatorsYoga } from './yoga.ts';

interface Deps {
  clients: Clients;
  log: Logger;
  clock: Clock;
  oidc: OidcSettings | null;
  /** Whether the schema can be asked for. */
  introspection: boolean;
  /** Whether `GET /graphql` is a page to try queries on; it needs introspection to be of use. */
  graphiql: boolean;
}

/** A document with its variables. */
const bodyLimitBytes = 65_536;
const receiveTimeoutMs = 30_000;
/** Of one address in a minute; people and their scripts, no public. */
const requestsPerMinute = 600;

const actors = new WeakMap<FastifyRequest, Actor>();

/** The operators' part of the gateway, which listens on a port of its own and must never be reached by the public. */
export async function createOperatorsServer(deps: Deps): Promise<FastifyInstance> {
  const app = fastify({
    genReqId: () => newId('request', deps.clock),
    bodyLimit: bodyLimitBytes,
    requestTimeout: receiveTimeoutMs,
    forceCloseConnections: true,
  });
  const yoga = createOperatorsYoga(deps);
  const authenticate = createAuthenticateOperator({
    operators: deps.clients.operators,
    clock: deps.clock,
    oidc: deps.oidc,
  });
  const takeRate = ownRate({ clock: deps.clock, limit: requestsPerMinute });
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_: FastifyRequest, text: string) => text,
  );
  app.addHook('onRequest', async (request, reply) => {
    reply.headers({ 'x-request-id': request.id, 'x-content-type-options': 'nosniff' });
    reply.header('cache-control', 'no-store');
  });
  app.addHook('onResponse', async (request, reply) => logAccess(deps.log, request, reply));
  app.setErrorHandler((error, request, reply) => refuse(deps.log, error, request, reply));
  app.setNotFoundHandler(() => {
    throw new Fault('not_found', { detail: 'there is only POST /graphql' });
  });
  app.route({
    method: 'POST',
    url: '/graphql',
    onRequest: async (request, reply) => {
      const rate = await takeRate(request.ip);
      reply.headers(rateHeaders(rate));
      if (!rate.allowed) throw rateLimited(rate);
      const call = { requestId: request.id, timeoutMs: limits.requestTimeoutMs };
      // Before the body is read: who has no token need not send one.
      const actor = await withCall(call, () => authenticate(request.headers.authorization));
      actors.set(request, actor);
    },
    handler: (request, reply) => answer(deps, yoga, request, reply),
  });
  if (deps.graphiql) await addGraphiql(app);
  return app;
}

async function answer(
  deps: Deps,
  yoga: ReturnType<typeof createOperatorsYoga>,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const actor = actors.get(request);
  if (!actor) throw new Error('not authenticated');
  const { clients, log } = deps;
  const gone = new AbortController();
  reply.raw.once('close', () => gone.abort());
  const { accept = 'application/json' } = request.headers;
  const asked = new Request('http://operators/graphql', {
    method: 'POST',
    headers: { 'content-type': 'application/json', accept },
    body: typeof request.body === 'string' ? request.body : '',
    signal: gone.signal,
  });
  const call = { requestId: request.id, timeoutMs: limits.requestTimeoutMs, signal: gone.signal };
  const response = await withCall(call, async () => {
    const loaders = createLoaders(clients);
    return yoga.fetch(asked, { actor, requestId: request.id, clients, loaders, log });
  });
  reply.code(response.status).headers(Object.fromEntries(response.headers));
  if (!response.body) return reply.send();
  // The types of the two streams differ in name only.
  return reply.send(Readable.fromWeb(response.body as ReadableStream));
}

/** What is refused before GraphQL sees it, in the form that its clients read. */
function refuse(
  log: Logger,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, headers, body, bug } = problemOf(error, request.id);
  if (bug !== null) log.error({ err: bug, requestId: request.id }, 'request failed by a bug');
  const { detail: message, code, request_id } = body;
  return reply
    .code(status)
    .headers(headers)
    .type('application/json')
    .send(JSON.stringify({ errors: [{ message, extensions: { code, request_id } }] }));
}

/** The page brings all its scripts with it and may reach nothing but this server; its nine megabytes only when asked. */
async function addGraphiql(app: FastifyInstance): Promise<void> {
  const { renderGraphiQL } = await import('@graphql-yoga/render-graphiql');
  const page = renderGraphiQL({ endpoint: '/graphql', title: 'Perch for operators' });
  app.get('/graphql', async (_, reply) =>
    reply
      .type('text/html')
      .header(
        'content-security-policy',
        "default-src 'none'; script-src 'unsafe-inline' blob:; worker-src blob:; style-src 'unsafe-inline'; img-src data:; font-src data:; connect-src 'self'; frame-ancestors 'none'",
      )
      .send(page),
  );
}

function logAccess(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  log.info(
    {
      requestId: request.id,
      actor: actors.get(request)?.id ?? null,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    },
    'operators: request',
  );
}
