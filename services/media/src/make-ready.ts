import { LockMode } from '@mikro-orm/core';
import { Fault } from '@perch/proto/faults';
import { type Claim, keepResult } from '@perch/proto/idempotency';
import type { Media } from '@perch/proto/media';
import type { Deps } from './deps.ts';
import { MediaEntity, type Received, toMedia } from './entity.ts';

/**
 * Makes received bytes media that can be used, and records that as the result of its key. `received` is null when it
 * was written down before. `not_found` when no bytes have come; again changes nothing.
 */
export async function makeReady(
  deps: Deps,
  media: {
    id: string;
    user_id: string;
    received: Received | null;
    alt_text: string | null;
    claim: Claim;
  },
): Promise<Media> {
  const { id, user_id, received, alt_text, claim } = media;
  return deps.db.fork().transactional(async (em) => {
    const row = await em.findOne(
      MediaEntity,
      { id, user_id },
      { lockMode: LockMode.PESSIMISTIC_WRITE },
    );
    if (row?.status === 'ready') return toMedia(row);
    if (!row || !(received ?? row.sha256))
      throw new Fault('not_found', { detail: 'no such upload' });
    em.assign(row, { ...received, status: 'ready', alt_text });
    await em.flush();
    return keepResult(em, claim, toMedia(row));
  });
}
