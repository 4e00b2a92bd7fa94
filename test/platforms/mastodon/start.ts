import { once } from 'node:events';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';
import type { PlatformServer } from '../platform-server.ts';
import { addPerson, emptyInstance, type Instance } from './instance.ts';
import { connectByConsent } from './person.ts';
import { type Asked, answerTo } from './routes.ts';

/** A stand-in of ours for a Mastodon instance: what the API's documents say, and nothing behind it. */
export interface StandIn extends PlatformServer {
  instance: Instance;
  person(): Promise<string>;
}

/** Starts it, with nobody on it. */
export async function startMastodon(): Promise<StandIn> {
  const instance = emptyInstance(Date.now);
  const server = createServer((request, response) => {
    answer(instance, request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const url = `http://127.0.0.1:${port}`;
  let host = new URL(url).host;
  return {
    platform: 'mastodon',
    url,
    instance,
    env: (way) => {
      host = new URL(way).host;
      return { PERCH_PLATFORM_LOOPBACK: 'true' };
    },
    person: async () => addPerson(instance).username,
    connect: async (perch, userId) => {
      const { id, username } = addPerson(instance);
      const accountId = await connectByConsent(perch, { userId, host, username });
      return { accountId, remoteId: `${id}@${host}` };
    },
    posts: async (remoteId) =>
      instance.posts
        .filter((post) => post.by.id === remoteId.split('@')[0])
        .map(({ id, text, inReplyTo, mediaIds }) => ({
          id,
          text,
          inReplyTo,
          media: mediaIds.length,
        })),
    stop: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function answer(
  instance: Instance,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const url = new URL(request.url ?? '/', 'http://stand-in');
  const headers = new Headers(request.headers as Record<string, string>);
  const asked: Asked = {
    method: request.method ?? 'GET',
    path: url.pathname,
    query: url.searchParams,
    headers,
    ...(await bodyOf(await buffer(request), headers)),
  };
  const answered = answerTo(instance, asked);
  response.writeHead(answered.status, {
    'content-type': 'application/json',
    ...answered.headers,
  });
  response.end(answered.body === undefined ? '' : JSON.stringify(answered.body));
}

async function bodyOf(bytes: Buffer, headers: Headers): Promise<Pick<Asked, 'fields' | 'file'>> {
  const type = headers.get('content-type') ?? '';
  if (bytes.length === 0) return { fields: {}, file: null };
  if (type.startsWith('application/json'))
    return { fields: JSON.parse(bytes.toString()), file: null };
  const body = new Response(new Uint8Array(bytes), { headers: { 'content-type': type } });
  const form = Object.fromEntries(await body.formData());
  const file = form['file'];
  return { fields: form, file: file instanceof File ? file : null };
}
