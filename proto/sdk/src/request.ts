import type { OperationRow } from './operation.ts';
import { PerchError } from './perch-error.ts';
import { type FormBody, formOf, isStream } from './upload.ts';

/** One request, as often as it must be made. */
export interface RequestPlan {
  url: string;
  method: OperationRow['method'];
  headers: Record<string, string>;
  /** Whether it can be made again: a stream is gone once it was read. */
  repeatable: boolean;
  /** The body for one more attempt, with its type where `fetch` can not tell it. */
  body(): { body?: FormBody['body'] | string; contentType: string | null };
}

/** Turns an input into a request; throws `invalid_input` for what no request can be made of. */
export function planRequest(base: string, row: OperationRow, input: object): RequestPlan {
  const given = new Map<string, unknown>(
    Object.entries(input).filter(([, value]) => value !== undefined),
  );
  refuseMistakes(row, given);
  const { body, form, ...named } = Object.fromEntries(given);
  const headers: Record<string, string> = {};
  const query = new URLSearchParams();
  let path = row.path;
  for (const [name, value] of Object.entries(named)) {
    const place = row.parameters[name];
    if (place === 'path') path = path.replace(`{${name}}`, encodeURIComponent(String(value)));
    else if (place === 'header') headers[name] = String(value);
    else for (const one of Array.isArray(value) ? value : [value]) query.append(name, String(one));
  }
  const fields = typeof form === 'object' && form !== null ? { ...form } : {};
  return {
    url: `${base}${path}${query.size > 0 ? `?${query}` : ''}`,
    method: row.method,
    headers,
    repeatable: !Object.values(fields).some(isStream),
    body: () => {
      if (form !== undefined) return formOf(fields);
      if (body === undefined) return { contentType: null };
      return { body: JSON.stringify(body), contentType: 'application/json' };
    },
  };
}

function refuseMistakes(row: OperationRow, given: Map<string, unknown>): void {
  const known = [
    ...Object.keys(row.parameters),
    ...(row.body ? ['body'] : []),
    ...(row.form ? ['form'] : []),
  ];
  const mistakes = [
    ...[...given.keys()]
      .filter((name) => !known.includes(name))
      .map((name) => mistake(name, 'unknown_field', 'is not a known input')),
    ...row.required
      .filter((name) => !given.has(name) || given.get(name) === '')
      .map((name) => mistake(name, 'required', 'is required')),
    ...[...given]
      .filter(([name, value]) => row.parameters[name] === 'header' && !isHeaderText(String(value)))
      .map(([name]) => mistake(name, 'malformed', 'has characters that no header has')),
    ...(row.form && !given.has('body') && !given.has('form')
      ? [mistake('form', 'required', row.body ? 'or body is required' : 'is required')]
      : []),
    ...(given.has('body') && given.has('form')
      ? [mistake('form', 'exactly_one', 'can not be given beside body')]
      : []),
  ];
  const [first] = mistakes;
  if (!first) return;
  const detail = `${first.pointer} ${first.detail}; known are: ${known.join(', ') || 'none'}`;
  throw new PerchError({ code: 'invalid_input', detail, errors: mistakes });
}

/** Whether it can be the value of a header. */
export function isHeaderText(value: string): boolean {
  return /^[\x21-\x7e]([\t\x20-\x7e]*[\x21-\x7e])?$/.test(value);
}

function mistake(pointer: string, code: string, detail: string) {
  return { pointer, code, detail };
}
