import type { Tenant } from '@perch/proto/tenant';
import type { Deps } from '../deps.ts';
import { findMedia } from '../entity.ts';

/** Keeps media for as long as the post; again changes nothing. */
export async function attach(
  deps: Deps,
  input: { tenant: Tenant; media_ids: string[]; post_id: string },
): Promise<void> {
  await deps.db.fork().transactional(async (em) => {
    // Locked, so that the clean-up can not take them in between.
    await em.execute('select from media where id = any(?) order by id for update', [
      `{${input.media_ids.join()}}`,
    ]);
    await findMedia(em, input.tenant, input.media_ids);
    for (const id of new Set(input.media_ids)) {
      await em.execute(
        'insert into media_use (media_id, post_id) values (?, ?) on conflict do nothing',
        [id, input.post_id],
      );
    }
  });
}
