import { z } from 'zod';
import { Idempotency, type Once, onceOf } from './idempotency.ts';
import { WebhookDeliveryId, WebhookEndpointId } from './ids.ts';
import { limits } from './limits.ts';
import { PageRequest, pageOf } from './pages.ts';
import { type Call, procedure, router } from './rpc.ts';
import { Tenant } from './tenant.ts';
import { StorableText } from './text.ts';

/** What a webhook can tell of. */
export const WebhookEventType = z.enum([
  'post.scheduled',
  'post.posted',
  'post.failed',
  'post.cancelled',
  'post.auto_replied',
  'post.auto_retweeted',
  'account.disconnected',
  'credits.low',
  'webhook_endpoint.disabled',
  'webhook.test',
]);
export type WebhookEventType = z.infer<typeof WebhookEventType>;

/** Where events are sent. */
export const WebhookEndpoint = z.object({
  id: WebhookEndpointId,
  url: z.string(),
  description: z.string(),
  events: z.array(WebhookEventType).nullable().describe('The only ones to be sent; null: all.'),
  status: z.enum(['enabled', 'disabled']),
  disabled_reason: z.string().nullable().describe('Why Perch has disabled it, if it has.'),
  created_at: z.iso.datetime(),
});
export type WebhookEndpoint = z.infer<typeof WebhookEndpoint>;

/** An endpoint with the secret that its deliveries are signed by; shown only when it is new. */
export const WebhookEndpointWithSecret = z.object({
  ...WebhookEndpoint.shape,
  secret: z.string().describe('Verifies signatures, in the form of Standard Webhooks: `whsec_…`.'),
});
export type WebhookEndpointWithSecret = z.infer<typeof WebhookEndpointWithSecret>;

/** One attempt at a delivery. */
export const WebhookAttempt = z.object({
  at: z.iso.datetime(),
  status_code: z.number().int().nullable().describe('What the endpoint answered; null: nothing.'),
  error: z.string().nullable(),
  duration_ms: z.number().int(),
});
export type WebhookAttempt = z.infer<typeof WebhookAttempt>;

/** One event on its way to one endpoint. */
export const WebhookDelivery = z.object({
  id: WebhookDeliveryId,
  endpoint_id: WebhookEndpointId,
  event_id: z.string().describe('The header `webhook-id`: the same in every attempt and replay.'),
  type: WebhookEventType,
  status: z.enum(['pending', 'delivered', 'failed']),
  attempts: z.array(WebhookAttempt).describe('The last ones, oldest first.'),
  payload: z.record(z.string(), z.unknown()).describe('The body that is sent.'),
  created_at: z.iso.datetime(),
});
export type WebhookDelivery = z.infer<typeof WebhookDelivery>;

const EndpointUrl = z
  .url({ protocol: /^https?$/ })
  .max(limits.urlChars)
  .describe('HTTPS, on the public internet.');

/** The body of `POST /webhook_endpoints`. */
export const NewWebhookEndpoint = z.strictObject({
  url: EndpointUrl,
  description: StorableText.max(200).default(''),
  events: z.array(WebhookEventType).min(1).nullable().default(null),
});

/** The body of `PATCH /webhook_endpoints/{id}`. */
export const WebhookEndpointPatch = z
  .strictObject({
    url: EndpointUrl.optional(),
    description: StorableText.max(200).optional(),
    events: z.array(WebhookEventType).min(1).nullable().optional(),
    status: z.enum(['enabled', 'disabled']).optional(),
  })
  .refine((patch) => Object.keys(patch).length > 0, {
    message: 'give at least one field to change',
    params: { code: 'empty' },
  })
  .meta({ minProperties: 1 });

/** Which deliveries to list; newest first. */
export const DeliveryFilter = z.object({
  status: WebhookDelivery.shape.status.optional(),
  ...PageRequest.shape,
});
export const DeliveriesPage = pageOf(WebhookDelivery);

const OfTenant = z.object({ tenant: Tenant });
const OneEndpoint = z.object({ tenant: Tenant, endpoint_id: WebhookEndpointId });
const CreateEndpoint = z.object({
  tenant: Tenant,
  endpoint: NewWebhookEndpoint,
  idempotency: Idempotency,
});
const UpdateEndpoint = z.object({
  ...OneEndpoint.shape,
  patch: WebhookEndpointPatch,
  idempotency: Idempotency,
});
const ChangeEndpoint = z.object({ ...OneEndpoint.shape, idempotency: Idempotency });
const ListDeliveries = z.object({ ...OneEndpoint.shape, ...DeliveryFilter.shape });
const Replay = z.object({
  tenant: Tenant,
  delivery_id: WebhookDeliveryId,
  idempotency: Idempotency,
});
const Emit = z.object({
  user_id: Tenant.shape.user_id,
  event_id: z.string().max(200),
  type: WebhookEventType,
  data: z.record(z.string(), z.unknown()),
});

/**
 * Webhooks, served by posts, whose events most of them tell. Each is sent at least once, in no promised order.
 * What changes something takes an idempotency key. A key that is bound to accounts may not use them
 * (`insufficient_scope`), for endpoints hear of all accounts.
 */
export interface Webhooks {
  /** `webhook_url_rejected`, `webhook_endpoint_limit_reached`. */
  create(
    input: z.output<typeof CreateEndpoint>,
    call: Call,
  ): Promise<Once<WebhookEndpointWithSecret>>;
  list(input: z.output<typeof OfTenant>, call: Call): Promise<WebhookEndpoint[]>;
  get(input: z.output<typeof OneEndpoint>, call: Call): Promise<WebhookEndpoint>;
  update(input: z.output<typeof UpdateEndpoint>, call: Call): Promise<Once<WebhookEndpoint>>;
  /** Ends the endpoint and forgets its deliveries; returns it as it was. */
  remove(input: z.output<typeof ChangeEndpoint>, call: Call): Promise<Once<WebhookEndpoint>>;
  /** A new secret; for a day deliveries are signed by the old one too. */
  rotateSecret(
    input: z.output<typeof ChangeEndpoint>,
    call: Call,
  ): Promise<Once<WebhookEndpointWithSecret>>;
  /** Sends the event `webhook.test`. */
  test(input: z.output<typeof ChangeEndpoint>, call: Call): Promise<Once<WebhookDelivery>>;
  deliveries(
    input: z.output<typeof ListDeliveries>,
    call: Call,
  ): Promise<z.infer<typeof DeliveriesPage>>;
  /** Sends a delivery again, whatever became of it. */
  replay(input: z.output<typeof Replay>, call: Call): Promise<Once<WebhookDelivery>>;
  /** For other services: tells the user's endpoints of an event, once by its id. */
  emit(input: z.output<typeof Emit>, call: Call): Promise<void>;
}

/** The wire form of {@link Webhooks}. */
export const webhooksRouter = (webhooks: Webhooks) =>
  router({
    create: procedure
      .input(CreateEndpoint)
      .output(onceOf(WebhookEndpointWithSecret))
      .mutation(({ input, ctx }) => webhooks.create(input, ctx)),
    list: procedure
      .input(OfTenant)
      .output(z.array(WebhookEndpoint))
      .query(({ input, ctx }) => webhooks.list(input, ctx)),
    get: procedure
      .input(OneEndpoint)
      .output(WebhookEndpoint)
      .query(({ input, ctx }) => webhooks.get(input, ctx)),
    update: procedure
      .input(UpdateEndpoint)
      .output(onceOf(WebhookEndpoint))
      .mutation(({ input, ctx }) => webhooks.update(input, ctx)),
    remove: procedure
      .input(ChangeEndpoint)
      .output(onceOf(WebhookEndpoint))
      .mutation(({ input, ctx }) => webhooks.remove(input, ctx)),
    rotateSecret: procedure
      .input(ChangeEndpoint)
      .output(onceOf(WebhookEndpointWithSecret))
      .mutation(({ input, ctx }) => webhooks.rotateSecret(input, ctx)),
    test: procedure
      .input(ChangeEndpoint)
      .output(onceOf(WebhookDelivery))
      .mutation(({ input, ctx }) => webhooks.test(input, ctx)),
    deliveries: procedure
      .input(ListDeliveries)
      .output(DeliveriesPage)
      .query(({ input, ctx }) => webhooks.deliveries(input, ctx)),
    replay: procedure
      .input(Replay)
      .output(onceOf(WebhookDelivery))
      .mutation(({ input, ctx }) => webhooks.replay(input, ctx)),
    emit: procedure.input(Emit).mutation(({ input, ctx }) => webhooks.emit(input, ctx)),
  });
export type WebhooksRouter = ReturnType<typeof webhooksRouter>;
