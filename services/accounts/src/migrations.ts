import { Accounts20261121 } from './migrations/20261121-accounts.ts';

/** All migrations of this database, in order. */
export const migrations = [{ name: '20261121-accounts', class: Accounts20261121 }];
