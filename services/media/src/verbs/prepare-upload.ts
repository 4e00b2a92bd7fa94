import { toIso } from '@perch/proto/clock';
import { type Idempotency, takeClaim } from '@perch/proto/idempotency';
import { newId } from '@perch/proto/ids';
import { Media, type Upload } from '@perch/proto/media';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { pendingMedia } from '../entity.ts';
import { signUrl } from '../signed-url.ts';

const ticketMs = 15 * 60_000;

/** A place for the bytes of one upload, or what was uploaded under the same key. */
export async function prepareUpload(
  deps: Deps,
  input: { tenant: Tenant; idempotency: Idempotency },
): Promise<Upload> {
  const { user_id } = input.tenant;
  const asked = { user_id, idempotency: input.idempotency, subject: newId('media', deps.clock) };
  const taken = await takeClaim(deps, asked);
  if ('result' in taken) return { state: 'done', media: Media.parse(taken.result) };
  await pendingMedia(deps.db.fork(), { id: taken.subject, user_id }, deps.clock);
  const expiresMs = deps.clock() + ticketMs;
  const grant = { right: 'put', mediaId: taken.subject, expiresMs } as const;
  return {
    state: 'ticket',
    media_id: taken.subject,
    attempt: taken.claim?.attempt ?? null,
    url: signUrl(deps.ownUrl, deps.secret, grant),
    expires_at: toIso(expiresMs),
  };
}
