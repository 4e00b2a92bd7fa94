import type { FastifyReply, FastifyRequest } from 'fastify';
import { faultOf } from './faults.ts';
import { forbidden, Problem } from './problem.ts';
import type { World, XAccount } from './world.ts';

/** Requests in 15 minutes by one account, as X publishes them. */
const limits: Record<string, number> = {
  tweet: 100,
  retweet: 50,
  delete: 50,
  mentions: 300,
  timeline: 900,
  lookup: 900,
  me: 75,
  media: 500,
};
const windowMs = 15 * 60_000;

/** Whose request it is, if X would do it at all: token, scope, suspension, rate limit, credits. */
export function admit(
  world: World,
  request: FastifyRequest,
  reply: FastifyReply,
  need: { scope: string; bucket: string },
): XAccount {
  const token = /^Bearer (.+)$/.exec(request.headers.authorization ?? '')?.[1] ?? '';
  const access = world.access.get(token);
  const { clock, creditsOut } = world.options;
  const kind = faultOf(request)?.kind;
  if (!access || access.grant.revoked || access.expiresMs < clock() || kind === '401')
    throw new Problem(401, 'Unauthorized', 'Unauthorized');
  const { account, scopes } = access.grant;
  if (!scopes.includes(need.scope))
    throw forbidden('You are not permitted to perform this action.');
  count(world, reply, `${account.id} ${need.bucket}`, need.bucket, kind === '429');
  if (account.suspended)
    throw forbidden('Your account is suspended and is not permitted to access this feature.');
  if (creditsOut) {
    const detail = 'Your enrolled account does not have any credits to fulfill this request.';
    throw new Problem(402, 'CreditsDepleted', detail, {
      type: 'https://api.twitter.com/2/problems/credits',
    });
  }
  return account;
}

function count(
  world: World,
  reply: FastifyReply,
  key: string,
  bucket: string,
  isFull: boolean,
): void {
  const now = world.options.clock();
  const limit = world.options.limits[bucket] ?? limits[bucket] ?? 900;
  const before = world.counts.get(key);
  const window = before && before.resetMs > now ? before : { made: 0, resetMs: now + windowMs };
  window.made = isFull ? limit + 1 : window.made + 1;
  world.counts.set(key, window);
  void reply.headers({
    'x-rate-limit-limit': limit,
    'x-rate-limit-remaining': Math.max(0, limit - window.made),
    'x-rate-limit-reset': Math.ceil(window.resetMs / 1_000),
  });
  if (window.made > limit) throw new Problem(429, 'Too Many Requests', 'Too Many Requests');
}
