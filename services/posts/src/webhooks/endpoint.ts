import { defineEntity, type InferEntity, p } from '@mikro-orm/core';
import type { EntityManager } from '@mikro-orm/postgresql';
import { Fault } from '@perch/proto/faults';
import type { Tenant } from '@perch/proto/tenant';
import type {
  WebhookAttempt,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEventType,
} from '@perch/proto/webhooks';

/** Where a user's events are sent; the secrets are sealed by the cipher. */
export const EndpointEntity = defineEntity({
  name: 'WebhookEndpoint',
  tableName: 'webhook_endpoint',
  properties: {
    id: p.text().primary(),
    user_id: p.text(),
    url: p.text(),
    description: p.text(),
    events: p.json<WebhookEventType[]>().nullable(),
    status: p.text().$type<'enabled' | 'disabled'>(),
    disabled_reason: p.text().nullable(),
    secret: p.text(),
    old_secret: p.text().nullable(),
    old_secret_until: p.datetime().nullable(),
    created_at: p.datetime(),
  },
});
export type StoredEndpoint = InferEntity<typeof EndpointEntity>;

/** One event on its way to one endpoint; `body` is what is sent, byte for byte in every attempt. */
export const DeliveryEntity = defineEntity({
  name: 'WebhookDelivery',
  tableName: 'webhook_delivery',
  properties: {
    id: p.text().primary(),
    user_id: p.text(),
    endpoint_id: p.text(),
    event_id: p.text(),
    type: p.text().$type<WebhookEventType>(),
    status: p.text().$type<'pending' | 'delivered' | 'failed'>(),
    attempts: p.json<WebhookAttempt[]>(),
    body: p.text(),
    /** Grows with each replay: each has a workflow of its own. */
    run: p.integer(),
    started: p.boolean(),
    created_at: p.datetime(),
  },
});
export type StoredDelivery = InferEntity<typeof DeliveryEntity>;

/** The tenant's endpoint, or `not_found`, which is also what belongs to others. */
export async function findEndpoint(
  em: EntityManager,
  input: { tenant: Tenant; endpoint_id: string },
): Promise<StoredEndpoint> {
  requireAllAccounts(input.tenant);
  const { user_id } = input.tenant;
  const endpoint = await em.findOne(EndpointEntity, { id: input.endpoint_id, user_id });
  if (!endpoint) throw new Fault('not_found', { detail: 'no such webhook endpoint' });
  return endpoint;
}

/** Endpoints hear of all accounts, so a key that may use only some of them must not have any. */
export function requireAllAccounts(tenant: Tenant): void {
  if (tenant.account_ids === null) return;
  const detail = 'an API key that is bound to accounts can not use webhooks';
  throw new Fault('insufficient_scope', { detail });
}

/** The endpoint without its secrets. */
export function toEndpoint(row: StoredEndpoint): WebhookEndpoint {
  return {
    id: row.id,
    url: row.url,
    description: row.description,
    events: row.events ?? null,
    status: row.status,
    disabled_reason: row.disabled_reason ?? null,
    created_at: row.created_at.toISOString(),
  };
}

export function toDelivery(row: StoredDelivery): WebhookDelivery {
  return {
    id: row.id,
    endpoint_id: row.endpoint_id,
    event_id: row.event_id,
    type: row.type,
    status: row.status,
    attempts: row.attempts,
    payload: JSON.parse(row.body),
    created_at: row.created_at.toISOString(),
  };
}
