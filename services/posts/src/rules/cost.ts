import { Fault } from '@perch/proto/faults';
import type { Pricing } from '@perch/proto/posts';

/** What a post costs in credits: the base price, and the surcharge once when any tweet holds a URL (seed §8). */
export function cost(pricing: Pricing, containsUrl: boolean): number {
  return pricing.per_post + (containsUrl ? pricing.url_surcharge : 0);
}

/** `insufficient_credits`; null when what is available suffices. */
export function creditsFault(
  required: number,
  { available, reserved }: { available: number; reserved: number },
): Fault | null {
  if (available >= required) return null;
  const detail = `${required} credits are needed, ${available} are available (${reserved} are held by posts being sent)`;
  return new Fault('insufficient_credits', { detail, available, reserved, required });
}
