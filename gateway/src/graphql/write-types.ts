import { mkdir, writeFile } from 'node:fs/promises';
import { resolverTypes } from './types.ts';

const file = new URL('generated/resolvers.ts', import.meta.url);
await mkdir(new URL('.', file), { recursive: true });
await writeFile(file, await resolverTypes());
