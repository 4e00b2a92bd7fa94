import { Fault } from '@perch/proto/faults';
import type { FastifyRequest } from 'fastify';

/**
 * Refuses what another site has a browser send with the user's cookie (CSRF). Browsers say where a request comes
 * from by `Sec-Fetch-Site`; one that does not must show our `Origin` on what changes something, and JSON or a form
 * of ours. Throws `cross_site_request`, `unsupported_media_type`.
 */
export function requireSameSite(
  request: Pick<FastifyRequest, 'method' | 'headers'>,
  publicUrl: string,
): void {
  const { headers, method } = request;
  const site = headers['sec-fetch-site'];
  const safe = method === 'GET' || method === 'HEAD';
  if (site !== undefined && site !== 'same-origin' && site !== 'none') throw crossSite();
  if (safe) return;
  if (site === undefined && headers.origin !== new URL(publicUrl).origin) throw crossSite();
  const type = headers['content-type']?.split(';')[0]?.trim().toLowerCase();
  // A POST without a body has no type; another site can not send one without its Sec-Fetch-Site or Origin.
  if (type === undefined || type === 'application/json') return;
  throw new Fault('unsupported_media_type', { detail: 'send application/json' });
}

function crossSite(): Fault {
  const detail = 'the dashboard takes requests from its own pages only';
  return new Fault('cross_site_request', { detail });
}
