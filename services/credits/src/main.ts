import { systemClock as clock } from '@perch/proto/clock';
import { creditsRouter } from '@perch/proto/credits';
import { openDatabase } from '@perch/proto/database';
import { openNats, serve } from '@perch/proto/nats';
import { createLogger, runProcess } from '@perch/proto/process';
import { readConfig } from './config.ts';
import { createCredits } from './credits.ts';
import { Entry, Hold, Wallet } from './ledger.ts';
import { migrations } from './migrations.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const log = createLogger('credits', config.logLevel);
  const db = await openDatabase({
    url: config.databaseUrl,
    entities: [Wallet, Hold, Entry],
    migrations,
    poolSize: config.databasePool,
    migrate: config.migrateAtStart,
    log,
  });
  const nats = await openNats({ url: config.natsUrl, name: 'credits', log });
  const router = creditsRouter(createCredits({ db, clock }));
  const server = serve(nats, { service: 'credits', router, log });
  return {
    stopTimeoutMs: config.stopTimeoutMs,
    stop: async () => {
      await server.drain();
      await nats.close();
      await db.close();
    },
  };
});
