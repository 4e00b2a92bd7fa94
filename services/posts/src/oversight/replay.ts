import { LockMode } from '@mikro-orm/core';
import type { Database } from '@perch/proto/database';
import { Fault } from '@perch/proto/faults';
import type { OverseenDelivery } from '@perch/proto/posts-oversight';
import { DeliveryEntity } from '../webhooks/endpoint.ts';
import { sendAgain } from '../webhooks/webhooks.ts';
import { toOverseenDelivery } from './shapes.ts';

/** Sends a delivery of any user again, whatever became of it. */
export async function replay(
  db: Database,
  input: { delivery_id: string },
): Promise<OverseenDelivery> {
  return db.fork().transactional(async (em) => {
    const lockMode = LockMode.PESSIMISTIC_WRITE;
    const row = await em.findOne(DeliveryEntity, { id: input.delivery_id }, { lockMode });
    if (!row) throw new Fault('not_found', { detail: 'no such delivery' });
    sendAgain(row);
    await em.flush();
    return toOverseenDelivery(row);
  });
}
