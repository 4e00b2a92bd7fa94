import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { describe } from './describe.ts';
import { type Document, readDocument } from './document.ts';
import { filesOf } from './files.ts';

const folder = new URL('../generated/', import.meta.url);

test('what is checked in is what the document says: else `npm run generate -w @perch/sdk`', async () => {
  const checkedIn = await Promise.all(
    (await readdir(folder)).map(async (name) => [
      name,
      await readFile(new URL(name, folder), 'utf8'),
    ]),
  );
  expect(Object.fromEntries(checkedIn)).toEqual(await filesOf(await readDocument()));
});

/** A document with what the gateway's may come to have. */
function documentWith(operation: Partial<Document['paths'][string]['post']>): Document {
  const ok = { content: { 'application/json': { schema: { $ref: '#/components/schemas/Page' } } } };
  const known = { operationId: 'doIt', tags: [], summary: 'Do it', description: '' };
  return {
    servers: [{ url: '/api/v1' }],
    paths: {
      '/things/{id}': {
        post: { ...known, parameters: [], responses: { '200': ok }, ...operation },
      },
    },
    components: {
      schemas: {
        Page: {
          type: 'object',
          properties: {
            data: { type: 'array', items: { $ref: '#/components/schemas/Tree' } },
            next_cursor: { type: ['string', 'null'] },
          },
        },
        Tree: {
          type: 'object',
          properties: { leaf: { $ref: '#/components/schemas/Leaf' } },
        },
        Leaf: { type: 'object', properties: { tree: { $ref: '#/components/schemas/Tree' } } },
      },
    },
  };
}

const text = { type: 'string' };

test('an input stands alone, and the idempotency key is no part of it', async () => {
  const document = documentWith({
    parameters: [
      { in: 'path', name: 'id', required: true, schema: text },
      { in: 'query', name: 'cursor', required: false, schema: text },
      { in: 'header', name: 'Idempotency-Key', required: true, schema: text },
    ],
    requestBody: {
      required: true,
      content: { 'application/json': { schema: { $ref: '#/components/schemas/Tree' } } },
    },
  });
  const [one] = describe(document);
  expect(one?.row).toEqual({
    method: 'POST',
    path: '/things/{id}',
    parameters: { id: 'path', cursor: 'query' },
    required: ['id', 'body'],
    body: true,
    form: false,
    paged: true,
  });
  expect(one?.guide.input.properties['body']).toEqual({ $ref: '#/$defs/Tree' });
  expect(Object.keys(one?.guide.input.$defs ?? {})).toEqual(['Tree', 'Leaf']);
  const types = (await filesOf(document))['types.ts'];
  expect(types).toContain('export interface Tree');
  expect(types).toMatch(/items: \{\s*doIt: Tree;/);
});

test('an answer may be nothing, and an input that can not be told from another is refused', async () => {
  const [one] = describe(documentWith({ responses: { '204': {} } }));
  expect([one?.output, one?.row.paged]).toEqual([null, false]);
  const clash = documentWith({
    parameters: [{ in: 'query', name: 'body', required: false, schema: text }],
  });
  expect(() => describe(clash)).toThrow('doIt: the parameter body can not be told');
});
