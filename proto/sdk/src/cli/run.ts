import { openAsBlob } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { basename } from 'node:path';
import { text } from 'node:stream/consumers';
import { readConfig } from '../config.ts';
import { guides } from '../generated/guides.ts';
import { rows } from '../generated/operations.ts';
import type { OperationGuide } from '../operation.ts';
import { isOperationId, Perch } from '../perch.ts';
import { PerchError } from '../perch-error.ts';
import { type Given, givenOf, UsageError } from './given.ts';
import { help, helpFor } from './help.ts';

/** What a command line has to do with. */
export interface Surroundings {
  env: Readonly<Record<string, string | undefined>>;
  stdin: NodeJS.ReadableStream;
  /** A line to stdout. */
  print: (line: string) => void;
  /** A line to stderr. */
  complain: (line: string) => void;
}

/** Runs one command line; resolves to the exit code. */
export async function run(words: string[], around: Surroundings): Promise<number> {
  try {
    await act(words, around);
    return 0;
  } catch (error) {
    if (error instanceof PerchError && error.code !== 'invalid_input') {
      around.complain(JSON.stringify(error, null, 2));
      return 1;
    }
    around.complain(error instanceof Error ? error.message : String(error));
    return error instanceof UsageError || error instanceof PerchError ? 2 : 1;
  }
}

async function act([id, ...args]: string[], around: Surroundings): Promise<void> {
  if (id === undefined || /^(-h|--help|help)$/.test(id)) return around.print(help());
  if (!isOperationId(id)) {
    throw new UsageError(`there is no operation ${id}; perch-api --help lists them`);
  }
  const given = givenOf(rows[id], guides[id], args);
  if (given.help) return around.print(helpFor(id));
  const perch = clientOf(around);
  const input = await inputOf(given, guides[id].formFields, around);
  if (given.all) {
    for await (const entry of perch.callPages(id, input)) around.print(JSON.stringify(entry));
    return;
  }
  const { idempotencyKey } = given;
  const answer = await perch.call(id, input, idempotencyKey === null ? {} : { idempotencyKey });
  around.print(JSON.stringify(answer, null, 2));
}

function clientOf({ env }: Surroundings): Perch {
  const { url, apiKey } = configOf(env);
  if (apiKey === null) throw new UsageError('PERCH_KEY is missing: set it to your API key');
  return new Perch({ baseUrl: url, apiKey });
}

function configOf(env: Surroundings['env']) {
  try {
    return readConfig(env);
  } catch (error) {
    throw new UsageError(error instanceof Error ? error.message : String(error));
  }
}

async function inputOf(
  given: Given,
  fields: OperationGuide['formFields'],
  around: Surroundings,
): Promise<object> {
  const form: Record<string, Blob | string> = {};
  for (const [name, typed] of Object.entries(given.form)) {
    form[name] = fields[name] === 'file' ? await fileAt(typed) : typed;
  }
  return {
    ...given.parameters,
    ...(given.body !== null && { body: await bodyOf(given.body, around) }),
    ...(Object.keys(form).length > 0 && { form }),
  };
}

async function bodyOf(typed: string, { stdin }: Surroundings): Promise<unknown> {
  const json = typed === '-' ? await text(stdin) : await jsonOf(typed);
  try {
    return JSON.parse(json);
  } catch (error) {
    throw new UsageError(`--body: ${error instanceof Error ? error.message : 'no JSON'}`);
  }
}

async function jsonOf(typed: string): Promise<string> {
  if (!typed.startsWith('@')) return typed;
  return readFile(typed.slice(1), 'utf8').catch((cause: unknown) => unreadable(typed, cause));
}

/** A file that is read only as it is sent. */
async function fileAt(path: string): Promise<File> {
  const found = await stat(path).catch((cause: unknown) => unreadable(path, cause));
  if (!found.isFile()) throw new UsageError(`${path} is no file`);
  return new File([await openAsBlob(path)], basename(path));
}

function unreadable(path: string, cause: unknown): never {
  throw new UsageError(
    `${path} can not be read: ${cause instanceof Error ? cause.message : cause}`,
  );
}
