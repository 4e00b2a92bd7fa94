import type { Reservation } from '@perch/proto/credits';
import type { PostStatus } from '@perch/proto/posts';

/**
 * What is to be done about the charge of a live post whose life is over: `capture` what it still holds, `release`
 * it, or tell a person that it was posted without a charge, or charged without being posted.
 */
export type ChargeVerdict =
  | 'right'
  | 'capture'
  | 'release'
  | 'posted_uncharged'
  | 'charged_unposted';

/** Judges what the ledger has of a post against its status (seed §8: charged only after a successful send). */
export function judgeCharge(
  status: Extract<PostStatus, 'posted' | 'failed'>,
  hold: Reservation['state'] | null,
): ChargeVerdict {
  if (status === 'posted') {
    if (hold === 'captured') return 'right';
    return hold === 'held' ? 'capture' : 'posted_uncharged';
  }
  if (hold === 'captured') return 'charged_unposted';
  return hold === 'held' ? 'release' : 'right';
}
