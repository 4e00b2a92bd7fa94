import { Readable } from 'node:stream';
import { Fault } from '@perch/proto/faults';
import { MediaId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import type { Tenant } from '@perch/proto/tenant';
import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { idempotencyOf } from '../rest/idempotency-key.ts';
import { upload } from '../rest/media.ts';
import type { DashboardDeps } from './dashboard.ts';
import { type Context, sessionOf } from './procedure.ts';
import { requireSameSite } from './same-site.ts';

type Deps = Pick<DashboardDeps, 'clients' | 'settings'> & {
  contextOf(request: FastifyRequest, reply: FastifyReply): Omit<Context, 'stopping'>;
};

/** Uploads for the composer, by the same code as the API's, and previews of what is the user's. */
export function addMedia(room: FastifyInstance, deps: Deps): void {
  const tenants = new WeakMap<FastifyRequest, Tenant>();
  /** Before the body is read: who is not signed in need not send one. */
  async function admit(request: FastifyRequest, reply: FastifyReply): Promise<void> {
    requireSameSite(
      { method: request.method, headers: withoutForm(request) },
      deps.settings.publicUrl,
    );
    const { user } = await sessionOf(deps.contextOf(request, reply));
    tenants.set(request, { user_id: user.id, account_ids: null });
  }
  function tenantOf(request: FastifyRequest): Tenant {
    const tenant = tenants.get(request);
    if (!tenant) throw new Error('not signed in');
    return tenant;
  }
  const { clients } = deps;

  room.post(
    '/app/media',
    { preParsing: (request, reply) => admit(request, reply) },
    async (request, reply) => {
      if (!request.isMultipart()) {
        throw new Fault('unsupported_media_type', { detail: 'send a form with the one part file' });
      }
      const tenant = tenantOf(request);
      const idempotency = idempotencyOf(request, tenant);
      const call = { requestId: request.id, timeoutMs: limits.requestTimeoutMs };
      const asked = { clients, principal: { tenant }, idempotency, raw: request, reply };
      return reply.code(201).send(await withCall(call, () => upload(asked)));
    },
  );

  room.get(
    '/app/media/:id/content',
    { preParsing: (request, reply) => admit(request, reply) },
    async (request, reply) => {
      const { id } = request.params as { id?: string };
      const media_id = MediaId.safeParse(id);
      if (!media_id.success) throw new Fault('not_found', { detail: 'no such media' });
      const call = { requestId: request.id, timeoutMs: limits.requestTimeoutMs };
      const asked = { tenant: tenantOf(request), media_id: media_id.data };
      const source = await withCall(call, () => clients.media.source.query(asked));
      const response = await fetch(source.url, { signal: AbortSignal.timeout(fetchTimeoutMs) });
      if (!response.ok || !response.body)
        throw new Fault('service_unavailable', { detail: 'media: can not be read' });
      return reply
        .type(source.type)
        .header('content-length', source.bytes)
        .header('content-security-policy', "default-src 'none'; sandbox")
        .header('cache-control', 'private, max-age=3600')
        .send(Readable.from(response.body));
    },
  );
}

const fetchTimeoutMs = 60_000;

/** A form is what an upload is; its site is checked all the same. */
function withoutForm({ headers }: FastifyRequest): FastifyRequest['headers'] {
  const { 'content-type': type, ...others } = headers;
  return type?.startsWith('multipart/form-data') ? others : headers;
}
