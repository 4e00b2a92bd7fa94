import { Posts20261121 } from './migrations/20261121-posts.ts';
import { Reconciler20261121 } from './migrations/20261121-reconciler.ts';
import { Webhooks20261121 } from './migrations/20261121-webhooks.ts';
import { Presets20261122 } from './migrations/20261122-presets.ts';
import { Runs20261123 } from './migrations/20261123-runs.ts';

/** All migrations of this database, in order. */
export const migrations = [
  { name: '20261121-posts', class: Posts20261121 },
  { name: '20261121-webhooks', class: Webhooks20261121 },
  { name: '20261121-reconciler', class: Reconciler20261121 },
  { name: '20261122-presets', class: Presets20261122 },
  { name: '20261123-runs', class: Runs20261123 },
];
