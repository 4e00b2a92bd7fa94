import { migrateAndEnd } from '@perch/proto/migrate';
import { migrations } from './migrations.ts';

await migrateAndEnd('media', migrations, process.env);
