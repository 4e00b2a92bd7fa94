import { migrateAndEnd } from '@perch/proto/migrate';
import { migrations } from './migrations.ts';

await migrateAndEnd('credits', migrations, process.env);
