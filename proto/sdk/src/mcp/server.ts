import {
  type CallToolResult,
  McpServer,
  type StandardSchemaWithJSON,
} from '@modelcontextprotocol/server';
import { guides } from '../generated/guides.ts';
import { rows } from '../generated/operations.ts';
import type { OperationGuide, OperationRow } from '../operation.ts';
import { isOperationId, type Perch } from '../perch.ts';
import { PerchError } from '../perch-error.ts';

const instructions =
  'Perch publishes posts on social accounts, at once or at a time. Start with listAccounts. ' +
  'A write that failed for lack of an answer may be done: repeat it with the same idempotency_key.';

/** An MCP server with a tool for every operation of the API that takes JSON. */
export function createMcpServer(perch: Perch): McpServer {
  const server = new McpServer({ name: 'perch', version: '1.0.0' }, { instructions });
  for (const id of Object.keys(guides).filter(isOperationId)) {
    const row = rows[id];
    const guide = guides[id];
    // Nothing to give a tool: it takes a form alone.
    if (row.form && !row.body) continue;
    server.registerTool(
      id,
      {
        title: guide.summary,
        description: [guide.summary, guide.description].filter(Boolean).join('. '),
        inputSchema: asSchema(inputOf(row, guide)),
        annotations: {
          readOnlyHint: row.method === 'GET',
          destructiveHint: row.method === 'DELETE',
          idempotentHint: row.method === 'GET',
          openWorldHint: row.method !== 'GET',
        },
      },
      ({ idempotency_key, ...input }, { mcpReq: { signal } }) => {
        const named = typeof idempotency_key === 'string' && { idempotencyKey: idempotency_key };
        return resultOf(() => perch.call(id, input, { signal, ...named }));
      },
    );
  }
  return server;
}

function inputOf(row: OperationRow, { input }: OperationGuide) {
  if (row.method === 'GET') return input;
  const idempotency_key = {
    type: 'string',
    description:
      'Names this write: the same key again does nothing twice. One is made if not given.',
  };
  return { ...input, properties: { ...input.properties, idempotency_key } };
}

/** What the document says, for the model to read; only the API checks it, and says by code what is wrong. */
function asSchema(schema: object): StandardSchemaWithJSON<Record<string, unknown>> {
  const read = () => ({ ...schema });
  return {
    '~standard': {
      version: 1,
      vendor: 'perch',
      validate: (given) =>
        typeof given === 'object' && given !== null
          ? { value: { ...given } }
          : { issues: [{ message: 'must be an object' }] },
      jsonSchema: { input: read, output: read },
    },
  };
}

/** The answer as a tool gives it; a failure with its code and detail, and never the key. */
async function resultOf(call: () => Promise<unknown>): Promise<CallToolResult> {
  try {
    const answer = await call();
    return textOf(answer);
  } catch (error) {
    if (!(error instanceof PerchError)) throw error;
    return { ...textOf(error.toJSON()), isError: true };
  }
}

function textOf(value: unknown): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(value) }] };
}
