import { migrateAndEnd } from '@perch/proto/migrate';
import { migrations } from './migrations.ts';

await migrateAndEnd('posts', migrations, process.env);
