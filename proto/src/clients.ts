import { createTRPCClient } from '@trpc/client';
import type { AccountsRouter } from './accounts.ts';
import type { AccountsOversightRouter } from './accounts-oversight.ts';
import type { BillingRouter } from './billing.ts';
import type { ConnectionsRouter } from './connections.ts';
import type { CreditsRouter } from './credits.ts';
import type { CreditsOversightRouter } from './credits-oversight.ts';
import type { IdentityRouter } from './identity.ts';
import type { MediaRouter } from './media.ts';
import { type Nats, natsLink } from './nats.ts';
import type { OperatorsRouter } from './operators.ts';
import type { PostsRouter } from './posts.ts';
import type { PostsOversightRouter } from './posts-oversight.ts';
import type { PresetsRouter } from './presets.ts';
import type { RequestsRouter } from './requests.ts';
import type { WebhooksRouter } from './webhooks.ts';

/** A typed client of every service, over one NATS connection. */
export function connectClients(nats: Nats) {
  return {
    accounts: createTRPCClient<AccountsRouter>({ links: [natsLink(nats, 'accounts')] }),
    connections: createTRPCClient<ConnectionsRouter>({ links: [natsLink(nats, 'connections')] }),
    credits: createTRPCClient<CreditsRouter>({ links: [natsLink(nats, 'credits')] }),
    media: createTRPCClient<MediaRouter>({ links: [natsLink(nats, 'media')] }),
    webhooks: createTRPCClient<WebhooksRouter>({ links: [natsLink(nats, 'webhooks')] }),
    identity: createTRPCClient<IdentityRouter>({ links: [natsLink(nats, 'identity')] }),
    billing: createTRPCClient<BillingRouter>({ links: [natsLink(nats, 'billing')] }),
    requests: createTRPCClient<RequestsRouter>({ links: [natsLink(nats, 'requests')] }),
    presets: createTRPCClient<PresetsRouter>({ links: [natsLink(nats, 'presets')] }),
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
