import { Fault } from '@perch/proto/faults';
import { WebhookDeliveryId, WebhookEndpointId } from '@perch/proto/ids';
import {
  DeliveriesPage,
  DeliveryFilter,
  NewWebhookEndpoint,
  WebhookDelivery,
  WebhookEndpoint,
  WebhookEndpointPatch,
  WebhookEndpointWithSecret,
} from '@perch/proto/webhooks';
import { z } from 'zod';
import {
  bodyOf,
  doneOnce,
  type Link,
  linkNext,
  type Operation,
  queryOf,
  type Request,
} from './operation.ts';

const tag = 'Webhooks';
const scope = 'webhooks:manage';
const one = '/webhook_endpoints/{id}';
const DeliveriesQuery = z.strictObject(DeliveryFilter.shape);
const example = {
  url: 'https://example.com/perch',
  events: ['post.posted', 'post.failed'],
};

/** Everything of webhooks; design: Standard Webhooks. */
export const webhookOperations: Operation[] = [
  {
    id: 'createWebhookEndpoint',
    method: 'POST',
    path: '/webhook_endpoints',
    tag,
    summary: 'Have events sent to a URL',
    scope,
    body: NewWebhookEndpoint,
    example,
    status: 201,
    response: WebhookEndpointWithSecret,
    errors: ['webhook_url_rejected', 'webhook_endpoint_limit_reached'],
    links: linksFrom({ 'path.id': '$response.body#/id' }),
    async handle(request) {
      const endpoint = bodyOf(NewWebhookEndpoint, request);
      const { tenant } = request.principal;
      const { idempotency } = request;
      const input = { tenant, endpoint, idempotency };
      const created = doneOnce(request, await request.clients.webhooks.create.mutate(input));
      request.reply.header('location', `/api/v1/webhook_endpoints/${created.id}`);
      return created;
    },
  },
  {
    id: 'listWebhookEndpoints',
    method: 'GET',
    path: '/webhook_endpoints',
    tag,
    summary: 'List webhook endpoints',
    scope,
    status: 200,
    response: z.object({ data: z.array(WebhookEndpoint) }),
    errors: [],
    links: linksFrom({ 'path.id': '$response.body#/data/0/id' }),
    async handle({ clients, principal }) {
      return { data: await clients.webhooks.list.query({ tenant: principal.tenant }) };
    },
  },
  {
    id: 'getWebhookEndpoint',
    method: 'GET',
    path: one,
    pathId: WebhookEndpointId,
    tag,
    summary: 'Read a webhook endpoint',
    scope,
    status: 200,
    response: WebhookEndpoint,
    errors: ['not_found'],
    handle: (request) => request.clients.webhooks.get.query(endpointOf(request)),
  },
  {
    id: 'updateWebhookEndpoint',
    method: 'PATCH',
    path: one,
    pathId: WebhookEndpointId,
    tag,
    summary: 'Change a webhook endpoint, or enable it again',
    scope,
    body: WebhookEndpointPatch,
    example: { status: 'enabled' },
    status: 200,
    response: WebhookEndpoint,
    errors: ['not_found', 'webhook_url_rejected'],
    async handle(request) {
      const patch = bodyOf(WebhookEndpointPatch, request);
      const input = { ...changeOf(request), patch };
      return doneOnce(request, await request.clients.webhooks.update.mutate(input));
    },
  },
  {
    id: 'deleteWebhookEndpoint',
    method: 'DELETE',
    path: one,
    pathId: WebhookEndpointId,
    tag,
    summary: 'Delete a webhook endpoint and its log',
    scope,
    status: 200,
    response: WebhookEndpoint,
    errors: ['not_found'],
    handle: async (request) =>
      doneOnce(request, await request.clients.webhooks.remove.mutate(changeOf(request))),
  },
  {
    id: 'rotateWebhookSecret',
    method: 'POST',
    path: `${one}/rotate_secret`,
    pathId: WebhookEndpointId,
    tag,
    summary: 'Take a new secret; for a day deliveries are signed by the old one too',
    scope,
    status: 200,
    response: WebhookEndpointWithSecret,
    errors: ['not_found'],
    handle: async (request) =>
      doneOnce(request, await request.clients.webhooks.rotateSecret.mutate(changeOf(request))),
  },
  {
    id: 'testWebhookEndpoint',
    method: 'POST',
    path: `${one}/test`,
    pathId: WebhookEndpointId,
    tag,
    summary: 'Send the event webhook.test',
    scope,
    status: 200,
    response: WebhookDelivery,
    errors: ['not_found'],
    links: {
      replay: {
        to: 'replayWebhookDelivery',
        says: 'The same delivery again.',
        parameters: { 'path.id': '$response.body#/id' },
      },
    },
    handle: async (request) =>
      doneOnce(request, await request.clients.webhooks.test.mutate(changeOf(request))),
  },
  {
    id: 'listWebhookDeliveries',
    method: 'GET',
    path: `${one}/deliveries`,
    pathId: WebhookEndpointId,
    tag,
    summary: 'What was sent to an endpoint, and what it answered, newest first',
    scope,
    query: DeliveriesQuery,
    status: 200,
    response: DeliveriesPage,
    errors: ['not_found', 'invalid_cursor'],
    async handle(request) {
      const input = { ...endpointOf(request), ...queryOf(DeliveriesQuery, request) };
      const page = await request.clients.webhooks.deliveries.query(input);
      linkNext(request, page);
      return page;
    },
  },
  {
    id: 'replayWebhookDelivery',
    method: 'POST',
    path: '/webhook_deliveries/{id}/replay',
    pathId: WebhookDeliveryId,
    tag,
    summary: 'Send a delivery again',
    scope,
    status: 200,
    response: WebhookDelivery,
    errors: ['not_found'],
    async handle(request) {
      const id = WebhookDeliveryId.safeParse(request.id);
      if (!id.success) throw new Fault('not_found', { detail: 'no such delivery' });
      const { tenant } = request.principal;
      const { idempotency } = request;
      const input = { tenant, delivery_id: id.data, idempotency };
      return doneOnce(request, await request.clients.webhooks.replay.mutate(input));
    },
  },
];

/** What can be done with an endpoint whose id stands there. */
function linksFrom(parameters: Record<string, string>): Record<string, Link> {
  return {
    read: { to: 'getWebhookEndpoint', says: 'The endpoint.', parameters },
    change: { to: 'updateWebhookEndpoint', says: 'What it is sent, and where.', parameters },
    test: { to: 'testWebhookEndpoint', says: 'To see whether it works.', parameters },
    rotate: { to: 'rotateWebhookSecret', says: 'When the secret has leaked.', parameters },
    log: { to: 'listWebhookDeliveries', says: 'What it was sent.', parameters },
    remove: { to: 'deleteWebhookEndpoint', says: 'The end of it.', parameters },
  };
}

/** The endpoint in the path; what can be no id is not found either. */
function endpointOf(request: Request) {
  const id = WebhookEndpointId.safeParse(request.id);
  if (!id.success) throw new Fault('not_found', { detail: 'no such webhook endpoint' });
  return { tenant: request.principal.tenant, endpoint_id: id.data };
}

function changeOf(request: Request) {
  return { ...endpointOf(request), idempotency: request.idempotency };
}
