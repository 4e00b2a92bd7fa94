import type { Clients } from '@perch/proto/clients';
import type { Nats } from '@perch/proto/nats';
import type { Health } from '@perch/proto/rpc';

/** Whether requests can be served: NATS, and every service by its own word. */
export async function readiness(clients: Clients, nats: Nats): Promise<Record<string, Health>> {
  const up = nats.isUp();
  const ask = (service: 'accounts' | 'credits' | 'media' | 'posts') =>
    healthOf(() => clients[service].health.query(undefined, { context: { timeoutMs: 3_000 } }));
  const [accounts, credits, media, posts] = await Promise.all([
    ask('accounts'),
    ask('credits'),
    ask('media'),
    ask('posts'),
  ]);
  const bus = { name: 'nats', ok: up, detail: up ? 'connected' : 'the connection to NATS is lost' };
  return { gateway: { ok: up, checks: [bus] }, accounts, credits, media, posts };
}

async function healthOf(ask: () => Promise<Health>): Promise<Health> {
  try {
    return await ask();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, checks: [{ name: 'service', ok: false, detail }] };
  }
}
