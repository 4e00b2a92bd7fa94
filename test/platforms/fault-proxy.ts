import { once } from 'node:events';
import {
  createServer,
  request as httpRequest,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout } from 'node:timers/promises';

/** What can go wrong between Perch and a platform. */
export const faultKinds = [
  'reset before the platform took it',
  'cut off while the platform reads it',
  'reset after the platform took it',
  'no answer after the platform took it',
  '500 instead of the request',
  '500 after the platform took it',
  '503 instead of the request',
  '429 instead of the request',
  'slow',
] as const;
export type FaultKind = (typeof faultKinds)[number];

/** One fault: the first requests that match meet it, then all goes well. */
export interface PlannedFault {
  kind: FaultKind;
  matches(request: { method: string; path: string; body: string }): boolean;
  times: number;
}

/** A proxy before a platform's server that breaks what it is told to break. */
export interface FaultProxy {
  url: string;
  plan(fault: PlannedFault): { met(): number };
  stop(): Promise<void>;
}

/** Longer than any send is waited for in tests. */
const silentMs = 60_000;
const slowMs = 700;

/** Starts the proxy; the server sees its own host in the requests. */
export async function startFaultProxy(target: string): Promise<FaultProxy> {
  const planned: (PlannedFault & { met: number })[] = [];
  const { hostname, port } = new URL(target);
  const stopping = new AbortController();

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    const body = Buffer.concat(chunks);
    const fault = take(request, body);
    if (!fault) return forward(request, body, response);
    const { socket } = request;
    switch (fault) {
      case 'reset before the platform took it':
        return void socket.resetAndDestroy();
      case 'cut off while the platform reads it':
        await forwardHalf(request, body);
        return void socket.resetAndDestroy();
      case 'reset after the platform took it':
        await forward(request, body, null);
        return void socket.resetAndDestroy();
      case 'no answer after the platform took it':
        await forward(request, body, null);
        await setTimeout(silentMs, undefined, { signal: stopping.signal }).catch(() => undefined);
        return void socket.destroy();
      case '500 instead of the request':
        return refuse(response, 500);
      case '500 after the platform took it':
        await forward(request, body, null);
        return refuse(response, 500);
      case '503 instead of the request':
        return refuse(response, 503);
      case '429 instead of the request':
        return refuse(response, 429);
      case 'slow':
        await setTimeout(slowMs);
        return forward(request, body, response);
    }
  }

  function take(request: IncomingMessage, body: Buffer): FaultKind | null {
    const asked = {
      method: request.method ?? '',
      path: request.url ?? '',
      body: body.toString('latin1'),
    };
    const one = planned.find((fault) => fault.met < fault.times && fault.matches(asked));
    if (!one) return null;
    one.met += 1;
    return one.kind;
  }

  /** Passes the request on; the answer too, or it is lost. */
  function forward(
    request: IncomingMessage,
    body: Buffer,
    response: ServerResponse | null,
  ): Promise<void> {
    return new Promise((resolve, reject) => {
      const { method, url: path, headers } = request;
      const onward = httpRequest(
        { hostname, port, method, path, headers, agent: false },
        (answered) => {
          if (response) response.writeHead(answered.statusCode ?? 502, answered.rawHeaders);
          answered.on('data', (chunk) => response?.write(chunk));
          answered.once('end', () => {
            response?.end();
            resolve();
          });
          answered.once('error', reject);
        },
      );
      onward.once('error', reject);
      onward.end(body);
    });
  }

  /** Passes on half of the body and hangs up. */
  async function forwardHalf(request: IncomingMessage, body: Buffer): Promise<void> {
    const { method, url: path, headers } = request;
    const length = String(body.length);
    const onward = httpRequest({
      ...{ hostname, port, method, path, agent: false },
      headers: { ...headers, 'content-length': length },
    });
    onward.on('error', () => undefined);
    onward.write(body.subarray(0, body.length / 2));
    await once(onward, 'socket');
    await new Promise((resolve) => onward.flushHeaders() ?? setImmediate(resolve));
    onward.destroy();
  }

  function refuse(response: ServerResponse, status: number): void {
    const soon = Math.ceil(Date.now() / 1_000) + 1;
    response
      .writeHead(status, {
        'content-type': 'application/json',
        ...(status === 429 && { ...limitHeaders(soon), 'retry-after': '1' }),
      })
      .end(JSON.stringify({ error: 'Planned', message: 'planned by a test', status }));
  }

  const server = createServer((request, response) => {
    answer(request, response).catch(() => request.socket.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port: ownPort } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${ownPort}`,
    plan: (fault) => {
      const one = { ...fault, met: 0 };
      planned.push(one);
      return { met: () => one.met };
    },
    stop: async () => {
      stopping.abort();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** The headers of a limit that ends then, as X, Bluesky and Mastodon write them. */
function limitHeaders(resetSeconds: number): Record<string, string> {
  return {
    'x-rate-limit-remaining': '0',
    'x-rate-limit-reset': String(resetSeconds),
    'ratelimit-remaining': '0',
    'ratelimit-reset': String(resetSeconds),
    'x-ratelimit-remaining': '0',
    'x-ratelimit-reset': new Date(resetSeconds * 1_000).toISOString(),
  };
}
