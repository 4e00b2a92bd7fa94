import type { ApiKey } from '@perch/proto/accounts';
import { Fault } from '@perch/proto/faults';
import type { Deps } from '../deps.ts';
import { Key, toKey } from '../entities.ts';

/** All keys of the user, newest first. */
export async function listKeys(deps: Deps, input: { user_id: string }): Promise<ApiKey[]> {
  const keys = await deps.db
    .fork()
    .find(Key, { user_id: input.user_id }, { orderBy: { id: 'desc' } });
  return keys.map(toKey);
}

/** Ends a key at once; a revoked one stays as it is. */
export async function revokeKey(
  deps: Deps,
  input: { user_id: string; key_id: string },
): Promise<ApiKey> {
  const em = deps.db.fork();
  const key = await em.findOne(Key, { id: input.key_id, user_id: input.user_id });
  if (!key) throw new Fault('not_found', { detail: 'no such key' });
  key.revoked_at ??= new Date(deps.clock());
  await em.flush();
  return toKey(key);
}
