import type { Idempotency } from '@perch/proto/idempotency';
import type { Media } from '@perch/proto/media';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { makeReady } from '../make-ready.ts';

/** Makes the bytes that came to a ticket media, with what was said of them. */
export function finishUpload(
  deps: Deps,
  input: {
    tenant: Tenant;
    media_id: string;
    attempt: number | null;
    alt_text: string | null;
    idempotency: Idempotency;
  },
): Promise<Media> {
  const { tenant, media_id: id, attempt, alt_text, idempotency } = input;
  const { user_id } = tenant;
  const claim = idempotency && attempt !== null ? { user_id, key: idempotency.key, attempt } : null;
  return makeReady(deps, { id, user_id, received: null, alt_text, claim });
}
