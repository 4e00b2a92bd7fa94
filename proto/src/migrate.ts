import type { MigrationObject } from '@mikro-orm/core';
import { z } from 'zod';
import { migrateDatabase } from './database.ts';
import { createLogger, runOnce } from './process.ts';
import { parseSettings, serviceSettings } from './settings.ts';

/** The database and the log; none of a service's secrets. */
const Settings = z.object({
  DATABASE_URL: serviceSettings.DATABASE_URL,
  PERCH_LOG_LEVEL: serviceSettings.PERCH_LOG_LEVEL,
});

/**
 * The whole of a service's `migrate.ts`: brings the tables of `DATABASE_URL` up to date and ends, with exit code 0
 * when they are. Harmless to repeat, and to run in several places at once.
 */
export async function migrateAndEnd(
  service: string,
  migrations: MigrationObject[],
  env: Readonly<Record<string, string | undefined>>,
): Promise<void> {
  await runOnce(async () => {
    const settings = parseSettings(Settings, env);
    const log = createLogger(`${service}-migrate`, settings.PERCH_LOG_LEVEL);
    await migrateDatabase({ url: settings.DATABASE_URL, migrations, log });
  });
}
