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

/** The same page of several lists at once, one for each owner; so that lists inside of lists cost one call. */
export const PagesRequest = z.object({
  of: z
    .array(z.object({ id: z.string(), cursor: z.string().max(512).optional() }))
    .max(limits.pageItems * limits.pageItems),
  limit: PageRequest.shape.limit,
});
export type PagesRequest = z.output<typeof PagesRequest>;

/** Ids to look up at once; what is not there is left out of the answer, whose order is free. */
export function manyOf<T extends z.ZodType>(id: T) {
  return z.array(id).max(limits.pageItems * limits.pageItems);
}

/** A page made of rows of which one more than `limit` was asked for; the cursor is the last one's id. */
export function pageFrom<T>(rows: T[], limit: number, idOf: (row: T) => string) {
  const data = rows.slice(0, limit);
  const last = data.at(-1);
  const has_more = rows.length > limit;
  return { data, has_more, next_cursor: has_more && last !== undefined ? idOf(last) : null };
}
