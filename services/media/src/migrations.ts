import { Media20261121 } from './migrations/20261121-media.ts';
import { AltText20261122 } from './migrations/20261122-alt-text.ts';

/** All migrations of this database, in order. */
export const migrations = [
  { name: '20261121-media', class: Media20261121 },
  { name: '20261122-alt-text', class: AltText20261122 },
];
