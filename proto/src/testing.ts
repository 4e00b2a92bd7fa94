import { createTRPCClient, localLink } from '@trpc/client';
import type {} from 'vitest';
import { type Accounts, type AccountsRouter, accountsRouter } from './accounts.ts';
import {
  type AccountsOversight,
  type AccountsOversightRouter,
  accountsOversightRouter,
} from './accounts-oversight.ts';
import { type Billing, type BillingRouter, billingRouter } from './billing.ts';
import type { Clients } from './clients.ts';
import { type Connections, type ConnectionsRouter, connectionsRouter } from './connections.ts';
import { type CreditsRouter, type CreditsService, creditsRouter } from './credits.ts';
import {
  type CreditsOversight,
  type CreditsOversightRouter,
  creditsOversightRouter,
} from './credits-oversight.ts';
import { createDatabase } from './database.ts';
import { type Identity, type IdentityRouter, identityRouter } from './identity.ts';
import { type MediaRouter, type MediaService, mediaRouter } from './media.ts';
import { type Operators, type OperatorsRouter, operatorsRouter } from './operators.ts';
import { type Posts, type PostsRouter, postsRouter } from './posts.ts';
import {
  type PostsOversight,
  type PostsOversightRouter,
  postsOversightRouter,
} from './posts-oversight.ts';
import { type Presets, type PresetsRouter, presetsRouter } from './presets.ts';
import { type Requests, type RequestsRouter, requestsRouter } from './requests.ts';
import type { Call } from './rpc.ts';
import { type Webhooks, type WebhooksRouter, webhooksRouter } from './webhooks.ts';

/** A fresh, empty database for one test file, on the server that the test run started. */
export function createTestDatabase(maintenanceUrl: string): Promise<string> {
  return createDatabase(maintenanceUrl, `test_${crypto.randomUUID().replaceAll('-', '')}`);
}

/** A call without a caller, for tests that call a service's implementation directly. */
export function testCall(): Call {
  return {
    requestId: 'req_test',
    signal: new AbortController().signal,
    deadlineMs: Number.MAX_SAFE_INTEGER,
  };
}

/** Clients of services that a test plays itself, through their real routers; what it does not play fails. */
export function testClients(played: {
  accounts?: Partial<Accounts>;
  connections?: Partial<Connections>;
  credits?: Partial<CreditsService>;
  media?: Partial<MediaService>;
  posts?: Partial<Posts>;
  webhooks?: Partial<Webhooks>;
  identity?: Partial<Identity>;
  billing?: Partial<Billing>;
  requests?: Partial<Requests>;
  presets?: Partial<Presets>;
  operators?: Partial<Operators>;
  accountsOversight?: Partial<AccountsOversight>;
  creditsOversight?: Partial<CreditsOversight>;
  postsOversight?: Partial<PostsOversight>;
}): Clients {
  const createContext = async () => testCall();
  return {
    accounts: createTRPCClient<AccountsRouter>({
      links: [localLink({ router: accountsRouter(whole(played.accounts)), createContext })],
    }),
    connections: createTRPCClient<ConnectionsRouter>({
      links: [localLink({ router: connectionsRouter(whole(played.connections)), createContext })],
    }),
    credits: createTRPCClient<CreditsRouter>({
      links: [localLink({ router: creditsRouter(whole(played.credits)), createContext })],
    }),
    media: createTRPCClient<MediaRouter>({
      links: [localLink({ router: mediaRouter(whole(played.media)), createContext })],
    }),
    webhooks: createTRPCClient<WebhooksRouter>({
      links: [localLink({ router: webhooksRouter(whole(played.webhooks)), createContext })],
    }),
    identity: createTRPCClient<IdentityRouter>({
      links: [localLink({ router: identityRouter(whole(played.identity)), createContext })],
    }),
    billing: createTRPCClient<BillingRouter>({
      links: [localLink({ router: billingRouter(whole(played.billing)), createContext })],
    }),
    requests: createTRPCClient<RequestsRouter>({
      links: [localLink({ router: requestsRouter(whole(played.requests)), createContext })],
    }),
    presets: createTRPCClient<PresetsRouter>({
      links: [localLink({ router: presetsRouter(whole(played.presets)), createContext })],
    }),
    posts: createTRPCClient<PostsRouter>({
      links: [localLink({ router: postsRouter(whole(played.posts)), createContext })],
    }),
    operators: createTRPCClient<OperatorsRouter>({
      links: [localLink({ router: operatorsRouter(whole(played.operators)), createContext })],
    }),
    accountsOversight: createTRPCClient<AccountsOversightRouter>({
      links: [
        localLink({
          router: accountsOversightRouter(whole(played.accountsOversight)),
          createContext,
        }),
      ],
    }),
    creditsOversight: createTRPCClient<CreditsOversightRouter>({
      links: [
        localLink({
          router: creditsOversightRouter(whole(played.creditsOversight)),
          createContext,
        }),
      ],
    }),
    postsOversight: createTRPCClient<PostsOversightRouter>({
      links: [
        localLink({ router: postsOversightRouter(whole(played.postsOversight)), createContext }),
      ],
    }),
  };
}

/** The router calls verbs only when asked for them; a missing one then throws, as a bug would. */
function whole<T extends object>(part: Partial<T> = {}): T {
  return part as T;
}

declare module 'vitest' {
  /** The real engines that the test run started; see `test/engines.ts`. */
  interface ProvidedContext {
    /** A PostgreSQL server, by its maintenance database. */
    postgresUrl: string;
    natsUrl: string;
    temporalAddress: string;
    /** The path of Temporal's time-skipping test server. */
    timeSkippingServer: string;
  }
}
