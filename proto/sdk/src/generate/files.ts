import { compile } from 'json-schema-to-typescript';
import { type Described, describe, pointed, propertiesOf } from './describe.ts';
import type { Document } from './document.ts';

const header =
  '// Made by `npm run generate -w @perch/sdk` from gateway/openapi.json: change that instead.\n';

/** Every generated file, by its name below `src/generated`. */
export async function filesOf(document: Document): Promise<Record<string, string>> {
  const operations = describe(document);
  return {
    'types.ts': await typesFile(document, operations),
    'operations.ts': operationsFile(document, operations),
    'guides.ts': guidesFile(operations),
  };
}

/** The types of every input and output. */
async function typesFile(document: Document, operations: Described[]): Promise<string> {
  const shared = Object.keys(document.components.schemas);
  const definitions = { ...document.components.schemas };
  const inputs: Record<string, unknown> = {};
  const outputs: Record<string, unknown> = {};
  const items: Record<string, unknown> = {};
  for (const operation of operations) {
    const name = capital(operation.id);
    const ref = (suffix: string, schema: unknown) => {
      definitions[`${name}${suffix}`] = JSON.parse(pointed(schema));
      return { $ref: `#/$defs/${name}${suffix}` };
    };
    inputs[operation.id] = ref('Input', inputOf(operation));
    outputs[operation.id] = ref('Output', operation.output ?? { type: 'null' });
    if (operation.row.paged) items[operation.id] = ref('Item', operation.item);
  }
  const root = {
    ...objectOf({
      inputs: objectOf(inputs),
      outputs: objectOf(outputs),
      items: objectOf(items),
      schemas: objectOf(
        Object.fromEntries(shared.map((name) => [name, { $ref: `#/$defs/${name}` }])),
      ),
    }),
    $defs: definitions,
  };
  return compile(JSON.parse(pointed(root), withoutRefinements), 'Operations', {
    bannerComment: `${header}import type { Upload } from '../upload.ts';\n`,
    additionalProperties: false,
    ignoreMinAndMaxItems: true,
    style: { singleQuote: true, printWidth: 100 },
  });
}

/** What only narrows a schema that has a type already, such as "one of these two fields", is no type of its own. */
function withoutRefinements(_: string, value: unknown): unknown {
  if (typeof value !== 'object' || value === null || !('type' in value)) return value;
  if (typeof value.type !== 'string') return value;
  const narrowing = ['anyOf', 'oneOf', 'allOf', 'not'];
  return Object.fromEntries(Object.entries(value).filter(([name]) => !narrowing.includes(name)));
}

/** The input as a caller of the SDK gives it: with a form, where the operation takes one. */
function inputOf({ guide, row, form }: Described): unknown {
  const { properties, required } = guide.input;
  const { body, ...parameters } = properties;
  const isRequired = (name: string) => required.includes(name);
  if (form === null) return objectOf(properties, isRequired);
  const needed = form['required'];
  const fields = objectOf(
    Object.fromEntries(
      Object.entries(propertiesOf(form)).map(([name, schema]) => [
        name,
        guide.formFields[name] === 'file' ? upload : schema,
      ]),
    ),
    (name) => Array.isArray(needed) && needed.includes(name),
  );
  const withForm = objectOf(
    { ...parameters, form: fields },
    (name) => name === 'form' || isRequired(name),
  );
  if (!row.body) return withForm;
  const withBody = objectOf({ ...parameters, body }, (name) => name === 'body' || isRequired(name));
  return { anyOf: [withBody, withForm] };
}

const upload = { tsType: 'Upload' };

function objectOf(properties: Record<string, unknown>, isRequired = (_: string) => true) {
  const required = Object.keys(properties).filter(isRequired);
  return { type: 'object', properties, required, additionalProperties: false };
}

/** A method for every operation, and how each is sent. */
function operationsFile(document: Document, operations: Described[]): string {
  const rows = Object.fromEntries(operations.map(({ id, row }) => [id, row]));
  return [
    header,
    `import type { CallOptions } from '../call.ts';`,
    `import type { OperationRow } from '../operation.ts';`,
    `import type { Operations } from './types.ts';`,
    '',
    '/** Every operation by its name. */',
    `export type OperationId = keyof Operations['inputs'];`,
    '',
    '/** Where the API lives below its origin. */',
    `export const basePath = ${JSON.stringify(document.servers[0]?.url)};`,
    '',
    `export const rows: Record<OperationId, OperationRow> = ${JSON.stringify(rows, null, 2)};`,
    '',
    '/** A method for every operation of the API. */',
    'export abstract class OperationMethods {',
    '  protected abstract run<Id extends OperationId>(',
    '    id: Id,',
    `    input: Operations['inputs'][Id],`,
    '    options?: CallOptions,',
    `  ): Promise<Operations['outputs'][Id]>;`,
    ...operations.flatMap(methodLines),
    '}',
    '',
  ].join('\n');
}

function methodLines({ id, guide, row }: Described): string[] {
  const optional = row.required.length === 0 && !row.form;
  return [
    '',
    `  /** ${[guide.summary, guide.description].filter(Boolean).map(sentence).join(' ')} */`,
    `  ${id}(`,
    `    input: Operations['inputs']['${id}']${optional ? ' = {}' : ''},`,
    '    options?: CallOptions,',
    `  ): Promise<Operations['outputs']['${id}']> {`,
    `    return this.run('${id}', input, options);`,
    '  }',
  ];
}

/** What people and models are told of every operation. */
function guidesFile(operations: Described[]): string {
  const guides = Object.fromEntries(operations.map(({ id, guide }) => [id, guide]));
  return [
    header,
    `import type { OperationGuide } from '../operation.ts';`,
    `import type { OperationId } from './operations.ts';`,
    '',
    `export const guides: Record<OperationId, OperationGuide> = ${JSON.stringify(guides, null, 2)};`,
    '',
  ].join('\n');
}

function capital(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}

function sentence(text: string): string {
  const line = text.replaceAll('*/', '').replaceAll(/\s+/g, ' ').trim();
  return line.endsWith('.') ? line : `${line}.`;
}
