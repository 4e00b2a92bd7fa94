import Fastify from 'fastify';
import type { z } from 'zod';
import type { Perch } from '../../perch.ts';
import type { PlatformServer } from '../platform-server.ts';
import { injectFaults, type XFault } from './faults.ts';
import { serveMedia } from './media.ts';
import { serveOAuth } from './oauth.ts';
import { Problem } from './problem.ts';
import { addTweet, serveTweets } from './tweets.ts';
import {
  createWorld,
  newToken,
  snowflake,
  type World,
  type XAccount,
  type XOptions,
} from './world.ts';

/** The stand-in of X while it runs. */
export interface XServer extends PlatformServer {
  /** Everything there, for tests to look into and to change. */
  world: World;
  /** A fresh account of someone. */
  account(username?: string): XAccount;
  /** What a person's browser does with the consent page: gives where it is sent back to. */
  consent(authorizeUrl: string, account: XAccount): Promise<URL>;
  /** Someone tweets, maybe in answer to a tweet. */
  tweetAs(author: XAccount, text: string, inReplyTo?: string): string;
  fault(fault: z.input<typeof XFault>): void;
  /** `<method> <route> <status>` of every request that was answered. */
  answered: string[];
}

const maxBodyBytes = 6_000_000;
let accounts = 0;

/** Starts a stand-in of X: no server of X can be had, so this is ours, built from what X publishes (README.md). */
export async function startX(options: Partial<XOptions> = {}): Promise<XServer> {
  const world = createWorld({ ...defaults, ...options });
  const app = Fastify({ bodyLimit: maxBodyBytes, forceCloseConnections: true });
  const answered: string[] = [];
  app.addContentTypeParser(
    'application/x-www-form-urlencoded',
    { parseAs: 'string' },
    (_, body, done) => done(null, Object.fromEntries(new URLSearchParams(String(body)))),
  );
  app.addContentTypeParser('multipart/form-data', { parseAs: 'buffer' }, (_, body, done) =>
    done(null, body),
  );
  app.setErrorHandler((error, _, reply) => {
    const problem =
      error instanceof Problem ? error : new Problem(400, 'Invalid Request', String(error));
    return reply.code(problem.status).type('application/problem+json').send(problem.body);
  });
  app.addHook('onResponse', async (request, reply) => {
    answered.push(`${request.method} ${request.routeOptions.url} ${reply.statusCode}`);
  });
  const fault = injectFaults(app);
  serveOAuth(app, world);
  serveTweets(app, world);
  serveMedia(app, world);
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const account: XServer['account'] = (username = `someone_${++accounts}`) => {
    const made = { id: snowflake(Date.now()), username, name: `The ${username}`, suspended: false };
    world.accounts.set(made.id, made);
    return made;
  };
  return {
    platform: 'x',
    url,
    world,
    answered,
    account,
    consent,
    fault,
    tweetAs: (author, text, inReplyTo) => {
      const parent = world.tweets.find((one) => one.id === inReplyTo) ?? null;
      return addTweet(world, { author, text, inReplyTo: parent }).id;
    },
    env: (at) => settings(world, at),
    connect: (perch, userId) => connect(perch, userId, account()),
    posts: async (remoteId) =>
      world.tweets
        .filter((one) => one.author.id === remoteId && !one.retweetOf)
        .map(({ id, text, inReplyTo, mediaIds }) => ({
          id,
          text,
          inReplyTo: inReplyTo?.id ?? null,
          media: mediaIds.length,
        })),
    stop: () => app.close(),
  };
}

const defaults: XOptions = {
  clock: Date.now,
  client: { id: 'perch-test', secret: 'only-for-tests' },
  readBackLagMs: 0,
  codeLifeMs: 30_000,
  accessLifeMs: 7_200_000,
  mediaLifeSecs: 86_400,
  processingLooks: 2,
  processingFails: false,
  creditsOut: false,
  allowedScopes: null,
  clickToConsent: false,
  limits: {},
};

function settings(world: World, at: string): Record<string, string> {
  const { id, secret } = world.options.client;
  return {
    PERCH_PLATFORM_LOOPBACK: 'true',
    PERCH_X_CLIENT_ID: id,
    ...(secret && { PERCH_X_CLIENT_SECRET: secret }),
    PERCH_X_API_URL: at,
    PERCH_X_AUTHORIZE_URL: `${at}/i/oauth2/authorize`,
    PERCH_X_READ_BACK_LAG_SECONDS: '1',
  };
}

/** Follows the consent page to where it sends the browser back, clicking as far as it has to. */
async function consent(authorizeUrl: string, account: XAccount): Promise<URL> {
  const headers = { cookie: `account=${account.id}` };
  const response = await fetch(authorizeUrl, { headers, redirect: 'manual' });
  const location = response.headers.get('location');
  if (location) return new URL(location);
  const page = await response.text();
  const link = /<a href="([^"]+)">Authorize app</.exec(page)?.[1];
  if (!link) throw new Error(`no consent page: ${page}`);
  return consent(new URL(link.replaceAll('&amp;', '&'), authorizeUrl).href, account);
}

const alwaysOpen = { opens: '00:00', closes: '24:00' };

/** Connects an account as its owner would: a link, the consent page, and back. */
async function connect(
  perch: Perch,
  userId: string,
  account: XAccount,
): ReturnType<PlatformServer['connect']> {
  const { connections } = perch.clients;
  const binding = newToken();
  const { ticket } = await connections.create.mutate({
    user_id: userId,
    platform: 'x',
    settings: { posting_window: alwaysOpen },
  });
  const { authorize_url } = await connections.begin.mutate({ ticket, binding });
  const back = await consent(authorize_url, account);
  const params = Object.fromEntries(back.searchParams);
  const { account_id } = await connections.finish.mutate({ platform: 'x', binding, params });
  return { accountId: account_id, remoteId: account.id };
}
