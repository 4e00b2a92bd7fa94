import type { Operation } from './operation.ts';

/** The operation as a caller would type it, in the shell and by the SDK. */
export function samplesOf(operation: Operation): { lang: string; label: string; source: string }[] {
  return [
    { lang: 'Shell', label: 'curl', source: curl(operation) },
    { lang: 'TypeScript', label: '@perch/sdk', source: sdk(operation) },
  ];
}

function curl({ method, path, example }: Operation): string {
  const url = `$PERCH_URL/api/v1${path.replace('{id}', '$ID')}`;
  const lines = [
    `curl -s ${method === 'GET' ? '' : `-X ${method} `}"${url}"`,
    `-H "Authorization: Bearer $PERCH_KEY"`,
  ];
  if (example !== undefined)
    lines.push(`-H 'Content-Type: application/json'`, `-d '${JSON.stringify(example)}'`);
  return lines.join(' \\\n  ');
}

function sdk({ id, path, query, example }: Operation): string {
  const input = [
    ...(path.includes('{id}') ? ['id'] : []),
    ...(example === undefined ? [] : [`body: ${JSON.stringify(example, null, 2)}`]),
  ];
  const given = input.length > 0 ? `{ ${input.join(', ')} }` : '';
  if (query) {
    const all = given === '' ? '{}' : given;
    return `for await (const one of perch.paginate('${id}', ${all})) console.log(one);`;
  }
  return `const answer = await perch.${id}(${given});`;
}
