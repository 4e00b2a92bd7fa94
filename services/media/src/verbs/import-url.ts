import { type Claim, type Idempotency, type Once, once } from '@perch/proto/idempotency';
import { newId } from '@perch/proto/ids';
import { Media } from '@perch/proto/media';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { pendingMedia, toMedia } from '../entity.ts';
import { safeFetch } from '../safe-fetch.ts';
import { takeIn } from '../take-in.ts';

/** Fetches a URL now, once; what becomes of the URL later does not matter. */
export function importUrl(
  deps: Deps,
  input: { tenant: Tenant; url: string; idempotency: Idempotency },
): Promise<Once<Media>> {
  const { tenant, url, idempotency } = input;
  const subject = newId('media', deps.clock);
  const asked = { user_id: tenant.user_id, idempotency, subject, schema: Media };
  return once(deps, asked, (id, claim) => fetchMedia(deps, { tenant, url, id, claim }));
}

async function fetchMedia(
  deps: Deps,
  input: { tenant: Tenant; url: string; id: string; claim: Claim },
): Promise<Media> {
  const { tenant, url, id, claim } = input;
  const { body, type } = await safeFetch(url, deps.network);
  try {
    const row = { id, user_id: tenant.user_id, source_url: url };
    const media = await pendingMedia(deps.db.fork(), row, deps.clock);
    return toMedia(await takeIn(deps, { media, bytes: body, declaredType: type, claim }));
  } finally {
    body.destroy();
  }
}
