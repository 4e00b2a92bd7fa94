import { mkdir, writeFile } from 'node:fs/promises';
import { readDocument } from './document.ts';
import { filesOf } from './files.ts';

// `npm run generate -w @perch/sdk`: writes `src/generated` anew from the gateway's OpenAPI document.
const folder = new URL('../generated/', import.meta.url);
await mkdir(folder, { recursive: true });
for (const [name, text] of Object.entries(await filesOf(await readDocument()))) {
  await writeFile(new URL(name, folder), text);
}
