import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api, type Inputs } from './client.ts';

const firstPage: { cursor?: string } = {};

/** Who is signed in; fails with `not_signed_in` when nobody is. */
export const sessionQuery = queryOptions({
  queryKey: ['session'],
  queryFn: ({ signal }) => api.auth.session.query(undefined, { signal }),
  staleTime: 60_000,
});

/** What is set up here: mail, AI, the API's address, limits. */
export const configQuery = queryOptions({
  queryKey: ['config'],
  queryFn: ({ signal }) => api.config.get.query(undefined, { signal }),
  staleTime: Number.POSITIVE_INFINITY,
});

/** The mails on the local page. */
export const mailsQuery = queryOptions({
  queryKey: ['mails'],
  queryFn: ({ signal }) => api.mails.list.query(undefined, { signal }),
  refetchInterval: 3_000,
});

/** The plan, what it brings, and how it can be paid here. */
export const planQuery = queryOptions({
  queryKey: ['plan'],
  queryFn: ({ signal }) => api.plan.get.query(undefined, { signal }),
});

/** What leaving the paid plan would mean now. */
export const downgradeQuery = queryOptions({
  queryKey: ['plan', 'downgrade'],
  queryFn: ({ signal }) => api.plan.previewDowngrade.query(undefined, { signal }),
  staleTime: 0,
});

/** The accounts, each with what is left of its day. */
export const accountsQuery = queryOptions({
  queryKey: ['accounts'],
  queryFn: ({ signal }) => api.accounts.list.query(undefined, { signal }),
});

/** The platforms beside the sandbox, and how accounts are connected on each. */
export const platformsQuery = queryOptions({
  queryKey: ['platforms'],
  queryFn: ({ signal }) => api.accounts.platforms.query(undefined, { signal }),
  staleTime: 60_000,
});

/** How far connecting an account has come, asked until it has ended. */
export const connectionQuery = (ticket: string) =>
  queryOptions({
    queryKey: ['connection', ticket],
    queryFn: ({ signal }) => api.accounts.connection.query({ ticket }, { signal }),
    refetchInterval: ({ state }) =>
      state.data?.status === 'new' || state.data?.status === 'begun' || !state.data ? 2_000 : false,
  });

/** What stands on the sandbox platform for an account. */
export const feedQuery = (account_id: string) =>
  queryOptions({
    queryKey: ['feed', account_id],
    queryFn: ({ signal }) => api.accounts.feed.query({ account_id }, { signal }),
    refetchInterval: 5_000,
  });

/** The API keys, revoked ones too. */
export const keysQuery = queryOptions({
  queryKey: ['keys'],
  queryFn: ({ signal }) => api.keys.list.query(undefined, { signal }),
});

/** The webhook endpoints. */
export const endpointsQuery = queryOptions({
  queryKey: ['webhooks'],
  queryFn: ({ signal }) => api.webhooks.list.query(undefined, { signal }),
});

/** The delivery log of an endpoint, newest first, page by page. */
export const deliveriesQuery = (filter: Omit<Inputs['webhooks']['deliveries'], 'cursor'>) =>
  infiniteQueryOptions({
    queryKey: ['deliveries', filter],
    queryFn: ({ signal, pageParam }) =>
      api.webhooks.deliveries.query({ ...filter, ...pageParam }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    refetchInterval: 5_000,
  });

/** The last requests to the API. */
export const requestsQuery = queryOptions({
  queryKey: ['requests'],
  queryFn: ({ signal }) => api.requests.list.query(undefined, { signal }),
  refetchInterval: 3_000,
});

/** All posts due in a span, however many pages they take. */
export const postsBetweenQuery = (account_id: string, fromMs: number, toMs: number) =>
  queryOptions({
    queryKey: ['posts', 'between', account_id, fromMs, toMs],
    queryFn: ({ signal }) => allPostsBetween(account_id, fromMs, toMs, signal),
    placeholderData: keepPreviousData,
    refetchInterval: 10_000,
  });

/** Posts, newest first, page by page. */
export const postsQuery = (filter: Omit<Inputs['posts']['list'], 'cursor'>) =>
  infiniteQueryOptions({
    queryKey: ['posts', 'list', filter],
    queryFn: ({ signal, pageParam }) =>
      api.posts.list.query({ ...filter, ...pageParam }, { signal }),
    initialPageParam: firstPage,
    getNextPageParam: nextPage,
    refetchInterval: 10_000,
  });

/** The next posts to go out, of all accounts, the earliest first. */
export const upcomingQuery = queryOptions({
  queryKey: ['posts', 'upcoming'],
  queryFn: async ({ signal }) => {
    const [scheduled, publishing] = await Promise.all([
      api.posts.list.query({ status: 'scheduled', limit: 100 }, { signal }),
      api.posts.list.query({ status: 'publishing', limit: 10 }, { signal }),
    ]);
    return [...publishing.data, ...scheduled.data]
      .toSorted((a, b) => a.scheduled_at.localeCompare(b.scheduled_at))
      .slice(0, 7);
  },
  refetchInterval: 5_000,
});

/** One post. */
export const postQuery = (post_id: string) =>
  queryOptions({
    queryKey: ['posts', 'one', post_id],
    queryFn: ({ signal }) => api.posts.get.query({ post_id }, { signal }),
  });

/** How full the local days of an account are. */
export const dailyUseQuery = (account_id: string, from: string, to: string) =>
  queryOptions({
    queryKey: ['posts', 'days', account_id, from, to],
    queryFn: ({ signal }) => api.posts.dailyUse.query({ account_id, from, to }, { signal }),
    placeholderData: keepPreviousData,
  });

/** What would become of a post; asked again whenever the draft changes. */
export const rehearsalQuery = (post: Inputs['posts']['validate']['post'] | null) =>
  queryOptions({
    queryKey: ['rehearsal', post],
    queryFn: ({ signal }) => {
      if (!post) throw new Error('nothing to rehearse');
      return api.posts.validate.query({ post }, { signal });
    },
    enabled: post !== null,
    placeholderData: keepPreviousData,
    retry: false,
    gcTime: 30_000,
  });

/** The presets, by name. */
export const presetsQuery = queryOptions({
  queryKey: ['presets'],
  queryFn: ({ signal }) => api.presets.list.query(undefined, { signal }),
});

/** Balance and prices. */
export const balanceQuery = queryOptions({
  queryKey: ['credits', 'balance'],
  queryFn: ({ signal }) => api.credits.balance.query(undefined, { signal }),
});

/** The ledger, newest first, page by page. */
export const ledgerQuery = infiniteQueryOptions({
  queryKey: ['credits', 'entries'],
  queryFn: ({ signal, pageParam }) =>
    api.credits.entries.query({ limit: 20, ...pageParam }, { signal }),
  initialPageParam: firstPage,
  getNextPageParam: nextPage,
});

/** What came and went on each of the last days, as the browser's clock counts days. */
export const creditDaysQuery = (days: number) =>
  queryOptions({
    queryKey: ['credits', 'days', days],
    queryFn: ({ signal }) => {
      const { timeZone } = Intl.DateTimeFormat().resolvedOptions();
      return api.credits.daily.query({ days, time_zone: timeZone }, { signal });
    },
  });

/** Where the user is signed in. */
export const sessionsQuery = queryOptions({
  queryKey: ['sessions'],
  queryFn: ({ signal }) => api.auth.listSessions.query(undefined, { signal }),
});

interface Page {
  has_more: boolean;
  next_cursor: string | null;
}

function nextPage({ has_more, next_cursor }: Page): { cursor?: string } | undefined {
  return has_more && next_cursor !== null ? { cursor: next_cursor } : undefined;
}

async function allPostsBetween(
  account_id: string,
  fromMs: number,
  toMs: number,
  signal: AbortSignal,
) {
  const filter = {
    account_id,
    scheduled_from: new Date(fromMs).toISOString(),
    scheduled_to: new Date(toMs).toISOString(),
    limit: 100,
  };
  const posts = [];
  let next: { cursor?: string } | undefined = {};
  while (next) {
    const page: Awaited<ReturnType<typeof api.posts.list.query>> = await api.posts.list.query(
      { ...filter, ...next },
      { signal },
    );
    posts.push(...page.data);
    next = nextPage(page);
  }
  return posts;
}
