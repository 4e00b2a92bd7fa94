import type { z } from 'zod';
import { Fault, type FieldError } from './faults.ts';

/** Parses unknown input, or throws `validation_failed` with one entry per broken field. */
export function parseInput<T extends z.ZodType>(schema: T, input: unknown): z.output<T> {
  const result = schema.safeParse(input);
  if (result.success) return result.data;
  throw new Fault('validation_failed', validationDetails(result.error.issues));
}

/** What `validation_failed` carries for these issues. */
export function validationDetails(issues: readonly z.core.$ZodIssue[]) {
  return errorDetails(issues.flatMap(fieldErrors));
}

/** What `validation_failed` carries for these errors: all of them, and the first in words. */
export function errorDetails(errors: FieldError[]) {
  const [first] = errors;
  const more = errors.length > 1 ? ` (and ${errors.length - 1} more)` : '';
  return { detail: first ? `${first.pointer || '/'}: ${first.detail}${more}` : '', errors };
}

/** The rule a custom check names by `params: { code }`, beside its message. */
function fieldErrors(issue: z.core.$ZodIssue): FieldError[] {
  if (issue.code === 'unrecognized_keys') {
    return issue.keys.map((key) => ({
      pointer: jsonPointer([...issue.path, key]),
      code: 'unknown_field',
      detail: 'is not a known field',
    }));
  }
  const named = issue.code === 'custom' ? issue.params?.['code'] : undefined;
  return [
    {
      pointer: jsonPointer(issue.path),
      code: typeof named === 'string' ? named : issue.code,
      detail: isMissing(issue) ? 'is required' : issue.message,
    },
  ];
}

function isMissing(issue: z.core.$ZodIssue): boolean {
  return (
    issue.code === 'invalid_type' && issue.input === undefined && /undefined/.test(issue.message)
  );
}

/** A path into a document as a JSON pointer (RFC 6901). */
export function jsonPointer(path: readonly PropertyKey[]): string {
  return path
    .map((part) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`)
    .join('');
}
