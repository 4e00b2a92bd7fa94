import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { createTestDatabase } from '@perch/proto/testing';
import { z } from 'zod';
import type { PlatformServer } from '../platform-server.ts';
import { type BlueskyPerson, createPerson } from './person.ts';

const program = fileURLToPath(new URL('network.ts', import.meta.url));
const startTimeoutMs = 90_000;
const Urls = z.object({ pds: z.url(), plc: z.url(), index: z.url() });

/** The real servers of Bluesky: a personal data server, the directory of identities, and the index of the network. */
export interface Bluesky extends PlatformServer {
  plcUrl: string;
  /** A new account, with a client of its own that stands for a person's app. */
  person(): Promise<BlueskyPerson>;
  /** One request to the server as its administrator. */
  admin(nsid: string, body: unknown): Promise<void>;
}

/** Starts them on a database of their own. */
export async function startBluesky(engine: string, postgresUrl: string): Promise<Bluesky> {
  const child = spawn(process.execPath, [program, engine], {
    env: {
      ...process.env,
      DATABASE_URL: await createTestDatabase(postgresUrl),
      LOG_ENABLED: 'false',
    },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  const said: string[] = [];
  const keep = (chunk: unknown) => {
    said.push(String(chunk));
    if (said.length > 40) said.shift();
  };
  child.stderr.on('data', keep);
  const ended = once(child, 'exit');
  const stop = async () => {
    if (child.exitCode === null && child.signalCode === null) child.kill('SIGKILL');
    await ended;
  };
  const up = urlsOf(child.stdout).then((urls) => ({ urls }));
  const timer = AbortSignal.timeout(startTimeoutMs);
  const late = new Promise<null>((resolve) => timer.addEventListener('abort', () => resolve(null)));
  const started = await Promise.race([up, ended.then(() => null), late]);
  if (!started) {
    await stop();
    throw new Error(`Bluesky's servers do not start:\n${said.join('')}`);
  }
  child.stdout.resume();
  return server(started.urls, stop);
}

function server(urls: z.infer<typeof Urls>, stop: () => Promise<void>): Bluesky {
  const people = new Map<string, BlueskyPerson>();
  let host = new URL(urls.pds).host;
  const person = async () => {
    const made = await createPerson(urls.pds);
    people.set(made.did, made);
    return made;
  };
  return {
    platform: 'bluesky',
    url: urls.pds,
    plcUrl: urls.plc,
    env: (url) => {
      host = new URL(url).host;
      return {
        PERCH_PLATFORM_LOOPBACK: 'true',
        PERCH_BLUESKY_SERVICE: url,
        PERCH_PLC_URL: urls.plc,
      };
    },
    person,
    connect: async (perch, userId) => {
      const { did, handle, appPassword } = await person();
      const account = await perch.clients.connections.signIn.mutate({
        user_id: userId,
        platform: 'bluesky',
        server: host,
        handle,
        password: await appPassword(),
        settings: { posting_window: { opens: '00:00', closes: '24:00' } },
      });
      return { accountId: account.account_id, remoteId: did };
    },
    posts: async (remoteId) => {
      const records = (await people.get(remoteId)?.records('app.bsky.feed.post')) ?? [];
      return records.map(({ uri, value }) => ({
        id: uri,
        text: value.text ?? '',
        inReplyTo: value.reply?.parent.uri ?? null,
        media: value.embed?.images?.length ?? (value.embed?.video ? 1 : 0),
      }));
    },
    admin: async (nsid, body) => {
      const answer = await fetch(`${urls.pds}/xrpc/${nsid}`, {
        method: 'POST',
        headers: {
          authorization: `Basic ${Buffer.from('admin:admin-pass').toString('base64')}`,
          'content-type': 'application/json',
        },
        body: JSON.stringify(body),
      });
      if (!answer.ok) throw new Error(`${nsid}: ${await answer.text()}`);
    },
    stop,
  };
}

/** Its first line of JSON; it also logs. */
async function urlsOf(output: NodeJS.ReadableStream): Promise<z.infer<typeof Urls>> {
  for await (const line of createInterface({ input: output })) {
    const urls = line.startsWith('{"pds"') ? Urls.parse(JSON.parse(line)) : null;
    if (urls) return urls;
  }
  throw new Error('it ended');
}
