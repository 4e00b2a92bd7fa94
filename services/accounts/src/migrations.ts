import { Accounts20261121 } from './migrations/20261121-accounts.ts';
import { Dashboard20261122 } from './migrations/20261122-dashboard.ts';
import { Platforms20261122 } from './migrations/20261122-platforms.ts';
import { Operators20261123 } from './migrations/20261123-operators.ts';

/** All migrations of this database, in order. */
export const migrations = [
  { name: '20261121-accounts', class: Accounts20261121 },
  { name: '20261122-platforms', class: Platforms20261122 },
  { name: '20261122-dashboard', class: Dashboard20261122 },
  { name: '20261123-operators', class: Operators20261123 },
];
