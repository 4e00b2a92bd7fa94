import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { createCipher } from '@perch/proto/cipher';
import { openDatabase } from '@perch/proto/database';
import { newId } from '@perch/proto/ids';
import { createLogger } from '@perch/proto/process';
import { createTestDatabase, testCall, testClients } from '@perch/proto/testing';
import { createAccounts } from '../../../services/accounts/src/accounts.ts';
import type { Deps } from '../../../services/accounts/src/deps.ts';
import { entities, type SendingAccount } from '../../../services/accounts/src/entities.ts';
import { migrations } from '../../../services/accounts/src/migrations.ts';
import { keepAccount } from '../../../services/accounts/src/platforms/keep-account.ts';
import { createPlatforms } from '../../../services/accounts/src/platforms/platforms.ts';
import { publish, reconcile } from '../../../services/accounts/src/publishing/publish.ts';
import { consentTo, fileOf, settingsFor } from './connector.ts';
import type { XServer } from './start.ts';

/** Workers of the accounts service on one real database, without the processes around them. */
export interface Workers {
  /** Each with connections of its own, as in a process of its own. */
  workers: Deps[];
  /** A user's account, connected through the consent page. */
  connect(): Promise<{ id: string; remoteId: string; userId: string }>;
  /** The account as it stands in the database. */
  stored(id: string): Promise<SendingAccount>;
  /** The ids of webhook events that were told; one that is told again is the same event. */
  told: Set<string>;
  /** Publishes to the end as the workflow does, moving the clock on instead of waiting. Gives how it ended. */
  publish(post: {
    account: string;
    userId: string;
    tweets: Tweet[];
    landing?(): Promise<void>;
  }): Promise<string>;
  stop(): Promise<void>;
}

interface Tweet {
  text: string;
  media_ids: string[];
}

const picture = fileOf('image/png', 1_000);
const maxSteps = 60;

/** Starts them against the stand-in; `advance` moves its clock, which is theirs too. */
export async function startWorkers(
  server: XServer,
  postgresUrl: string,
  advance: (byMs: number) => void,
): Promise<Workers> {
  const url = await createTestDatabase(postgresUrl);
  const cipher = createCipher([{ id: 'k1', key: randomBytes(32) }]);
  const log = createLogger('test', 'silent');
  const clock = () => server.world.options.clock();
  const told = new Set<string>();
  const files = createServer((_, response) => response.end(picture)).listen(0, '127.0.0.1');
  await once(files, 'listening');
  const address = files.address();
  const filesUrl = `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}/`;
  let post: { account: string; userId: string; tweets: Tweet[] } | null = null;
  const content = () => ({
    user_id: post?.userId ?? '',
    account_id: post?.account ?? '',
    tweets: post?.tweets ?? [],
    auto_reply_text: null,
  });
  const clients = testClients({
    webhooks: { emit: async (event) => void told.add(event.event_id) },
    media: {
      source: async () => ({
        url: filesUrl,
        type: 'image/png',
        bytes: picture.length,
        alt_text: 'A picture',
        width: null,
        height: null,
        duration_ms: null,
      }),
    },
    posts: {
      content: async () => content(),
      begin: async () => ({
        next: 'publish',
        content: content(),
        follow_up: { auto_retweet: null, auto_reply: null },
      }),
      settle: async ({ parts }) => ({ posted_at_ms: parts[0]?.published_at_ms ?? 0 }),
    },
  });
  const settings = {
    publicUrl: 'http://127.0.0.1:3000',
    sendTimeoutMs: 1_000,
    loopback: true,
    bluesky: null,
    mastodon: false,
    x: settingsFor(server, { sendTimeoutMs: 400 }),
  };
  const workers = await Promise.all(
    [1, 2].map(async (): Promise<Deps> => {
      const db = await openDatabase({ url, entities, migrations, poolSize: 10, log });
      return {
        db,
        clients,
        cipher,
        publicUrl: settings.publicUrl,
        platforms: createPlatforms(settings, { db, clock, cipher, log }),
        clock,
        log,
        faultPoint: async () => {},
      };
    }),
  );
  const [worker] = workers;
  const { x } = worker?.platforms ?? {};
  if (!worker || !x) throw new Error('X is not set up');
  const accounts = createAccounts(worker);
  let users = 0;
  return {
    workers,
    told,
    connect: async () => {
      const email = `user-${++users}@perch.example`;
      const user = await accounts.createUser({ email, plan: 'paid' }, testCall());
      const identity = await consentTo(server, x, server.account());
      const kept = { user_id: user.id, platform: 'x' as const, identity, settings: {} };
      const { account_id } = await keepAccount(worker, kept);
      return { id: account_id, remoteId: identity.remoteId, userId: user.id };
    },
    stored: async (id) => {
      const [row] = await worker.db.execute<SendingAccount>(
        `select id, platform, remote_id, handle, status, credentials, facts, reply_template
         from connected_account where id = ?`,
        [id],
      );
      if (!row) throw new Error('no such account');
      return row;
    },
    publish: async ({ landing, ...one }) => {
      post = one;
      const ref = { post_id: newId('post', clock) };
      let last = '';
      for (let step = 0; step < maxSteps; step += 1) {
        const outcome = await publish(worker, ref);
        last = JSON.stringify(outcome);
        if (outcome.kind === 'posted') return 'posted';
        if (outcome.kind === 'rejected') return outcome.code;
        if (outcome.kind === 'retry') advance(Math.max(0, outcome.at_ms - clock()) + 1);
        if (outcome.kind !== 'unknown') continue;
        await landing?.();
        if (!(await resolve(worker, ref, advance))) return 'unknown';
      }
      throw new Error(`it never ended: ${last}`);
    },
    stop: async () => {
      for (const { db } of workers) await db.close();
      files.close();
    },
  };
}

/** Looks the open sends up until they are settled; false when they never are. */
async function resolve(
  worker: Deps,
  ref: { post_id: string },
  advance: (byMs: number) => void,
): Promise<boolean> {
  for (let step = 0; step < maxSteps; step += 1) {
    const looked = await reconcile(worker, ref);
    if (looked.kind === 'resolved') return true;
    advance(looked.again_at_ms - worker.clock() + 1);
  }
  return false;
}
