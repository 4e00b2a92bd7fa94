import { createReadStream, createWriteStream } from 'node:fs';
import { access, constants, mkdir, open, rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import type { Storage } from './storage.ts';

/** Media in a folder of this machine. */
export async function openDirectory(dir: string): Promise<Storage> {
  await mkdir(dir, { recursive: true });
  const file = (key: string) => join(dir, key);
  return {
    put: async (key, bytes) => {
      const part = file(`${key}.part`);
      try {
        await pipeline(bytes, createWriteStream(part, { mode: 0o600, flush: true }));
        await rename(part, file(key));
      } catch (error) {
        await rm(part, { force: true });
        throw error;
      }
    },
    get: async (key, range) => {
      const handle = await open(file(key));
      const part = range && { start: range.start, end: range.end - 1 };
      return createReadStream('', { fd: handle, ...part });
    },
    remove: (key) => rm(file(key), { force: true }),
    check: () => access(dir, constants.W_OK),
  };
}
