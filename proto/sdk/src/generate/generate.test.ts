import { readdir, readFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { readDocument } from './document.ts';
import { filesOf } from './files.ts';

const folder = new URL('../generated/', import.meta.url);

test('what is checked in is what the document says: else `npm run generate -w @perch/sdk`', async () => {
  const checkedIn = await Promise.all(
    (await readdir(folder)).map(async (name) => [
      name,
      await readFile(new URL(name, folder), 'utf8'),
    ]),
  );
  expect(Object.fromEntries(checkedIn)).toEqual(await filesOf(await readDocument()));
});
