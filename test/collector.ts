import { once } from 'node:events';
import { createServer, type IncomingMessage } from 'node:http';
import { gunzipSync } from 'node:zlib';
import protobuf from 'protobufjs/minimal.js';

/** A span as it was exported. */
export interface ExportedSpan {
  service: string;
  traceId: string;
  spanId: string;
  parentId: string;
  name: string;
  attributes: Record<string, string>;
}

/** An OTLP collector that keeps what it is sent. */
export interface Collector {
  /** For OTEL_EXPORTER_OTLP_ENDPOINT. */
  url: string;
  spans: ExportedSpan[];
  close(): Promise<void>;
}

/** Listens for traces by OTLP over HTTP, in protobuf. */
export async function startCollector(): Promise<Collector> {
  const spans: ExportedSpan[] = [];
  const server = createServer((request, response) => {
    void bodyOf(request).then((body) => {
      if (request.url === '/v1/traces') spans.push(...readTraces(body));
      response.writeHead(200, { 'content-type': 'application/x-protobuf' }).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : 0;
  return {
    url: `http://127.0.0.1:${port}`,
    spans,
    close: async () => {
      server.closeAllConnections();
      server.close();
    },
  };
}

async function bodyOf(request: IncomingMessage): Promise<Uint8Array> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk);
  const body = Buffer.concat(chunks);
  return request.headers['content-encoding'] === 'gzip' ? gunzipSync(body) : body;
}

// The numbers of fields are those of opentelemetry-proto, trace/v1/trace.proto; what is not asked for is skipped.
function readTraces(body: Uint8Array): ExportedSpan[] {
  return fields(body, 1).flatMap((resourceSpans) => {
    const resource = fields(resourceSpans, 1)[0];
    const service = resource ? attributesOf(fields(resource, 1))['service.name'] : undefined;
    return fields(resourceSpans, 2)
      .flatMap((scopeSpans) => fields(scopeSpans, 2))
      .map((span) => ({
        service: service ?? '',
        traceId: hex(fields(span, 1)[0]),
        spanId: hex(fields(span, 2)[0]),
        parentId: hex(fields(span, 4)[0]),
        name: text(fields(span, 5)[0]),
        attributes: attributesOf(fields(span, 9)),
      }));
  });
}

function attributesOf(pairs: Uint8Array[]): Record<string, string> {
  return Object.fromEntries(
    pairs.map((pair) => {
      const value = fields(pair, 2)[0];
      return [text(fields(pair, 1)[0]), text(value && fields(value, 1)[0])];
    }),
  );
}

/** The values of one field of a message, of those that are bytes, text or messages. */
function fields(message: Uint8Array, wanted: number): Uint8Array[] {
  const reader = protobuf.Reader.create(message);
  const found: Uint8Array[] = [];
  while (reader.pos < reader.len) {
    const tag = reader.uint32();
    const isBytes = (tag & 7) === 2;
    if (tag >>> 3 === wanted && isBytes) found.push(reader.bytes());
    else reader.skipType(tag & 7);
  }
  return found;
}

function hex(bytes: Uint8Array | undefined): string {
  return Buffer.from(bytes ?? []).toString('hex');
}

function text(bytes: Uint8Array | undefined): string {
  return new TextDecoder().decode(bytes);
}
