import type { Clients } from '@perch/proto/clients';
import type { Nats } from '@perch/proto/nats';
import { type Health, healthOf } from '@perch/proto/rpc';

/** Whether requests can be served: NATS, and every service by its own word. */
export async function readiness(clients: Clients, nats: Nats): Promise<Record<string, Health>> {
  const ask = (service: 'accounts' | 'credits' | 'media' | 'posts') =>
    askedHealth(() => clients[service].health.query(undefined, { context: { timeoutMs: 3_000 } }));
  const [accounts, credits, media, posts] = await Promise.all([
    ask('accounts'),
    ask('credits'),
    ask('media'),
    ask('posts'),
  ]);
  return { gateway: healthOf([nats.check()]), accounts, credits, media, posts };
}

async function askedHealth(ask: () => Promise<Health>): Promise<Health> {
  try {
    return await ask();
  } catch (error) {
    const detail = error instanceof Error ? error.message : String(error);
    return { ok: false, checks: [{ name: 'service', ok: false, detail }] };
  }
}
