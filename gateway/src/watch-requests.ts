import { histogram } from '@perch/proto/metrics';
import { startTrace, within } from '@perch/proto/tracing';
import type { FastifyInstance, FastifyRequest } from 'fastify';

type Span = ReturnType<typeof startTrace>;

const seconds = histogram({
  name: 'perch_http_request_seconds',
  help: 'Requests that the gateway answered, by route and status.',
  labels: ['method', 'route', 'status'],
});

const spans = new WeakMap<FastifyRequest, Span>();

/** Begins a trace for each request that a route answers, and counts how long it took. */
export function watchRequests(app: FastifyInstance): void {
  app.addHook('onRequest', async (request) => {
    const route = request.routeOptions.url;
    if (!route) return;
    const span = startTrace(`${request.method} ${route}`);
    span.setAttributes({ 'http.request.method': request.method, 'http.route': route });
    span.setAttribute('perch.request_id', request.id);
    spans.set(request, span);
  });
  app.addHook('onResponse', async (request, reply) => {
    const { method } = request;
    // What strangers ask for has no end.
    const route = request.routeOptions.url ?? 'none';
    const labels = { method: methods.has(method) ? method : 'other', route };
    seconds.observe({ ...labels, status: reply.statusCode }, reply.elapsedTime / 1_000);
    const span = spans.get(request);
    span?.setAttribute('http.response.status_code', reply.statusCode);
    span?.end();
  });
}

const methods = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

/** Runs `work` as part of the request's trace. */
export function inTraceOf<T>(request: FastifyRequest, work: () => T): T {
  const span = spans.get(request);
  return span ? within(span, work) : work();
}
