import { createHash } from 'node:crypto';
import { Fault } from '@perch/proto/faults';
import type { Idempotency } from '@perch/proto/idempotency';
import type { Tenant } from '@perch/proto/tenant';
import type { FastifyRequest } from 'fastify';

/** 1 to 255 printable ASCII characters, bare or as the quoted string of the IETF draft. */
export const keyPattern = /^"?([!#-~]{1,255})"?$/;

/** The Idempotency-Key of a request, and the fingerprint of what it asks for; null without one. */
export function idempotencyOf(request: FastifyRequest, tenant: Tenant): Idempotency {
  const header = request.headers['idempotency-key'];
  if (header === undefined) return null;
  const key = typeof header === 'string' ? keyPattern.exec(header.trim())?.[1] : undefined;
  if (key === undefined) {
    const detail = 'must be 1 to 255 printable ASCII characters without spaces or quotes';
    const errors = [{ pointer: 'Idempotency-Key', code: 'malformed', detail }];
    throw new Fault('invalid_request', { detail: `Idempotency-Key ${detail}`, errors });
  }
  return { key, fingerprint: fingerprintOf(request, tenant) };
}

/**
 * The same for the same request, however its JSON is written, by any key of the user that may do and see the same.
 * The bytes of an upload are compared later.
 */
function fingerprintOf(request: FastifyRequest, tenant: Tenant): string {
  const path = request.url.split('?')[0];
  const ifMatch = request.headers['if-match'] ?? '';
  const asked = [request.method, path, ifMatch, canonical(tenant), canonical(request.body)];
  return createHash('sha256').update(asked.join('\n')).digest('hex');
}

/** JSON with the members of every object in order. */
export function canonical(value: unknown): string {
  return JSON.stringify(value, (_, member: unknown) =>
    typeof member === 'object' && member !== null && !Array.isArray(member)
      ? Object.fromEntries(Object.entries(member).sort(([a], [b]) => (a < b ? -1 : 1)))
      : member,
  );
}
