import { systemClock as clock } from '@perch/proto/clock';
import { creditsRouter } from '@perch/proto/credits';
import { creditsOversightRouter } from '@perch/proto/credits-oversight';
import { openDatabase } from '@perch/proto/database';
import { openNats, serve } from '@perch/proto/nats';
import { createLogger, runProcess } from '@perch/proto/process';
import { readConfig } from './config.ts';
import { createCredits, createCreditsOversight } from './credits.ts';
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
    log,
  });
  const nats = await openNats({ url: config.natsUrl, name: 'credits', log });
  const deps = { db, clock };
  const servers = [
    serve(nats, { service: 'credits', router: creditsRouter(createCredits(deps)), log }),
    serve(nats, {
      service: 'credits-oversight',
      router: creditsOversightRouter(createCreditsOversight(deps)),
      log,
    }),
  ];
  return {
    stop: async () => {
      await Promise.all(servers.map((server) => server.drain()));
      await nats.close();
      await db.close();
    },
  };
});
