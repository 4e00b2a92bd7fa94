import { type Claim, type Idempotency, type Once, once } from '@perch/proto/idempotency';
import { newId } from '@perch/proto/ids';
import { Media } from '@perch/proto/media';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { pendingMedia } from '../entity.ts';
import { makeReady } from '../make-ready.ts';
import { safeFetch } from '../safe-fetch.ts';
import { takeIn } from '../take-in.ts';

/** Fetches a URL now, once; what becomes of the URL later does not matter. */
export function importUrl(
  deps: Deps,
  input: { tenant: Tenant; url: string; alt_text: string | null; idempotency: Idempotency },
): Promise<Once<Media>> {
  const { tenant, url, alt_text, idempotency } = input;
  const subject = newId('media', deps.clock);
  const asked = { user_id: tenant.user_id, idempotency, subject, schema: Media };
  return once(deps, asked, (id, claim) => fetchMedia(deps, { tenant, url, alt_text, id, claim }));
}

async function fetchMedia(
  deps: Deps,
  input: { tenant: Tenant; url: string; alt_text: string | null; id: string; claim: Claim },
): Promise<Media> {
  const { tenant, url, alt_text, id, claim } = input;
  const { user_id } = tenant;
  const { body, type } = await safeFetch(url, deps.network);
  try {
    await pendingMedia(deps.db.fork(), { id, user_id, source_url: url }, deps.clock);
    const received = await takeIn(deps, { id, bytes: body, declaredType: type });
    return await makeReady(deps, { id, user_id, received, alt_text, claim });
  } finally {
    body.destroy();
  }
}
