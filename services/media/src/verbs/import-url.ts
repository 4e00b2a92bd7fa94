import { newId } from '@perch/proto/ids';
import type { Media } from '@perch/proto/media';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { MediaEntity, toMedia } from '../entity.ts';
import { safeFetch } from '../safe-fetch.ts';
import { takeIn } from '../take-in.ts';

/** Fetches a URL now, once; what becomes of the URL later does not matter. */
export async function importUrl(
  deps: Deps,
  input: { tenant: Tenant; url: string },
): Promise<Media> {
  const { body, type } = await safeFetch(input.url, deps.network);
  const em = deps.db.fork();
  const media = em.create(MediaEntity, {
    id: newId('media', deps.clock),
    user_id: input.tenant.user_id,
    status: 'pending',
    source_url: input.url,
    created_at: new Date(deps.clock()),
  });
  em.persist(media);
  await em.flush();
  try {
    return toMedia(await takeIn(deps, media, body, type));
  } finally {
    body.destroy();
  }
}
