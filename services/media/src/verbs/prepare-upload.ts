import { toIso } from '@perch/proto/clock';
import { newId } from '@perch/proto/ids';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { MediaEntity } from '../entity.ts';
import { signUrl } from '../signed-url.ts';

const ticketMs = 15 * 60_000;

/** A place for the bytes of one upload. */
export async function prepareUpload(
  deps: Deps,
  input: { tenant: Tenant },
): Promise<{ url: string; expires_at: string }> {
  const em = deps.db.fork();
  const expiresMs = deps.clock() + ticketMs;
  const media = em.create(MediaEntity, {
    id: newId('media', deps.clock),
    user_id: input.tenant.user_id,
    status: 'pending',
    created_at: new Date(deps.clock()),
  });
  em.persist(media);
  await em.flush();
  const url = signUrl(deps.ownUrl, deps.secret, { right: 'put', mediaId: media.id, expiresMs });
  return { url, expires_at: toIso(expiresMs) };
}
