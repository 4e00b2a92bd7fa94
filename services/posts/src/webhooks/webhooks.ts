import { LockMode } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { Cipher } from '@perch/proto/cipher';
import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import { type Claim, type Idempotency, keepResult, once } from '@perch/proto/idempotency';
import { newId, WebhookDeliveryId } from '@perch/proto/ids';
import { limits } from '@perch/proto/limits';
import { checkUrl, type Network, UnsafeUrl } from '@perch/proto/public-network';
import type { Tenant } from '@perch/proto/tenant';
import {
  WebhookDelivery,
  WebhookEndpoint,
  type WebhookEndpointWithSecret,
  type Webhooks,
} from '@perch/proto/webhooks';
import { secretPlace } from './deliver.ts';
import {
  DeliveryEntity,
  EndpointEntity,
  findEndpoint,
  requireAllAccounts,
  type StoredDelivery,
  type StoredEndpoint,
  toDelivery,
  toEndpoint,
} from './endpoint.ts';
import { addDelivery, addToOutbox } from './outbox.ts';
import { newWebhookSecret } from './signature.ts';

interface Deps {
  db: Database;
  network: Network;
  cipher: Cipher;
  clock: Clock;
}

/** After a rotation deliveries are signed by the old secret too, for so long. */
const oldSecretMs = 24 * 60 * 60_000;

/** The webhooks of users, over their database. */
export function createWebhooks(deps: Deps): Webhooks {
  return {
    create: async ({ tenant, endpoint, idempotency }) => {
      requireAllAccounts(tenant);
      await requireUrl(deps, endpoint.url);
      const subject = newId('endpoint', deps.clock);
      const done = await onceFor(deps, { tenant, idempotency, subject }, async (id, claim) => {
        return deps.db.fork().transactional(async (em) => {
          await requireRoom(em, tenant.user_id);
          const row = em.create(EndpointEntity, {
            ...endpoint,
            id,
            user_id: tenant.user_id,
            status: 'enabled',
            secret: seal(deps, id),
            created_at: new Date(deps.clock()),
          });
          em.persist(row);
          await em.flush();
          return keepResult(em, claim, toEndpoint(row));
        });
      });
      return { ...done, result: await withSecret(deps, tenant, done.result) };
    },
    list: async ({ tenant }) => {
      requireAllAccounts(tenant);
      const { user_id } = tenant;
      const rows = await deps.db
        .fork()
        .find(EndpointEntity, { user_id }, { orderBy: { id: 'asc' } });
      return rows.map(toEndpoint);
    },
    get: async (input) => toEndpoint(await findEndpoint(deps.db.fork(), input)),
    update: async (input) => {
      if (input.patch.url) await requireUrl(deps, input.patch.url);
      return changeOnce(deps, input, async (row) => {
        const { url, description, events, status } = input.patch;
        if (url !== undefined) row.url = url;
        if (description !== undefined) row.description = description;
        if (events !== undefined) row.events = events;
        if (status !== undefined) [row.status, row.disabled_reason] = [status, null];
      });
    },
    remove: (input) => changeOnce(deps, input, async (row, em) => void em.remove(row)),
    rotateSecret: async (input) => {
      const done = await changeOnce(deps, input, async (row) => {
        row.old_secret = row.secret;
        row.old_secret_until = new Date(deps.clock() + oldSecretMs);
        row.secret = seal(deps, row.id);
      });
      return { ...done, result: await withSecret(deps, input.tenant, done.result) };
    },
    test: async ({ tenant, endpoint_id, idempotency }) => {
      const endpoint = await findEndpoint(deps.db.fork(), { tenant, endpoint_id });
      const asked = { user_id: tenant.user_id, idempotency, subject: newId('event', deps.clock) };
      return once(deps, { ...asked, schema: WebhookDelivery }, async (event_id, claim) =>
        deps.db.fork().transactional(async (em) => {
          const id = await addDelivery(em, endpoint.id, {
            event_id,
            user_id: endpoint.user_id,
            type: 'webhook.test',
            at: new Date(deps.clock()),
            data: { endpoint_id: endpoint.id },
          });
          const delivery = toDelivery(await em.findOneOrFail(DeliveryEntity, { id }));
          return keepResult(em, claim, delivery);
        }),
      );
    },
    deliveries: async (input) => {
      const em = deps.db.fork();
      const { id } = await findEndpoint(em, input);
      const { status, limit, cursor } = input;
      if (cursor !== undefined && !WebhookDeliveryId.safeParse(cursor).success)
        throw new Fault('invalid_cursor');
      const where = {
        endpoint_id: id,
        ...(status && { status }),
        ...(cursor && { id: { $lt: cursor } }),
      };
      const rows = await em.find(DeliveryEntity, where, {
        orderBy: { id: 'desc' },
        limit: limit + 1,
      });
      const data = rows.slice(0, limit).map(toDelivery);
      const has_more = rows.length > limit;
      return { data, has_more, next_cursor: has_more ? (data.at(-1)?.id ?? null) : null };
    },
    replay: async ({ tenant, delivery_id, idempotency }) => {
      requireAllAccounts(tenant);
      const { user_id } = tenant;
      const asked = { user_id, idempotency, subject: delivery_id, schema: WebhookDelivery };
      return once(deps, asked, async (id, claim) =>
        deps.db.fork().transactional(async (em) => {
          const row = await em.findOne(
            DeliveryEntity,
            { id, user_id },
            { lockMode: LockMode.PESSIMISTIC_WRITE },
          );
          if (!row) throw new Fault('not_found', { detail: 'no such delivery' });
          sendAgain(row);
          await em.flush();
          return keepResult(em, claim, toDelivery(row));
        }),
      );
    },
    emit: async (event) => {
      const at = new Date(deps.clock());
      await addToOutbox(deps.db.fork(), { ...event, at });
    },
  };
}

/** Lets the relay start a delivery once more. */
export function sendAgain(delivery: StoredDelivery): void {
  delivery.run += 1;
  delivery.status = 'pending';
  delivery.started = false;
}

/** What is recorded of an endpoint never holds its secret. */
function onceFor(
  deps: Deps,
  asked: { tenant: Tenant; idempotency: Idempotency; subject: string },
  work: (id: string, claim: Claim) => Promise<WebhookEndpoint>,
) {
  const { tenant, idempotency, subject } = asked;
  const { user_id } = tenant;
  return once(deps, { user_id, idempotency, subject, schema: WebhookEndpoint }, work);
}

/** Changes one endpoint of the tenant, locked meanwhile. */
function changeOnce(
  deps: Deps,
  input: { tenant: Tenant; endpoint_id: string; idempotency: Idempotency },
  change: (row: StoredEndpoint, em: EntityManager) => Promise<void>,
) {
  return onceFor(deps, { ...input, subject: input.endpoint_id }, (_, claim) =>
    deps.db.fork().transactional(async (em) => {
      const row = await findEndpoint(em, input);
      await em.lock(row, LockMode.PESSIMISTIC_WRITE);
      await change(row, em);
      const answer = toEndpoint(row);
      await em.flush();
      return keepResult(em, claim, answer);
    }),
  );
}

async function requireUrl(deps: Deps, url: string): Promise<void> {
  await checkUrl(url, deps.network).catch((error: unknown) => {
    if (!(error instanceof UnsafeUrl)) throw error;
    throw new Fault('webhook_url_rejected', {
      detail: error.message,
      reason: error.reason,
      errors: [{ pointer: '/url', code: error.reason, detail: error.message }],
    });
  });
}

async function requireRoom(em: EntityManager, userId: string): Promise<void> {
  await em.execute('select pg_advisory_xact_lock(hashtextextended(?, 2))', [userId]);
  const count = await em.count(EndpointEntity, { user_id: userId });
  if (count < limits.webhookEndpoints) return;
  const limit = limits.webhookEndpoints;
  const detail = `${count} webhook endpoints exist, and ${limit} are allowed; delete one first`;
  throw new Fault('webhook_endpoint_limit_reached', { detail, limit });
}

function seal(deps: Deps, endpointId: string): string {
  return deps.cipher.encrypt(newWebhookSecret(), secretPlace(endpointId));
}

async function withSecret(
  deps: Deps,
  tenant: Tenant,
  endpoint: WebhookEndpoint,
): Promise<WebhookEndpointWithSecret> {
  const row = await findEndpoint(deps.db.fork(), { tenant, endpoint_id: endpoint.id });
  return { ...endpoint, secret: deps.cipher.decrypt(row.secret, secretPlace(row.id)) };
}
