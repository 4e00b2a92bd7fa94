import { proxyActivities, sleep } from '@temporalio/workflow';
import type { WebhookActivities } from '../webhooks/deliver.ts';

const webhooks = proxyActivities<WebhookActivities>({
  startToCloseTimeout: '1m',
  retry: { initialInterval: '1s', maximumInterval: '1m' },
});

const second = 1_000;
const minute = 60 * second;
const hour = 60 * minute;
/** Between attempts: three days in all, as Standard Webhooks suggests. */
const pausesMs = [
  ...[5 * second, 5 * minute, 30 * minute],
  ...[2 * hour, 5 * hour, 10 * hour, 14 * hour, 20 * hour, 24 * hour],
];

/** Delivers one event to one endpoint: at once, then ever more slowly, and gives up after three days. */
export async function deliverWebhook(input: { delivery_id: string }): Promise<void> {
  for (const pauseMs of [...pausesMs, null]) {
    if ((await webhooks.attemptDelivery(input)) === 'done') return;
    if (pauseMs === null) return webhooks.giveUpDelivery(input);
    // Up to a tenth more, so that endpoints that come back are not met by everything at once.
    await sleep(pauseMs * (1 + Math.random() / 10));
  }
}
