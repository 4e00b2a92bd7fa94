import { type ParseArgsOptionsConfig, parseArgs } from 'node:util';
import type { OperationGuide, OperationRow } from '../operation.ts';

/** A mistake in what was typed; its message says which. */
export class UsageError extends Error {}

/** What was typed after the name of an operation. */
export interface Given {
  /** Parameters by their names in the document. */
  parameters: Record<string, string>;
  /** As it was typed: JSON, `@file`, or `-`. */
  body: string | null;
  /** Fields of the form: texts, and the paths of files. */
  form: Record<string, string>;
  idempotencyKey: string | null;
  all: boolean;
  help: boolean;
}

/** Takes a command line apart by what the operation takes. */
export function givenOf(row: OperationRow, guide: OperationGuide, args: string[]): Given {
  const parameters = Object.keys(row.parameters);
  const fields = Object.keys(guide.formFields);
  const { values, positionals } = parsed(args, {
    help: { type: 'boolean', short: 'h' },
    ...(row.paged && { all: { type: 'boolean' } }),
    ...(row.method !== 'GET' && { 'idempotency-key': { type: 'string' } }),
    ...(row.body && { body: { type: 'string' } }),
    ...Object.fromEntries(fields.map((name) => [flagOf(name), { type: 'string' }])),
    ...Object.fromEntries(parameters.map((name) => [flagOf(name), { type: 'string' }])),
  });
  const text = (flag: string) => {
    const value = values[flag];
    return typeof value === 'string' ? value : null;
  };
  const bare = parameters.filter((name) => row.parameters[name] === 'path');
  if (positionals.length > bare.length) {
    throw new UsageError(`${positionals[bare.length]} is one word too many`);
  }
  return {
    parameters: {
      ...onlyGiven(bare.map((name, at) => [name, positionals[at] ?? null])),
      ...onlyGiven(parameters.map((name) => [name, text(flagOf(name))])),
    },
    body: text('body'),
    form: onlyGiven(fields.map((name) => [name, text(flagOf(name))])),
    idempotencyKey: text('idempotency-key'),
    all: values['all'] === true,
    help: values['help'] === true,
  };
}

/** A parameter's name as it is typed: `account_id` is `--account-id`. */
export function flagOf(name: string): string {
  return name.toLowerCase().replaceAll('_', '-');
}

function parsed(args: string[], options: ParseArgsOptionsConfig) {
  try {
    return parseArgs({ args, options, allowPositionals: true });
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

function onlyGiven(entries: [string, string | null][]): Record<string, string> {
  return Object.fromEntries(
    entries.flatMap(([name, value]) => (value === null ? [] : [[name, value]])),
  );
}
