import type { MediaSource } from '@perch/proto/media';
import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { findOne } from '../entity.ts';
import { signUrl } from '../signed-url.ts';

const sourceMs = 60 * 60_000;

/** Where a connector gets the bytes from. */
export async function source(
  deps: Deps,
  input: { tenant: Tenant; media_id: string },
): Promise<MediaSource> {
  const { type, bytes, alt_text, width, height, duration_ms } = await findOne(
    deps.db.fork(),
    input,
  );
  const expiresMs = deps.clock() + sourceMs;
  const url = signUrl(deps.ownUrl, deps.secret, {
    right: 'get',
    mediaId: input.media_id,
    expiresMs,
  });
  return { url, type, bytes, alt_text, width, height, duration_ms };
}
