import { createTRPCClient } from '@trpc/client';
import type { AccountsRouter } from './accounts.ts';
import type { AccountsOversightRouter } from './accounts-oversight.ts';
import type { ConnectionsRouter } from './connections.ts';
import type { CreditsRouter } from './credits.ts';
import type { CreditsOversightRouter } from './credits-oversight.ts';
import type { MediaRouter } from './media.ts';
import { type Nats, natsLink } from './nats.ts';
import type { OperatorsRouter } from './operators.ts';
import type { PostsRouter } from './posts.ts';
import type { PostsOversightRouter } from './posts-oversight.ts';
import type { WebhooksRouter } from './webhooks.ts';

/** A typed client of every service, over one NATS connection. */
export function connectClients(nats: Nats) {
  return {
    accounts: createTRPCClient<AccountsRouter>({ links: [natsLink(nats, 'accounts')] }),
    connections: createTRPCClient<ConnectionsRouter>({ links: [natsLink(nats, 'connections')] }),
    credits: createTRPCClient<CreditsRouter>({ links: [natsLink(nats, 'credits')] }),
    media: createTRPCClient<MediaRouter>({ links: [natsLink(nats, 'media')] }),
    webhooks: createTRPCClient<WebhooksRouter>({ links: [natsLink(nats, 'webhooks')] }),
    posts: createTRPCClient<PostsRouter>({ links: [natsLink(nats, 'posts')] }),
    operators: createTRPCClient<OperatorsRouter>({ links: [natsLink(nats, 'operators')] }),
    accountsOversight: createTRPCClient<AccountsOversightRouter>({
      links: [natsLink(nats, 'accounts-oversight')],
    }),
    creditsOversight: createTRPCClient<CreditsOversightRouter>({
      links: [natsLink(nats, 'credits-oversight')],
    }),
    postsOversight: createTRPCClient<PostsOversightRouter>({
      links: [natsLink(nats, 'posts-oversight')],
    }),
  };
}
export type Clients = ReturnType<typeof connectClients>;
