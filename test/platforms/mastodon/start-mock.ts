import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { freePorts } from '@perch/local/ports';
import { z } from 'zod';
import type { PythonTool } from '../../python.ts';
import type { PlatformServer } from '../platform-server.ts';
import { connectByConsent } from './person.ts';

/** `mastodon-mock` from PyPI: a mock by others, not a real Mastodon. */
export const mastodonMock: PythonTool = {
  name: 'mastodon-mock',
  requirements: fileURLToPath(new URL('requirements.txt', import.meta.url)),
  check: ['-m', 'mastodon_mock', '--version'],
};

/** The mock, with its own ways to make people and faults. */
export interface MastodonMock extends PlatformServer {
  /** A new account's name. */
  person(): Promise<string>;
  /** What goes wrong next; see the mock's `/api/v1/_mock/faults`. */
  fault(rule: object): Promise<void>;
}

const startTimeoutMs = 60_000;

/** Starts it with a database in memory. */
export async function startMock(python: string): Promise<MastodonMock> {
  const { port } = await freePorts({ port: 0 });
  const folder = await mkdtemp(join(tmpdir(), 'perch-mastodon-'));
  const command = ['-m', 'mastodon_mock', 'serve', '--in-memory', '--port', String(port)];
  const child = spawn(python, command, {
    cwd: folder,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const said: string[] = [];
  child.stderr.on('data', (chunk) => said.push(String(chunk)));
  const stop = async () => {
    if (child.exitCode === null && child.kill('SIGKILL')) await once(child, 'exit');
    await rm(folder, { recursive: true, force: true });
  };
  const url = `http://127.0.0.1:${port}`;
  const untilMs = Date.now() + startTimeoutMs;
  while (!(await fetch(`${url}/api/v2/instance`).catch(() => null))?.ok) {
    if (child.exitCode === null && Date.now() < untilMs) await setTimeout(100);
    else {
      await stop();
      throw new Error(`mastodon-mock does not start:\n${said.join('')}`);
    }
  }
  return mock(url, stop);
}

const Post = z.object({
  id: z.string(),
  in_reply_to_id: z.string().nullable(),
  media_attachments: z.array(z.unknown()),
});

function mock(url: string, stop: () => Promise<void>): MastodonMock {
  let people = 0;
  let host = new URL(url).host;
  const ask = async (path: string, body?: object): Promise<unknown> => {
    const answer = await fetch(`${url}${path}`, {
      ...(body && { method: 'POST', body: JSON.stringify(body) }),
      headers: { 'content-type': 'application/json' },
    });
    if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
    return answer.json();
  };
  const person = async () => {
    const username = `person${++people}`;
    const form = { username, email: `${username}@perch.example`, password: 'x', agreement: 'true' };
    await fetch(`${url}/api/v1/accounts`, { method: 'POST', body: new URLSearchParams(form) });
    return username;
  };
  return {
    platform: 'mastodon',
    url,
    env: (way) => {
      host = new URL(way).host;
      return { PERCH_PLATFORM_LOOPBACK: 'true' };
    },
    person,
    fault: async (rule) => void (await ask('/api/v1/_mock/faults', rule)),
    connect: async (perch, userId) => {
      const username = await person();
      const accountId = await connectByConsent(perch, { userId, host, username });
      const found = await ask(`/api/v1/accounts/lookup?acct=${username}`);
      const { id } = z.object({ id: z.string() }).parse(found);
      return { accountId, remoteId: `${id}@${host}` };
    },
    posts: async (remoteId) => {
      const id = remoteId.split('@')[0];
      const all = z.array(Post).parse(await ask(`/api/v1/accounts/${id}/statuses?limit=40`));
      return Promise.all(
        all.toReversed().map(async ({ id: postId, in_reply_to_id, media_attachments }) => {
          const source = await ask(`/api/v1/statuses/${postId}/source`);
          const { text } = z.object({ text: z.string() }).parse(source);
          return { id: postId, text, inReplyTo: in_reply_to_id, media: media_attachments.length };
        }),
      );
    },
    stop,
  };
}
