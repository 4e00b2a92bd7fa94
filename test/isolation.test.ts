import { readFile } from 'node:fs/promises';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type Perch, startPerch, type TestUser } from './perch.ts';

// Generated from the OpenAPI document: every operation, each place for an id in its path, query and body in turn,
// is asked with an id of another user's. A new operation is tried without anyone thinking of it.

interface Schema {
  $ref?: string;
  pattern?: string;
  properties?: Record<string, Schema>;
  items?: Schema;
  anyOf?: Schema[];
  allOf?: Schema[];
}
interface Operation {
  operationId: string;
  parameters?: { name: string; in: string; schema: Schema }[];
  requestBody?: { content: { 'application/json'?: { schema: Schema; example?: unknown } } };
}
const document: {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, Schema> };
} = JSON.parse(await readFile(new URL('../gateway/openapi.json', import.meta.url), 'utf8'));

let perch: Perch;
let attacker: TestUser;
/** One of each thing that the victim has, by the prefix of its id. */
let loot: Record<string, string>;
let before: unknown;

/** A request of the attacker's, valid but for whose ids are in it. */
interface Attempt {
  name: string;
  method: string;
  path: string;
  query: Record<string, string>;
  body: unknown;
}

beforeAll(async () => {
  perch = await startPerch();
  const victim = await perch.user(10);
  attacker = await perch.user(10);
  const { account_id } = await victim.account();
  const png = Buffer.from(
    'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
    'base64',
  );
  const form = new FormData();
  form.append('file', new Blob([png], { type: 'image/png' }), 'a.png');
  const post = await victim.api('POST', '/posts', {
    account_id,
    tweets: [{ text: 'secret' }],
    scheduled_at: new Date(Date.now() + 86_400_000).toISOString(),
  });
  const endpoint = await victim.api('POST', '/webhook_endpoints', { url: 'http://localhost:9/' });
  const delivery = await victim.api('POST', `/webhook_endpoints/${endpoint.body.id}/test`);
  loot = {
    acc: account_id,
    post: post.body.id,
    med: (await victim.api('POST', '/media', form)).body.id,
    whe: endpoint.body.id,
    whd: delivery.body.id,
  };
  const state = async () => [
    (await victim.api('GET', '/posts')).body,
    (await victim.api('GET', '/webhook_endpoints')).body,
    (await victim.api('GET', '/credits')).body,
  ];
  before = await state();
  victimState = state;
}, 120_000);
afterAll(() => perch?.stop());

let victimState: () => Promise<unknown>;

/** The prefix of the ids that a schema takes; null when it takes none. */
function prefixOf(schema: Schema): string | null {
  const pattern = resolved(schema).pattern ?? '';
  return /^\^(acc|post|med|whe|whd)_/.exec(pattern)?.[1] ?? null;
}

function resolved(schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1);
  return (name && document.components.schemas[name]) || schema;
}

/** Every way to put one of the victim's ids into a body of that schema. */
function lootedBodies(schema: Schema, value: unknown): unknown[] {
  const { properties, items, anyOf = [], allOf = [] } = resolved(schema);
  const prefix = prefixOf(schema);
  if (prefix) return [loot[prefix]];
  if (items) {
    const first = Array.isArray(value) ? value[0] : undefined;
    return lootedBodies(items, first).map((item) => [item]);
  }
  const fields = Object.entries(properties ?? {}).flatMap(([name, inner]) => {
    const own = typeof value === 'object' && value !== null && name in value;
    const given = own ? Object.entries(value).find(([key]) => key === name)?.[1] : undefined;
    return lootedBodies(inner, given).map((looted) => ({
      ...(typeof value === 'object' ? value : {}),
      [name]: looted,
    }));
  });
  return [...fields, ...[...anyOf, ...allOf].flatMap((inner) => lootedBodies(inner, value))];
}

async function attempts(): Promise<Attempt[]> {
  const { account_id } = await attacker.account();
  // Bodies that would do, were all ids in them the attacker's own.
  const own = (example: unknown): unknown =>
    JSON.parse(
      JSON.stringify(example ?? {})
        .replaceAll(/acc_[0-9a-z]{26}/g, account_id)
        .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, new Date(Date.now() + 86_400_000).toISOString()),
    );
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).flatMap(([method, operation]) => {
      const { operationId, parameters = [], requestBody } = operation;
      const content = requestBody?.content['application/json'];
      const body = content && own(content.example);
      const filled = (name: string) => loot[prefixOf(schemaOf(parameters, name)) ?? ''] ?? 'none';
      const base = {
        name: operationId,
        method: method.toUpperCase(),
        path: path.replace('{id}', () => filled('id')),
        query: {},
        body,
      };
      const inPath = path.includes('{id}') ? [base] : [];
      const inQuery = parameters.flatMap((one) => {
        const prefix = one.in === 'query' ? prefixOf(one.schema) : null;
        return prefix ? [{ ...base, query: { [one.name]: loot[prefix] ?? '' } }] : [];
      });
      const inBody =
        content && inPath.length === 0
          ? lootedBodies(content.schema, body).map((looted) => ({ ...base, body: looted }))
          : [];
      return [...inPath, ...inQuery, ...inBody];
    }),
  );
}

function schemaOf(parameters: NonNullable<Operation['parameters']>, name: string): Schema {
  return parameters.find((one) => one.name === name)?.schema ?? {};
}

test('no operation takes an id of another user’s, wherever the id is', async () => {
  const all = await attempts();
  // What it has found to try: a generator that finds nothing would always pass.
  expect(new Set(all.map((one) => one.name)).size).toBeGreaterThanOrEqual(15);
  for (const { name, method, path, query, body } of all) {
    const search = new URLSearchParams(query).toString();
    const answer = await attacker.api(method, `${path}${search && `?${search}`}`, body);
    const told = JSON.stringify(answer.body);
    const says = `${name} ${method} ${path}?${search} ${JSON.stringify(body)} -> ${answer.status} ${told}`;
    if (answer.status < 300) expect(answer.body, says).toMatchObject({ data: [] });
    else {
      expect([404, 422], says).toContain(answer.status);
      const codes = [
        answer.body.code,
        ...(answer.body.errors ?? []).map((one: { code: string }) => one.code),
      ];
      expect(codes, says).toContain('not_found');
    }
    expect(told, says).not.toContain('secret');
  }
  expect(await victimState()).toEqual(before);
});

test('every operation without an id in it shows the attacker nothing of the victim', async () => {
  for (const [path, methods] of Object.entries(document.paths)) {
    if (!('get' in methods) || path.includes('{id}')) continue;
    const told = JSON.stringify((await attacker.api('GET', path)).body);
    for (const id of Object.values(loot)) expect(told, path).not.toContain(id);
  }
});
