import { readFile } from 'node:fs/promises';
import { z } from 'zod';

/** A JSON Schema as it stands in the document; only what is asked for here has a name. */
export type Schema = Record<string, unknown>;

const Schema = z.record(z.string(), z.unknown());
const Content = z.record(z.string(), z.object({ schema: Schema, example: z.unknown().optional() }));

const Operation = z.object({
  operationId: z.string().regex(/^[a-z][A-Za-z0-9]*$/),
  tags: z.array(z.string()).default([]),
  summary: z.string(),
  description: z.string().default(''),
  parameters: z
    .array(
      z.object({
        in: z.enum(['path', 'query', 'header']),
        name: z.string(),
        required: z.boolean().default(false),
        schema: Schema,
      }),
    )
    .default([]),
  requestBody: z.object({ required: z.boolean().default(false), content: Content }).optional(),
  responses: z.record(z.string(), z.object({ content: Content.optional() })),
});

const Document = z.object({
  servers: z.array(z.object({ url: z.string() })).min(1),
  paths: z.record(
    z.string(),
    z.partialRecord(z.enum(['get', 'post', 'put', 'patch', 'delete']), Operation),
  ),
  components: z.object({ schemas: z.record(z.string(), Schema).default({}) }),
});

/** The part of an OpenAPI 3.1 document that a client is made from. */
export type Document = z.infer<typeof Document>;
export type Operation = z.infer<typeof Operation>;

/** Reads the gateway's document. */
export async function readDocument(): Promise<Document> {
  const file = new URL('../../../../gateway/openapi.json', import.meta.url);
  return Document.parse(JSON.parse(await readFile(file, 'utf8')));
}
