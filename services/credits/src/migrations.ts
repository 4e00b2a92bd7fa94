import { Ledger20261121 } from './migrations/20261121-ledger.ts';

/** All migrations of this database, in order. */
export const migrations = [{ name: '20261121-ledger', class: Ledger20261121 }];
