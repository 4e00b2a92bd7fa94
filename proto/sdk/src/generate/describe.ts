import type { OperationGuide, OperationRow } from '../operation.ts';
import type { Document, Operation, Schema } from './document.ts';

/** An operation of the document in the words of the SDK. */
export interface Described {
  id: string;
  row: OperationRow;
  guide: OperationGuide;
  /** The fields of its form, by their schemas. */
  form: Schema | null;
  /** What it answers; null when that is nothing. */
  output: Schema | null;
  /** What one entry of its pages is; null when it answers no page. */
  item: unknown;
}

const json = 'application/json';
const multipart = 'multipart/form-data';
/** The SDK sends this header itself, with every operation that writes. */
const ownHeader = 'idempotency-key';

/** Every operation, in the order of the document. Throws where an input would be ambiguous. */
export function describe(document: Document): Described[] {
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) =>
      describeOne(document, path, method, operation),
    ),
  );
}

function describeOne(
  document: Document,
  path: string,
  method: string,
  operation: Operation,
): Described {
  const id = operation.operationId;
  const parameters = operation.parameters.filter(({ name }) => name.toLowerCase() !== ownHeader);
  const names = parameters.map(({ name }) => name);
  const taken = names.find((name, at) => names.indexOf(name) !== at || /^(body|form)$/.test(name));
  if (taken) throw new Error(`${id}: the parameter ${taken} can not be told from another input`);
  const content = operation.requestBody?.content ?? {};
  const body = content[json];
  const form = content[multipart]?.schema ?? null;
  const output = outputOf(operation);
  const item = pageItem(document, output);
  const required = parameters.filter((one) => one.required).map(({ name }) => name);
  const withBody = body && operation.requestBody?.required ? [...required, 'body'] : required;
  const properties = {
    ...Object.fromEntries(parameters.map(({ name, schema }) => [name, schema])),
    ...(body && { body: body.schema }),
  };
  return {
    id,
    row: {
      method: methodOf(method),
      path,
      parameters: Object.fromEntries(parameters.map((one) => [one.name, one.in])),
      required: form === null ? withBody : required,
      body: body !== undefined,
      form: form !== null,
      paged: names.includes('cursor') && item !== null,
    },
    guide: {
      tag: operation.tags[0] ?? '',
      summary: operation.summary,
      description: operation.description,
      input: withDefinitions(document, {
        type: 'object',
        properties,
        required: withBody,
        additionalProperties: false,
      }),
      formFields: fieldsOf(form),
      ...(body?.example !== undefined && { example: body.example }),
    },
    form,
    output,
    item,
  };
}

function fieldsOf(form: Schema | null): OperationGuide['formFields'] {
  return Object.fromEntries(
    Object.entries(propertiesOf(form)).map(([name, schema]) => [
      name,
      isSchema(schema) && schema['format'] === 'binary' ? 'file' : 'text',
    ]),
  );
}

function methodOf(method: string): OperationRow['method'] {
  const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
  const found = methods.find((one) => one === method.toUpperCase());
  if (!found) throw new Error(`${method} is not supported`);
  return found;
}

function outputOf(operation: Operation): Schema | null {
  const good = Object.keys(operation.responses).find((status) => status.startsWith('2'));
  if (good === undefined) throw new Error(`${operation.operationId} has no good answer`);
  return operation.responses[good]?.content?.[json]?.schema ?? null;
}

/** The schema of what a page lists, or null when the answer is no page. */
function pageItem(document: Document, output: Schema | null): unknown {
  const ref = output?.['$ref'];
  const name = typeof ref === 'string' ? ref.slice(ref.lastIndexOf('/') + 1) : '';
  const { data, next_cursor } = propertiesOf(document.components.schemas[name] ?? output);
  return isSchema(data) && next_cursor !== undefined ? (data['items'] ?? null) : null;
}

/** The named parts of an object's schema. */
export function propertiesOf(schema: Schema | null): Schema {
  const properties = schema?.['properties'];
  return isSchema(properties) ? properties : {};
}

/** The schema standing alone: what it points at in the document goes with it. */
function withDefinitions<T extends OperationGuide['input']>(document: Document, schema: T): T {
  const $defs: Record<string, unknown> = {};
  const moved: T = JSON.parse(pointed(schema));
  const missing = (text: string) =>
    [...text.matchAll(/"#\/\$defs\/([^"]+)"/g)]
      .map(([, name = '']) => name)
      .filter((name) => !Object.hasOwn($defs, name));
  for (let todo = missing(pointed(schema)); todo.length > 0; todo = missing(pointed($defs))) {
    for (const name of todo) $defs[name] = JSON.parse(pointed(document.components.schemas[name]));
  }
  return Object.keys($defs).length > 0 ? { ...moved, $defs } : moved;
}

/** JSON with the document's pointers to components as pointers to definitions. */
export function pointed(value: unknown): string {
  return JSON.stringify(value ?? {}).replaceAll('"#/components/schemas/', '"#/$defs/');
}

function isSchema(value: unknown): value is Schema {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}
