import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { hostHeaderValidation, originValidation, toNodeHandler } from '@modelcontextprotocol/node';
import { createMcpHandler, localhostAllowedHostnames } from '@modelcontextprotocol/server';
import { Perch, type PerchOptions } from '../perch.ts';
import { createMcpServer } from './server.ts';

const path = '/mcp';

/** MCP by Streamable HTTP: each request brings the key of its caller, and nothing is kept between them. */
export function createHttpServer(options: {
  client: Omit<PerchOptions, 'apiKey'>;
  /** Names by which it may be called beside those of this machine. */
  allowedHosts: string[];
}): Server {
  const names = [...localhostAllowedHostnames(), ...options.allowedHosts];
  // A page in a browser must not reach it by a name that leads here (DNS rebinding).
  const isHostAllowed = hostHeaderValidation(names);
  const isOriginAllowed = originValidation(names);
  const mcp = createMcpHandler(({ authInfo }) =>
    createMcpServer(new Perch({ ...options.client, apiKey: authInfo?.token ?? '' })),
  );
  const serve = toNodeHandler(mcp);
  return createServer(async (request, response) => {
    if (!isHostAllowed(request, response) || !isOriginAllowed(request, response)) return;
    if (pathOf(request) !== path) return refuse(response, 404, `MCP is at ${path}`);
    const token = /^Bearer +([\x21-\x7e]+) *$/i.exec(request.headers.authorization ?? '')?.[1];
    if (token === undefined) {
      response.setHeader('www-authenticate', 'Bearer realm="perch"');
      return refuse(response, 401, 'send the header Authorization: Bearer <API key>');
    }
    // The API says whether the key is good, and for what.
    const auth = { token, clientId: 'perch', scopes: [] };
    const { method = 'GET', url = '/' } = request;
    await serve(Object.assign(request, { method, url, auth }), response);
  });
}

function pathOf({ url = '/' }: IncomingMessage): string {
  return url.split('?')[0] ?? '/';
}

function refuse(response: ServerResponse, status: number, message: string): void {
  response.writeHead(status, { 'content-type': 'application/json' });
  response.end(JSON.stringify({ jsonrpc: '2.0', error: { code: -32_000, message }, id: null }));
}
