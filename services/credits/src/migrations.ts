import { Ledger20261121 } from './migrations/20261121-ledger.ts';
import { Runs20261123 } from './migrations/20261123-runs.ts';

/** All migrations of this database, in order. */
export const migrations = [
  { name: '20261121-ledger', class: Ledger20261121 },
  { name: '20261123-runs', class: Runs20261123 },
];
