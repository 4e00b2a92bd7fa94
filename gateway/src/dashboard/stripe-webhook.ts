import type { Clients } from '@perch/proto/clients';
import { Fault } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import type { FastifyInstance } from 'fastify';

/** Where Stripe tells of payments. Who sends is known by the signature, which covers the very bytes. */
export function addStripeWebhook(room: FastifyInstance, clients: Clients): void {
  room.removeContentTypeParser('application/json');
  room.addContentTypeParser(
    'application/json',
    { parseAs: 'string' },
    async (_: unknown, text: string) => text,
  );
  room.post('/webhooks/stripe', async (request, reply) => {
    const { body, headers } = request;
    const signature = headers['stripe-signature'];
    if (typeof body !== 'string' || typeof signature !== 'string') {
      throw new Fault('invalid_request', { detail: 'this is for events that Stripe has signed' });
    }
    const call = { requestId: request.id, timeoutMs: limits.requestTimeoutMs };
    await withCall(call, () => clients.billing.stripeEvent.mutate({ payload: body, signature }));
    return reply.send({ received: true });
  });
}
