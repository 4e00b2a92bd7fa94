import type { Clients } from '@perch/proto/clients';
import type { PagesRequest } from '@perch/proto/pages';
import DataLoader from 'dataloader';

/** A page of a list that belongs to something: whose, from where, how much, and which of it. */
export type PageKey<Filter extends object> = Filter & {
  id: string;
  first: number;
  after: string | undefined;
};

/** Everything that objects inside of lists are completed by, for one request: each is one call for the whole list. */
export function createLoaders(clients: Clients) {
  const { accountsOversight, creditsOversight, postsOversight } = clients;
  return {
    users: byId(
      (ids) => accountsOversight.getUsers.query(ids),
      (one) => one.id,
    ),
    accounts: byId(
      (ids) => accountsOversight.getAccounts.query(ids),
      (one) => one.account_id,
    ),
    posts: byId(
      (ids) => postsOversight.getPosts.query(ids),
      (one) => one.id,
    ),
    endpoints: byId(
      (ids) => postsOversight.getEndpoints.query(ids),
      (one) => one.id,
    ),
    balances: byId(
      (ids) => creditsOversight.balances.query(ids),
      (one) => one.user_id,
    ),
    reservations: byId(
      (ids) => creditsOversight.reservations.query(ids),
      (one) => one.post_id,
    ),
    workflows: byId(
      (ids) => postsOversight.workflowsOf.query(ids),
      (one) => one.post_id,
    ),
    accountsOf: allOf(
      (ids) => accountsOversight.accountsOf.query(ids),
      (one) => one.user_id,
    ),
    keysOf: allOf(
      (ids) => accountsOversight.keysOf.query(ids),
      (one) => one.user_id,
    ),
    endpointsOf: allOf(
      (ids) => postsOversight.endpointsOf.query(ids),
      (one) => one.user_id,
    ),
    sendsOf: allOf(
      (ids) => accountsOversight.sendsOf.query(ids),
      (one) => one.post_id,
    ),
    entries: pages((request: PagesRequest) => creditsOversight.entries.query(request)),
    events: pages((request: PagesRequest) => postsOversight.eventsOf.query(request)),
    postsOf: pages((request: PagesRequest & PostsFilter) => postsOversight.postsOf.query(request)),
    deliveries: pages((request: PagesRequest & DeliveriesFilter) =>
      postsOversight.deliveriesOf.query(request),
    ),
  };
}
export type Loaders = ReturnType<typeof createLoaders>;

type PostsOf = Clients['postsOversight']['postsOf']['query'];
type DeliveriesOf = Clients['postsOversight']['deliveriesOf']['query'];
type PostsFilter = Pick<Parameters<PostsOf>[0], 'by' | 'status'>;
type DeliveriesFilter = Pick<Parameters<DeliveriesOf>[0], 'status'>;

/** One thing for each id; null where there is none. */
function byId<T>(ask: (ids: string[]) => Promise<T[]>, idOf: (one: T) => string) {
  return new DataLoader<string, T | null>(async (ids) => {
    const found = new Map((await ask([...ids])).map((one) => [idOf(one), one]));
    return ids.map((id) => found.get(id) ?? null);
  });
}

/** All that belongs to each owner, in the order of the answer. */
function allOf<T>(ask: (ids: string[]) => Promise<T[]>, ownerOf: (one: T) => string) {
  return new DataLoader<string, T[]>(async (ids) => {
    const found = Map.groupBy(await ask([...ids]), ownerOf);
    return ids.map((id) => found.get(id) ?? []);
  });
}

/** A page of each owner's list. Keys that differ in more than owner and place are asked for apart. */
function pages<Filter extends object, Page>(
  ask: (request: Filter & PagesRequest) => Promise<Page[]>,
) {
  return new DataLoader<PageKey<Omit<Filter, keyof PagesRequest>>, Page, string>(
    async (keys) => {
      const alike = Map.groupBy(keys.entries(), ([, { id: _, after: __, ...rest }]) =>
        JSON.stringify(rest),
      );
      const found = new Map<number, Page>();
      const asking = [...alike.values()].map(async (group) => {
        const [, sample] = group[0] ?? [];
        const { id: _, after: __, first: limit, ...filter } = sample ?? {};
        const of = group.map(([, { id, after }]) => (after ? { id, cursor: after } : { id }));
        // What is left of a key is the filter that it was made with.
        const answer = await ask({ ...filter, of, limit } as unknown as Filter & PagesRequest);
        for (const [index, [nth]] of group.entries()) {
          const page = answer[index];
          if (page) found.set(nth, page);
        }
      });
      await Promise.all(asking);
      return keys.map((_, nth) => found.get(nth) ?? new Error('a page was not answered'));
    },
    { cacheKeyFn: (key) => JSON.stringify(key) },
  );
}
