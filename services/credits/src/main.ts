import { systemClock as clock } from '@perch/proto/clock';
import { creditsRouter } from '@perch/proto/credits';
import { creditsOversightRouter } from '@perch/proto/credits-oversight';
import { openDatabase } from '@perch/proto/database';
import { openHealthPort } from '@perch/proto/health-port';
import { openNats, serve } from '@perch/proto/nats';
import { createLogger, runProcess } from '@perch/proto/process';
import { healthOf } from '@perch/proto/rpc';
import { startTracing } from '@perch/proto/tracing-export';
import { readConfig } from './config.ts';
import { createCredits, createCreditsOversight } from './credits.ts';
import { Entry, Hold, Wallet } from './ledger.ts';
import { migrations } from './migrations.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const log = createLogger('credits', config.logLevel);
  const stopTracing = await startTracing('credits', process.env);
  const healthPort = await openHealthPort({ ...config.health, log });
  const db = await openDatabase({
    url: config.databaseUrl,
    entities: [Wallet, Hold, Entry],
    migrations,
    poolSize: config.databasePool,
    migrate: config.migrateAtStart,
    log,
  });
  const nats = await openNats({ url: config.natsUrl, name: 'credits', log });
  const health = async () => healthOf([...(await db.checks()), nats.check()]);
  const deps = { db, clock };
  const servers = [
    serve(nats, {
      service: 'credits',
      router: creditsRouter(createCredits({ ...deps, health })),
      log,
    }),
    serve(nats, {
      service: 'credits-oversight',
      router: creditsOversightRouter(createCreditsOversight(deps)),
      log,
    }),
  ];
  healthPort.ready(health);
  return {
    stopTimeoutMs: config.stopTimeoutMs,
    stop: async () => {
      healthPort.stopping();
      await Promise.all(servers.map((server) => server.drain()));
      await nats.close();
      await db.close();
      await stopTracing();
      await healthPort.close();
    },
  };
});
