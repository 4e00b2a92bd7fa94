import { Accounts20261121 } from './migrations/20261121-accounts.ts';
import { Dashboard20261121 } from './migrations/20261121-dashboard.ts';

/** All migrations of this database, in order. */
export const migrations = [
  { name: '20261121-accounts', class: Accounts20261121 },
  { name: '20261121-dashboard', class: Dashboard20261121 },
];
