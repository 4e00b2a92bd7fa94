import { createTRPCClient, httpLink, httpSubscriptionLink, splitLink } from '@trpc/client';
import type { inferRouterInputs, inferRouterOutputs } from '@trpc/server';
import type { DashboardRouter } from '../../../src/dashboard/router.ts';

const url = '/app/api';

/** The gateway's dashboard procedures; the session cookie says who is asking. */
export const api = createTRPCClient<DashboardRouter>({
  links: [
    splitLink({
      condition: (operation) => operation.type === 'subscription',
      true: httpSubscriptionLink({ url }),
      // A thread does not fit into an address, so queries are posted too.
      false: httpLink({ url, methodOverride: 'POST' }),
    }),
  ],
});

/** What procedures take. */
export type Inputs = inferRouterInputs<DashboardRouter>;
/** What procedures answer. */
export type Outputs = inferRouterOutputs<DashboardRouter>;
