import type { PlatformName } from '@perch/proto/accounts';
import type { Cipher } from '@perch/proto/cipher';
import type { Database } from '@perch/proto/database';
import type { Vault } from './platform.ts';

/** A connector's own secrets, sealed in the database. */
export function createVault(deps: { db: Database; cipher: Cipher }, platform: PlatformName): Vault {
  const place = (name: string) => `platform_secret|${platform}|${name}`;
  return {
    get: async (name) => {
      const [row] = await deps.db.execute<{ sealed: string }>(
        'select sealed from platform_secret where platform = ? and name = ?',
        [platform, name],
      );
      return row ? deps.cipher.decrypt(row.sealed, place(name)) : null;
    },
    set: async (name, value) => {
      await deps.db.execute(
        `insert into platform_secret (platform, name, sealed) values (?, ?, ?)
         on conflict (platform, name) do update set sealed = excluded.sealed`,
        [platform, name, deps.cipher.encrypt(value, place(name))],
      );
    },
  };
}
