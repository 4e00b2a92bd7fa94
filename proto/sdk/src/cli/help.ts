import { guides } from '../generated/guides.ts';
import { type OperationId, rows } from '../generated/operations.ts';
import { isOperationId } from '../perch.ts';
import { flagOf } from './given.ts';

const width = 24;

/** What there is to type. */
export function help(): string {
  const ids = Object.keys(guides).filter(isOperationId);
  const tags = [...new Set(ids.map((id) => guides[id].tag))];
  return [
    'perch-api <operation> [flags]     calls the API of Perch and prints what it answers, as JSON',
    '',
    ...tags.flatMap((tag) => [
      `${tag}:`,
      ...ids.filter((id) => guides[id].tag === tag).map((id) => line(id, guides[id].summary)),
      '',
    ]),
    'perch-api <operation> --help      says what an operation takes',
    '',
    'PERCH_KEY is your API key, PERCH_URL where Perch is (http://localhost:3000).',
    'Exit codes: 0 done; 1 failed, the problem is on stderr as JSON; 2 not typed as it should be.',
  ].join('\n');
}

/** What one operation takes. */
export function helpFor(id: OperationId): string {
  const row = rows[id];
  const { summary, description, input, formFields, example } = guides[id];
  const bare = row.required.filter((name) => row.parameters[name] === 'path');
  const flags = Object.keys(row.parameters).map((name) => {
    const { description: says, enum: values } = input.properties[name] ?? {};
    const parts = [
      row.required.includes(name) ? 'Needed.' : '',
      typeof says === 'string' ? says : '',
      Array.isArray(values) ? `One of ${values.join(', ')}.` : '',
    ];
    return line(`--${flagOf(name)}`, parts.filter(Boolean).join(' '));
  });
  return [
    `perch-api ${[id, ...bare.map((name) => `<${name}>`)].join(' ')} [flags]     ${summary}`,
    ...(description ? [description] : []),
    '',
    ...flags,
    ...(row.body ? [line('--body', 'JSON, or @file with it, or - for stdin')] : []),
    ...Object.entries(formFields).map(([name, kind]) =>
      line(`--${flagOf(name)}`, `a ${kind} to upload, instead of --body`),
    ),
    ...(row.paged ? [line('--all', 'every page, one entry a line')] : []),
    ...(row.method === 'GET'
      ? []
      : [line('--idempotency-key', 'the same key again does nothing twice; one is made if not')]),
    ...(example === undefined ? [] : ['', 'A body that works:', JSON.stringify(example, null, 2)]),
    ...(row.body ? ['', 'Its JSON Schema:', schemaText(input)] : []),
  ].join('\n');
}

function schemaText({ properties, $defs }: (typeof guides)[OperationId]['input']): string {
  return JSON.stringify({ ...properties['body'], ...($defs && { $defs }) }, null, 2);
}

function line(name: string, says: string): string {
  return `  ${name.padEnd(width)} ${says}`.trimEnd();
}
