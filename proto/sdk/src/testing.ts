import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** A request as the stand-in got it. */
export interface Seen {
  method: string | undefined;
  url: string | undefined;
  headers: IncomingHttpHeaders;
  body: string;
}

/** What the stand-in does with one request. */
export type Step = (response: ServerResponse) => void;

/** A stand-in for the API that answers by a script, and remembers what it was asked. For tests. */
export async function startStandIn(...steps: Step[]) {
  const seen: Seen[] = [];
  const server = createServer(async (request, response) => {
    const body = (await buffer(request)).toString();
    seen.push({ method: request.method, url: request.url, headers: request.headers, body });
    const step = steps.shift() ?? problem(500, { code: 'internal_error' });
    step(response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${portOf(server.address())}`,
    seen,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

function portOf(address: AddressInfo | string | null): number {
  if (typeof address !== 'object' || address === null) throw new Error('does not listen');
  return address.port;
}

/** Answers with JSON. */
export function json(status: number, body: unknown, headers: Record<string, string> = {}): Step {
  return (response) => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers });
    response.end(JSON.stringify(body));
  };
}

/** Answers with a problem. */
export function problem(
  status: number,
  members: Record<string, unknown>,
  headers: Record<string, string> = {},
): Step {
  const known = { detail: 'says why', request_id: 'req_1', retryable: status === 503, status };
  return json(status, { ...known, ...members }, headers);
}

/** Hangs up without a word. */
export const hangUp: Step = (response) => {
  response.destroy();
};
