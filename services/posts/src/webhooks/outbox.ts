import type { EntityManager } from '@mikro-orm/postgresql';
import type { Database } from '@perch/proto/database';
import { newId } from '@perch/proto/ids';
import type { WebhookEventType } from '@perch/proto/webhooks';
import { EndpointEntity } from './endpoint.ts';

/** An event that the user's endpoints are to be told of. */
export interface OutboxEvent {
  event_id: string;
  user_id: string;
  type: WebhookEventType;
  at: Date;
  data: Record<string, unknown>;
}

const batch = 100;

/** Writes an event down, once by its id, in the transaction of what happened. Those of posts are written by a trigger. */
export async function addToOutbox(em: EntityManager, event: OutboxEvent): Promise<void> {
  await em.execute(
    `insert into webhook_outbox (event_id, user_id, type, at, data) values (?, ?, ?, ?, ?::jsonb)
     on conflict (event_id) do nothing`,
    [event.event_id, event.user_id, event.type, event.at, JSON.stringify(event.data)],
  );
}

/** Turns events of the outbox into deliveries, one for each endpoint that wants them. Returns how many events. */
export async function relayOutbox(deps: { db: Database }): Promise<number> {
  return deps.db.fork().transactional(async (em) => {
    const events: (Omit<OutboxEvent, 'at'> & { at: string })[] = await em.execute(
      `delete from webhook_outbox where position in (
         select position from webhook_outbox order by position limit ? for update skip locked
       ) returning event_id, user_id, type, at, data`,
      [batch],
    );
    for (const { at, ...event } of events) await addDeliveries(em, { ...event, at: new Date(at) });
    return events.length;
  });
}

async function addDeliveries(em: EntityManager, event: OutboxEvent): Promise<void> {
  const { user_id, type } = event;
  const endpoints = await em.find(EndpointEntity, { user_id, status: 'enabled' });
  for (const endpoint of endpoints) {
    if (endpoint.events && !endpoint.events.includes(type)) continue;
    await addDelivery(em, endpoint.id, event);
  }
}

/** A delivery of the event to one endpoint; started by the relay. Returns its id. */
export async function addDelivery(
  em: EntityManager,
  endpointId: string,
  event: OutboxEvent,
): Promise<string> {
  const id = newId('delivery', () => event.at.getTime());
  const { event_id, user_id, type, at, data } = event;
  await em.execute(
    `insert into webhook_delivery (id, user_id, endpoint_id, event_id, type, status, body, created_at)
     values (?, ?, ?, ?, ?, 'pending', ?, ?) on conflict (endpoint_id, event_id) do nothing`,
    [
      id,
      user_id,
      endpointId,
      event_id,
      type,
      JSON.stringify({ type, timestamp: at.toISOString(), data }),
      at,
    ],
  );
  return id;
}
