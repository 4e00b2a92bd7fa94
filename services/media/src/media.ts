import type { MediaService } from '@perch/proto/media';
import type { HealthCheck } from '@perch/proto/rpc';
import type { Deps } from './deps.ts';
import { findMedia, findOne } from './entity.ts';
import type { Storage } from './storage/storage.ts';
import { attach } from './verbs/attach.ts';
import { finishUpload } from './verbs/finish-upload.ts';
import { importUrl } from './verbs/import-url.ts';
import { prepareUpload } from './verbs/prepare-upload.ts';
import { source } from './verbs/source.ts';

/** The media service over its dependencies. */
export function createMedia(deps: Deps): MediaService {
  return {
    prepareUpload: (input) => prepareUpload(deps, input),
    finishUpload: (input) => finishUpload(deps, input),
    importUrl: (input) => importUrl(deps, input),
    get: (input) => findOne(deps.db.fork(), input),
    getMany: (input) => findMedia(deps.db.fork(), input.tenant, input.media_ids),
    attach: (input) => attach(deps, input),
    source: (input) => source(deps, input),
    health: async () => {
      const checks = [await deps.db.check(), await storageCheck(deps.storage)];
      return { ok: checks.every((check) => check.ok), checks };
    },
  };
}

async function storageCheck(storage: Storage): Promise<HealthCheck> {
  const error = await storage.check().then(
    () => null,
    (cause: unknown) => (cause instanceof Error ? cause.message : String(cause)),
  );
  return { name: 'media storage', ok: error === null, detail: error ?? 'can be written' };
}
