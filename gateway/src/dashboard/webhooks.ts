import { WebhookDeliveryId, WebhookEndpointId } from '@perch/proto/ids';
import { DeliveryFilter, NewWebhookEndpoint, WebhookEndpointPatch } from '@perch/proto/webhooks';
import { z } from 'zod';
import { idempotencyOf, Once, router, signedIn } from './procedure.ts';

const OneEndpoint = z.object({ endpoint_id: WebhookEndpointId });
const Change = z.object({ ...OneEndpoint.shape, ...Once.shape });

/** Webhook endpoints and their delivery log. */
export const webhooksRouter = router({
  list: signedIn.query(({ ctx }) => ctx.clients.webhooks.list.query({ tenant: ctx.tenant })),
  /** The secret is in this answer, and in that of `rotateSecret`, and never shown again. */
  create: signedIn
    .input(z.object({ endpoint: NewWebhookEndpoint, ...Once.shape }))
    .mutation(async ({ ctx, input }) => {
      const { endpoint } = input;
      const idempotency = idempotencyOf('webhooks.create', input);
      const asked = { tenant: ctx.tenant, endpoint, idempotency };
      return (await ctx.clients.webhooks.create.mutate(asked)).result;
    }),
  update: signedIn
    .input(z.object({ ...Change.shape, patch: WebhookEndpointPatch }))
    .mutation(async ({ ctx, input }) => {
      const { endpoint_id, patch } = input;
      const idempotency = idempotencyOf('webhooks.update', input);
      const asked = { tenant: ctx.tenant, endpoint_id, patch, idempotency };
      return (await ctx.clients.webhooks.update.mutate(asked)).result;
    }),
  remove: signedIn.input(Change).mutation(async ({ ctx, input }) => {
    const idempotency = idempotencyOf('webhooks.remove', input);
    const asked = { tenant: ctx.tenant, endpoint_id: input.endpoint_id, idempotency };
    return (await ctx.clients.webhooks.remove.mutate(asked)).result;
  }),
  rotateSecret: signedIn.input(Change).mutation(async ({ ctx, input }) => {
    const idempotency = idempotencyOf('webhooks.rotateSecret', input);
    const asked = { tenant: ctx.tenant, endpoint_id: input.endpoint_id, idempotency };
    return (await ctx.clients.webhooks.rotateSecret.mutate(asked)).result;
  }),
  test: signedIn.input(Change).mutation(async ({ ctx, input }) => {
    const idempotency = idempotencyOf('webhooks.test', input);
    const asked = { tenant: ctx.tenant, endpoint_id: input.endpoint_id, idempotency };
    return (await ctx.clients.webhooks.test.mutate(asked)).result;
  }),
  deliveries: signedIn
    .input(z.object({ ...OneEndpoint.shape, ...DeliveryFilter.shape }))
    .query(({ ctx, input }) =>
      ctx.clients.webhooks.deliveries.query({ ...input, tenant: ctx.tenant }),
    ),
  replay: signedIn
    .input(z.object({ delivery_id: WebhookDeliveryId, ...Once.shape }))
    .mutation(async ({ ctx, input }) => {
      const { delivery_id } = input;
      const idempotency = idempotencyOf('webhooks.replay', input);
      const asked = { tenant: ctx.tenant, delivery_id, idempotency };
      return (await ctx.clients.webhooks.replay.mutate(asked)).result;
    }),
});
