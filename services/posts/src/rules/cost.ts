import type { Pricing } from '@perch/proto/posts';

/** What a post costs in credits: the base price, and the surcharge once when any tweet holds a URL (seed §8). */
export function cost(pricing: Pricing, containsUrl: boolean): number {
  return pricing.per_post + (containsUrl ? pricing.url_surcharge : 0);
}
