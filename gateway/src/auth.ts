import { createHash } from 'node:crypto';
import type { Principal } from '@perch/proto/accounts';
import type { Clients } from '@perch/proto/clients';
import type { Clock } from '@perch/proto/clock';
import { Fault } from '@perch/proto/faults';

/** Tells whom the Authorization header of a request stands for (seed §5). Throws `invalid_api_key`, `paid_plan_required`. */
export type Authenticate = (authorization: string | undefined) => Promise<Principal>;

const maxCached = 10_000;

/** Asks accounts, and believes a good answer for a moment; many requests with one key ask once. */
export function createAuthenticate(deps: {
  accounts: Clients['accounts'];
  clock: Clock;
  cacheMs: number;
}): Authenticate {
  const cache = new Map<string, { principal: Promise<Principal>; untilMs: number }>();

  return async (authorization) => {
    const secret = /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1];
    if (!secret) {
      throw new Fault('invalid_api_key', {
        detail: 'send the header Authorization: Bearer <API key>',
      });
    }
    // Never the secret itself: a heap dump must not hold it.
    const hash = createHash('sha256').update(secret).digest('base64');
    const known = cache.get(hash);
    if (known && known.untilMs > deps.clock()) return known.principal;
    const principal = deps.accounts.authenticate.query({ secret });
    cache.delete(hash);
    cache.set(hash, { principal, untilMs: deps.clock() + deps.cacheMs });
    const [oldest] = cache.keys();
    if (cache.size > maxCached && oldest) cache.delete(oldest);
    principal.catch(() => cache.delete(hash));
    return principal;
  };
}
