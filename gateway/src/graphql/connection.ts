import { Fault } from '@perch/proto/faults';
import { limits } from '@perch/proto/limits';

/** How much of a list, and from where, as a field's arguments say. */
interface Args {
  first?: number | null | undefined;
  after?: string | null | undefined;
}

/** A page of a list as Relay has it; the cursor of an item is its id. */
export function connectionOf<T>(
  page: { data: T[]; has_more: boolean },
  args: Args,
  idOf: (item: T) => string,
) {
  const edges = page.data.map((node) => ({ cursor: idOf(node), node }));
  return {
    edges,
    pageInfo: {
      hasNextPage: page.has_more,
      hasPreviousPage: Boolean(args.after),
      startCursor: edges[0]?.cursor ?? null,
      endCursor: edges.at(-1)?.cursor ?? null,
    },
  };
}

/** The page asked for, within bounds; `validation_failed` beyond them. */
export function pageAsked(args: Args): { first: number; after: string | undefined } {
  const first = args.first ?? limits.defaultPageItems;
  if (first < 1 || first > limits.pageItems) {
    const detail = `first: must be from 1 to ${limits.pageItems}`;
    throw new Fault('validation_failed', { detail });
  }
  return { first, after: args.after ?? undefined };
}

/** The same as a request to a service. */
export function pageRequest(args: Args): { limit: number; cursor?: string } {
  const { first, after } = pageAsked(args);
  return { limit: first, ...(after !== undefined && { cursor: after }) };
}
