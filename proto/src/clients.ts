import { createTRPCClient } from '@trpc/client';
import type { AccountsRouter } from './accounts.ts';
import type { ConnectionsRouter } from './connections.ts';
import type { CreditsRouter } from './credits.ts';
import type { MediaRouter } from './media.ts';
import { type Nats, natsLink } from './nats.ts';
import type { PostsRouter } from './posts.ts';
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
  };
}
export type Clients = ReturnType<typeof connectClients>;
