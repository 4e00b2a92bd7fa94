import type { Cipher } from '@perch/proto/cipher';
import type { Clock } from '@perch/proto/clock';
import type { Database } from '@perch/proto/database';
import type { Network } from '@perch/proto/public-network';
import type { WebhookAttempt } from '@perch/proto/webhooks';
import {
  DeliveryEntity,
  EndpointEntity,
  type StoredDelivery,
  type StoredEndpoint,
} from './endpoint.ts';
import { addToOutbox } from './outbox.ts';
import { postSigned } from './post-signed.ts';
import { signedHeaders } from './signature.ts';

/** What a workflow decides from: `done` also when there is nobody to deliver to any more. */
export type AttemptOutcome = 'done' | 'again';

/** The activities of a delivery. */
export interface WebhookActivities {
  /** Sends the event once and writes down what came of it. */
  attemptDelivery(input: { delivery_id: string }): Promise<AttemptOutcome>;
  /** After the last attempt: the delivery has failed, and its endpoint is disabled with a notice. */
  giveUpDelivery(input: { delivery_id: string }): Promise<void>;
}

interface Deps {
  db: Database;
  network: Network;
  cipher: Cipher;
  clock: Clock;
}

/** So many attempts are kept in the log of a delivery. */
const keptAttempts = 20;

export function createWebhookActivities(deps: Deps): WebhookActivities {
  return {
    attemptDelivery: (input) => attempt(deps, input.delivery_id),
    giveUpDelivery: (input) => giveUp(deps, input.delivery_id),
  };
}

async function attempt(deps: Deps, id: string): Promise<AttemptOutcome> {
  const found = await find(deps, id);
  if (found?.delivery.status !== 'pending') return 'done';
  const { delivery, endpoint } = found;
  if (endpoint.status === 'disabled') {
    await close(deps, delivery, 'failed', null);
    return 'done';
  }
  const atMs = deps.clock();
  const message = { id: delivery.event_id, atMs, body: delivery.body };
  const headers = signedHeaders(secretsOf(deps, endpoint), message);
  const answer = await postSigned(deps.network, {
    url: endpoint.url,
    headers,
    body: delivery.body,
  });
  const made = {
    ...answer,
    at: new Date(atMs).toISOString(),
    duration_ms: deps.clock() - atMs,
  };
  if (answer.error === null) {
    await close(deps, delivery, 'delivered', made);
    return 'done';
  }
  if (answer.status_code === 410) {
    await close(deps, delivery, 'failed', made);
    await disable(deps, endpoint, 'it answered 410 Gone');
    return 'done';
  }
  await close(deps, delivery, 'pending', made);
  return 'again';
}

async function giveUp(deps: Deps, id: string): Promise<void> {
  const found = await find(deps, id);
  if (found?.delivery.status !== 'pending') return;
  await close(deps, found.delivery, 'failed', null);
  await disable(deps, found.endpoint, 'it took no delivery for three days');
}

/** Both secrets for as long as the old one is valid. */
function secretsOf(deps: Deps, endpoint: StoredEndpoint): string[] {
  const { old_secret, old_secret_until } = endpoint;
  const old = old_secret && old_secret_until && old_secret_until.getTime() > deps.clock();
  return [endpoint.secret, ...(old ? [old_secret] : [])].map((sealed) =>
    deps.cipher.decrypt(sealed, secretPlace(endpoint.id)),
  );
}

/** What the sealed secrets of an endpoint are bound to. */
export function secretPlace(endpointId: string): string {
  return `webhook_endpoint|${endpointId}|secret`;
}

async function find(deps: Deps, id: string) {
  const em = deps.db.fork();
  const delivery = await em.findOne(DeliveryEntity, { id });
  const endpoint = delivery && (await em.findOne(EndpointEntity, { id: delivery.endpoint_id }));
  return endpoint ? { delivery, endpoint } : null;
}

async function close(
  deps: Deps,
  delivery: StoredDelivery,
  status: StoredDelivery['status'],
  made: WebhookAttempt | null,
): Promise<void> {
  const attempts = made ? [...delivery.attempts, made].slice(-keptAttempts) : delivery.attempts;
  await deps.db
    .fork()
    .nativeUpdate(DeliveryEntity, { id: delivery.id, status: 'pending' }, { status, attempts });
}

/** Ends deliveries to an endpoint that is gone, and tells the user's other endpoints. */
async function disable(deps: Deps, endpoint: StoredEndpoint, reason: string): Promise<void> {
  await deps.db.fork().transactional(async (em) => {
    const changed = await em.nativeUpdate(
      EndpointEntity,
      { id: endpoint.id, status: 'enabled' },
      { status: 'disabled', disabled_reason: reason },
    );
    if (changed === 0) return;
    const at = new Date(deps.clock());
    await addToOutbox(em, {
      event_id: `evt_${endpoint.id}_${at.getTime()}`,
      user_id: endpoint.user_id,
      type: 'webhook_endpoint.disabled',
      at,
      data: { endpoint_id: endpoint.id, url: endpoint.url, reason },
    });
  });
}
