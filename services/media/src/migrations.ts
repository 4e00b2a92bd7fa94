import { Media20261121 } from './migrations/20261121-media.ts';

/** All migrations of this database, in order. */
export const migrations = [{ name: '20261121-media', class: Media20261121 }];
