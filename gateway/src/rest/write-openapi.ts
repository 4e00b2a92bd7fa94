import { writeFile } from 'node:fs/promises';
import { openApiDocument } from './openapi.ts';

// `npm run openapi -w @perch/gateway`: writes the checked-in document anew.
await writeFile(
  new URL('../../openapi.json', import.meta.url),
  `${JSON.stringify(openApiDocument(), null, 2)}\n`,
);
