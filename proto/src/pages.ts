import { z } from 'zod';
import { limits } from './limits.ts';

/** How much of a list, and from where (cursor pagination, newest first). */
export const PageRequest = z.object({
  limit: z
    .number()
    .int()
    .min(1)
    .transform((items) => Math.min(items, limits.pageItems))
    .default(limits.defaultPageItems)
    .describe(`Items on the page; more than ${limits.pageItems} are cut to that.`),
  cursor: z.string().max(512).optional().describe('The `next_cursor` of the page before.'),
});

/** One page of a list. */
export function pageOf<T extends z.ZodType>(item: T) {
  return z.object({
    data: z.array(item).describe('The items of this page.'),
    has_more: z.boolean().describe('Whether there is another page.'),
    next_cursor: z.string().nullable().describe('Hand it back as `cursor` for the next page.'),
  });
}
