#!/usr/bin/env node
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { serveStdio } from '@modelcontextprotocol/server/stdio';
import { readConfig } from '../config.ts';
import { Perch } from '../perch.ts';
import { createHttpServer } from './http.ts';
import { createMcpServer } from './server.ts';

const usage = `perch-mcp                    MCP on stdin and stdout, with the key in PERCH_KEY
perch-mcp --http <port>      MCP by Streamable HTTP at /mcp; each request brings a key: Authorization: Bearer <key>
  --host <address>           where to listen (127.0.0.1)
  --allow-host <name>        a name by which it may be called, again for each; else only localhost

PERCH_URL is where Perch is (http://localhost:3000).`;

// Exit codes: 1 failed, 2 not typed or set as it should be. Nothing but MCP goes to stdout.
try {
  await main();
} catch (error) {
  say(`${error instanceof Error ? error.message : String(error)}\n\n${usage}`);
  process.exitCode = 2;
}

async function main(): Promise<void> {
  const { values } = parseArgs({
    options: {
      help: { type: 'boolean', short: 'h' },
      http: { type: 'string' },
      host: { type: 'string', default: '127.0.0.1' },
      'allow-host': { type: 'string', multiple: true, default: [] },
    },
  });
  if (values.help) return say(usage);
  const { url: baseUrl, apiKey } = readConfig(process.env);
  if (values.http !== undefined) {
    return listen(baseUrl, portOf(values.http), values.host, values['allow-host']);
  }
  if (apiKey === null) throw new Error('PERCH_KEY is missing: set it to your API key');
  const perch = new Perch({ baseUrl, apiKey });
  serveStdio(() => createMcpServer(perch));
}

async function listen(
  baseUrl: string,
  port: number,
  host: string,
  allowedHosts: string[],
): Promise<void> {
  const server = createHttpServer({ client: { baseUrl }, allowedHosts }).listen(port, host);
  await once(server, 'listening');
  const address = server.address();
  const at = typeof address === 'object' && address !== null ? address.port : port;
  say(`perch-mcp listens at http://${host.includes(':') ? `[${host}]` : host}:${at}/mcp`);
  for (const signal of ['SIGINT', 'SIGTERM'] as const) {
    process.once(signal, () => {
      server.close();
      server.closeAllConnections();
    });
  }
}

function portOf(text: string): number {
  const port = Number(text);
  if (!/^\d+$/.test(text) || port > 65_535) throw new Error('--http must be a port');
  return port;
}

function say(line: string): void {
  process.stderr.write(`${line}\n`);
}
