import { setTimeout as delay } from 'node:timers/promises';
import type { Clients } from '@perch/proto/clients';
import { limits } from '@perch/proto/limits';
import { withCall } from '@perch/proto/nats';
import type { Tenant } from '@perch/proto/tenant';
import { tracked } from '@trpc/server';

const everyMs = 1_000;

/**
 * The events of a post as they are written, each with its id, so that a browser that comes back misses none.
 * The timeline is read once a second by its number: one indexed read, while somebody looks at the page.
 */
export async function* followEvents(
  ctx: { clients: Clients; requestId: string; tenant: Tenant },
  from: { post_id: string; after: string | null; signal: AbortSignal | undefined },
) {
  const { clients, requestId, tenant } = ctx;
  const { post_id, signal } = from;
  let cursor = from.after ?? undefined;
  while (!signal?.aborted) {
    const asked = { tenant, post_id, limit: limits.pageItems, ...(cursor && { cursor }) };
    const call = { requestId, timeoutMs: limits.requestTimeoutMs };
    const page = await withCall(call, () => clients.posts.events.query(asked));
    for (const event of page.data) {
      cursor = event.id;
      yield tracked(event.id, event);
    }
    // The wait ends early when the browser goes away.
    if (!page.has_more) await delay(everyMs, undefined, { signal }).catch(() => undefined);
  }
}
