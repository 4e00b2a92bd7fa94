import multipart from '@fastify/multipart';
import type { Principal } from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import { type Clock, toIso } from '@perch/proto/clock';
import { Fault, faults } from '@perch/proto/faults';
import { newId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { type Nats, withCall } from '@perch/proto/nats';
import type { Logger } from '@perch/proto/process';
import reference from '@scalar/fastify-api-reference';
import fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { createAuthenticate } from './auth.ts';
import { connectPages } from './connect/connect.ts';
import { addDashboard } from './dashboard/dashboard.ts';
import type { DashboardSettings } from './dashboard/procedure.ts';
import { readiness } from './health.ts';
import { problemOf, rawProblem } from './problem.ts';
import { ownRate, type Rate, rateHeaders, rateLimited, sharedRate } from './rate-limit.ts';
import { createRequestLog, type RequestLog } from './request-log.ts';
import { idempotencyOf } from './rest/idempotency-key.ts';
import { openApiDocument } from './rest/openapi.ts';
import { changesSomething, type Operation } from './rest/operation.ts';
import { operations } from './rest/operations.ts';
import { inTraceOf, watchRequests } from './watch-requests.ts';

interface Deps {
  clients: Clients;
  nats: Nats;
  log: Logger;
  clock: Clock;
  /** How long a valid key is believed. */
  authCacheMs: number;
  keyRatePerMinute: number;
  ipRatePerMinute: number;
  /** Proxies in front of us whose word on the caller's address is believed. */
  trustedProxies: number;
  dashboard: DashboardSettings;
  /** Aborted once this process has been told to stop: it still answers, but wants no new callers. */
  draining: AbortSignal;
}

declare module 'fastify' {
  interface FastifyRequest {
    /** For the access log. */
    keyId: string | null;
  }
}

const base = '/api/v1';
/** The whole of a request, uploads too, must have arrived by then. */
const receiveTimeoutMs = 300_000;
const loggedPathChars = 500;

/** The gateway: the public API, its documents, and its health. */
export async function createApp(deps: Deps): Promise<FastifyInstance> {
  const app = fastify({
    genReqId: () => newId('request', deps.clock),
    bodyLimit: limits.jsonBodyBytes,
    requestTimeout: receiveTimeoutMs,
    keepAliveTimeout: 72_000,
    forceCloseConnections: 'idle',
    // What still comes in on a kept connection is answered as ever, and is the last on it.
    return503OnClosing: false,
    trustProxy: (_, hop) => hop < deps.trustedProxies,
    routerOptions: { ignoreTrailingSlash: false, maxParamLength: 200 },
    frameworkErrors: (error, request, reply) => answerProblem(deps.log, error, request, reply),
    clientErrorHandler: (error, socket) => {
      if (error.code === 'ECONNRESET' || socket.destroyed) return;
      if (socket.writable) socket.write(rawProblem(error, newId('request', deps.clock)));
      socket.destroy(error);
    },
  });
  const authenticate = createAuthenticate({
    accounts: deps.clients.accounts,
    clock: deps.clock,
    cacheMs: deps.authCacheMs,
  });
  app.decorateRequest('keyId', null);
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_: FastifyRequest, text: string) => parseJson(text),
  );
  watchRequests(app);
  await app.register(multipart, { throwFileSizeLimit: true });
  app.addHook('onRequest', async (request, reply) => {
    reply.header('x-request-id', request.id).header('x-content-type-options', 'nosniff');
    // A kept connection would be closed under the caller's next request.
    if (deps.draining.aborted) reply.header('connection', 'close');
    // Before the body is looked at, which would have complaints of its own.
    if (request.is404) throw notFound(request);
  });
  app.addHook('onResponse', async (request, reply) => logAccess(deps.log, request, reply));
  app.setErrorHandler((error, request, reply) => answerProblem(deps.log, error, request, reply));
  app.setNotFoundHandler((request) => {
    throw notFound(request);
  });
  const takeIpRate = ownRate({ clock: deps.clock, limit: deps.ipRatePerMinute });
  const takeKeyRate = sharedRate({
    clock: deps.clock,
    limit: deps.keyRatePerMinute,
    lease: (key_id, want, startMs) =>
      deps.clients.accounts.leaseRequests.mutate({
        key_id,
        want,
        window_start: toIso(startMs),
        limit: deps.keyRatePerMinute,
      }),
  });
  async function admitAddress(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    const rate = await takeIpRate(request.ip);
    if (!rate.allowed) throw refuse(reply, rate);
  }
  /** Before the body is read: who has no key, or asks too often, need not send one. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<Principal> {
    await admitAddress(request, reply);
    const principal = await authenticate(request.headers.authorization);
    const keyRate = await takeKeyRate(principal.key_id);
    if (!keyRate.allowed) throw refuse(reply, keyRate);
    reply.headers(rateHeaders(keyRate));
    return principal;
  }
  for (const operation of operations) addOperation(app, operation, deps, admit);
  refuseOtherMethods(app);
  addRequestLog(app, deps);
  await addDocuments(app);
  await app.register(connectPages({ clients: deps.clients, admitAddress }));
  await addDashboard(app, { ...deps, settings: deps.dashboard, takeIpRate });
  addHealth(app, deps);
  return app;
}

function addOperation(
  app: FastifyInstance,
  operation: Operation,
  deps: Deps,
  admit: (request: FastifyRequest, reply: FastifyReply) => Promise<Principal>,
): void {
  app.route({
    method: operation.method,
    url: base + operation.path.replace('{id}', ':id'),
    onRequest: async (request, reply) => {
      const call = { requestId: request.id, timeoutMs: limits.requestTimeoutMs };
      const principal = await inTraceOf(request, () => withCall(call, () => admit(request, reply)));
      request.keyId = principal.key_id;
      principals.set(request, principal);
      if (!principal.scopes.includes(operation.scope)) {
        const detail = `the API key lacks the scope ${operation.scope}`;
        throw new Fault('insufficient_scope', { detail, required_scope: operation.scope });
      }
    },
    handler: async (request, reply) => {
      const principal = principals.get(request);
      if (!principal) throw new Error('not authenticated');
      const { id = '' } = request.params as { id?: string };
      const call = {
        requestId: request.id,
        timeoutMs: limits.mediaFetchTimeoutMs + limits.requestTimeoutMs,
        signal: goneSignal(reply),
      };
      const idempotency = changesSomething(operation)
        ? idempotencyOf(request, principal.tenant)
        : null;
      const { clients } = deps;
      const answer = await inTraceOf(request, () =>
        withCall(call, () =>
          operation.handle({ principal, clients, id, idempotency, raw: request, reply }),
        ),
      );
      return reply.code(operation.status).send(answer);
    },
  });
}

/** Every request with a good key is told to its user's log, whatever the answer. */
function addRequestLog(app: FastifyInstance, deps: Deps): void {
  const requestLog: RequestLog = createRequestLog({ ...deps, requests: deps.clients.requests });
  app.addHook('onResponse', async (request, reply) => {
    const principal = principals.get(request);
    if (!principal) return;
    requestLog.add({
      user_id: principal.tenant.user_id,
      key_id: principal.key_id,
      request_id: request.id,
      method: request.method,
      path: request.url.split('?')[0]?.slice(0, loggedPathChars) ?? '',
      status: reply.statusCode,
      duration_ms: Math.round(reply.elapsedTime),
      at: toIso(deps.clock()),
    });
  });
  app.addHook('onClose', () => requestLog.stop());
}

/** On a fixed path, a method that it does not take is no id of something else: `GET /posts/validate`. */
function refuseOtherMethods(app: FastifyInstance): void {
  const fixed = operations.filter((operation) => !operation.path.includes('{id}'));
  for (const [path, own] of Map.groupBy(fixed, (operation) => operation.path)) {
    const taken = own.map((operation) => operation.method);
    const method = (['GET', 'POST', 'PATCH', 'DELETE'] as const).filter(
      (one) => !taken.includes(one),
    );
    if (method.length === 0) continue;
    app.route({
      method,
      url: base + path,
      onRequest: async (request) => {
        throw notFound(request);
      },
      handler: async (request) => {
        throw notFound(request);
      },
    });
  }
}

const principals = new WeakMap<FastifyRequest, Principal>();

function refuse(reply: FastifyReply, rate: Rate): Fault {
  reply.headers(rateHeaders(rate));
  return rateLimited(rate);
}

/** Aborts when the caller hangs up before the answer. */
function goneSignal(reply: FastifyReply): AbortSignal {
  const gone = new AbortController();
  reply.raw.once('close', () => {
    if (!reply.raw.writableFinished) gone.abort();
  });
  return gone.signal;
}

async function addDocuments(app: FastifyInstance): Promise<void> {
  const document = JSON.stringify(openApiDocument());
  app.get(`${base}/openapi.json`, async (_, reply) =>
    reply.type('application/json').send(document),
  );
  app.get('/', async (_, reply) => reply.redirect('/app/'));
  app.get('/problems/:code', async (request) => {
    const { code = '' } = request.params as { code?: string };
    const row = Object.entries(faults).find(([name]) => name === code)?.[1];
    if (!row) throw new Fault('not_found', { detail: 'no such problem' });
    return { code, status: row.status, title: row.title, retryable: row.retryable };
  });
  await app.register(reference, {
    routePrefix: '/docs',
    configuration: {
      url: `${base}/openapi.json`,
      pageTitle: 'Perch API',
      // Nothing from elsewhere, nothing sent elsewhere.
      withDefaultFonts: false,
      telemetry: false,
      agent: { disabled: true },
      mcp: { disabled: true },
      hideClientButton: true,
      showDeveloperTools: 'never',
    },
  });
}

function addHealth(app: FastifyInstance, deps: Deps): void {
  app.get('/healthz', async () => ({ ok: true }));
  app.get('/readyz', async (_, reply) => {
    const services = await readiness(deps.clients, deps.nats);
    const ok = Object.values(services).every((health) => health.ok) && !deps.draining.aborted;
    return reply.code(ok ? 200 : 503).send({ ok, services });
  });
}

function parseJson(text: string): unknown {
  if (text === '') return undefined;
  try {
    return JSON.parse(text);
  } catch (error) {
    const detail =
      error instanceof Error ? `the body is no JSON: ${error.message}` : 'the body is no JSON';
    throw new Fault('invalid_request', { detail });
  }
}

function notFound(request: FastifyRequest): Fault {
  const path = request.url.split('?')[0] ?? '';
  const exact = operations.filter((operation) => base + operation.path === path);
  const byPattern = operations.filter((operation) =>
    new RegExp(`^${base}${operation.path.replace('{id}', '[^/]+')}$`).test(path),
  );
  const allowed = (exact.length > 0 ? exact : byPattern).map((operation) => operation.method);
  if (allowed.length === 0)
    return new Fault('not_found', { detail: `there is nothing at ${path}` });
  return new Fault('method_not_allowed', {
    detail: `${path} takes ${allowed.join(', ')}`,
    allowed,
  });
}

function answerProblem(
  log: Logger,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const { status, headers, body, bug } = problemOf(error, request.id);
  if (bug !== null) log.error({ err: bug, requestId: request.id }, 'request failed by a bug');
  return (
    reply
      .code(status)
      // Once more: a request that no route could be looked up for went through no hook.
      .headers({ ...headers, 'x-request-id': request.id, 'x-content-type-options': 'nosniff' })
      .type('application/problem+json')
      .send(JSON.stringify(body))
  );
}

function logAccess(log: Logger, request: FastifyRequest, reply: FastifyReply): void {
  log.info(
    {
      requestId: request.id,
      keyId: request.keyId,
      method: request.method,
      route: request.routeOptions.url ?? null,
      status: reply.statusCode,
      ms: Math.round(reply.elapsedTime),
    },
    'request',
  );
}
