import { fileURLToPath } from 'node:url';
import cookie from '@fastify/cookie';
import files from '@fastify/static';
import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import { Fault, faultOf, faults } from '@perch/proto/faults';
import type { Logger } from '@perch/proto/process';
import { isBug } from '@perch/proto/rpc';
import { TRPCError } from '@trpc/server';
import { fastifyRequestHandler } from '@trpc/server/adapters/fastify';
import type { FastifyInstance, FastifyPluginAsync, FastifyReply, FastifyRequest } from 'fastify';
import { rateLimited, type TakeRate } from '../rate-limit.ts';
import { cookieOf, putCookie, sessionCookie, signUpCookie } from './cookies.ts';
import { addMedia } from './media.ts';
import type { Context, DashboardSettings } from './procedure.ts';
import { dashboardRouter } from './router.ts';
import { requireSameSite } from './same-site.ts';
import { pageHeaders } from './security-headers.ts';
import { addStripeWebhook } from './stripe-webhook.ts';

/** What the dashboard's server works with. */
export interface DashboardDeps {
  clients: Clients;
  clock: Clock;
  log: Logger;
  settings: DashboardSettings;
  takeIpRate: TakeRate;
}

const built = fileURLToPath(new URL('../../dashboard/dist', import.meta.url));
const yearMs = 365 * 86_400_000;

/** The web app under `/app`: its files, its procedures at `/app/api`, and its media. */
export async function addDashboard(app: FastifyInstance, deps: DashboardDeps): Promise<void> {
  await app.register(inRoom((room) => addStripeWebhook(room, deps.clients)));
  await app.register(
    inRoom(async (room) => {
      await room.register(cookie);
      const headers = pageHeaders(deps.settings.publicUrl);
      room.addHook('onRequest', async (_, reply) => void reply.headers(headers));
      addMedia(room, {
        ...deps,
        contextOf: (request, reply) => contextOf(deps, request, reply),
      });
      await room.register(inRoom((api) => addProcedures(api, deps)));
      await addFiles(room);
    }),
  );
}

/** A part of the app with parsers and hooks of its own. */
function inRoom(add: (room: FastifyInstance) => void | Promise<void>): FastifyPluginAsync {
  return async (room) => add(room);
}

/** The procedures; what fails before one runs has the same form of answer as what fails in it. */
function addProcedures(room: FastifyInstance, deps: DashboardDeps): void {
  // Streams to browsers would else hold up the stop.
  const stopping = new AbortController();
  room.addHook('preClose', async () => stopping.abort());
  room.removeContentTypeParser(['application/json', 'multipart/form-data']);
  room.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_: unknown, text: string) => text,
  );
  room.route({
    method: ['GET', 'POST'],
    url: '/app/api/:path',
    handler: async (request, reply) => {
      const { path = '' } = request.params as { path?: string };
      await fastifyRequestHandler({
        router: dashboardRouter,
        req: request,
        res: reply,
        path,
        allowBatching: false,
        // A query with a long thread in it does not fit a URL.
        allowMethodOverride: true,
        createContext: async () => {
          await admit(deps, request);
          return { ...contextOf(deps, request, reply), stopping: stopping.signal };
        },
        responseMeta: ({ errors }) => ({ headers: answerHeaders(errors) }),
        onError: ({ error, path: procedure }) => {
          if (!isBug(error) || error.code === 'NOT_FOUND') return;
          const { id: requestId } = request;
          const err = error.cause ?? error;
          deps.log.error({ err, requestId, procedure }, 'request failed by a bug');
        },
      });
    },
  });
}

/** Before a procedure is looked for. Throws `cross_site_request`, `rate_limited`. */
async function admit(deps: DashboardDeps, request: FastifyRequest): Promise<void> {
  try {
    requireSameSite(request, deps.settings.publicUrl);
    const rate = await deps.takeIpRate(request.ip);
    if (!rate.allowed) throw rateLimited(rate);
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause;
    throw new TRPCError({ code: faults[cause.code].rpc, message: cause.message, cause });
  }
}

function contextOf(
  deps: DashboardDeps,
  request: FastifyRequest,
  reply: FastifyReply,
): Omit<Context, 'stopping'> {
  const { clients, clock, settings } = deps;
  return {
    clients,
    clock,
    settings,
    requestId: request.id,
    origin: { ip: request.ip, user_agent: request.headers['user-agent'] ?? '' },
    token: cookieOf(request, settings.publicUrl, sessionCookie),
    setToken: (token) => putCookie(reply, settings.publicUrl, sessionCookie, token),
    binding: cookieOf(request, settings.publicUrl, signUpCookie),
    setBinding: (binding) => putCookie(reply, settings.publicUrl, signUpCookie, binding),
  };
}

function answerHeaders(errors: readonly TRPCError[]): Record<string, string> {
  const fault = faultOf(errors[0]?.cause);
  const seconds = fault?.details['retry_after_seconds'];
  return {
    'cache-control': 'no-store',
    ...(typeof seconds === 'number' && { 'retry-after': String(seconds) }),
  };
}

/** The built app: hashed assets for ever, everything else is its one page. */
async function addFiles(room: FastifyInstance): Promise<void> {
  await room.register(files, { root: built, serve: false, cacheControl: false });
  room.get('/app', async (_, reply) => reply.redirect('/app/'));
  room.get('/app/*', async (request, reply) => {
    const { '*': path = '' } = request.params as { '*'?: string };
    if (path.startsWith('assets/')) {
      return reply.sendFile(path, { cacheControl: true, maxAge: yearMs, immutable: true });
    }
    reply.header('cache-control', 'no-cache');
    return reply.sendFile(/^[\w-]+\.\w+$/.test(path) ? path : 'index.html');
  });
}
