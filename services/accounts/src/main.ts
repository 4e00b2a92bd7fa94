import { accountsRouter } from '@perch/proto/accounts';
import { createCipher } from '@perch/proto/cipher';
import { connectClients } from '@perch/proto/clients';
import { systemClock as clock } from '@perch/proto/clock';
import { connectionsRouter } from '@perch/proto/connections';
import { openDatabase } from '@perch/proto/database';
import { createFaultPoint } from '@perch/proto/fault-points';
import { openNats, serve } from '@perch/proto/nats';
import { createLogger, runProcess } from '@perch/proto/process';
import { startWorkers } from '@perch/proto/temporal-worker';
import { createAccounts } from './accounts.ts';
import { readConfig } from './config.ts';
import { createConnections } from './connections.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations.ts';
import { createPlatforms } from './platforms/platforms.ts';
import { createActivities } from './publishing/activities.ts';
import { platformWorkers } from './publishing/workers.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const { serves, works } = config;
  const log = createLogger('accounts', config.logLevel);
  const db = await openDatabase({
    url: config.databaseUrl,
    entities,
    migrations,
    poolSize: config.databasePool,
    migrate: config.migrateAtStart,
    log,
  });
  const nats = await openNats({ url: config.natsUrl, name: 'accounts', log });
  const cipher = createCipher(config.tokenKeys);
  const deps = {
    db,
    clients: connectClients(nats),
    cipher,
    publicUrl: config.platforms.publicUrl,
    platforms: createPlatforms(config.platforms, { db, clock, cipher, log }),
    clock,
    log,
    faultPoint: createFaultPoint(config.faultPointsUrl),
  };
  const worker = works
    ? startWorkers(
        config.temporal,
        log,
        platformWorkers(createActivities(deps), config.stopTimeoutMs),
      )
    : null;
  const servers = serves
    ? [
        serve(nats, { service: 'accounts', router: accountsRouter(createAccounts(deps)), log }),
        serve(nats, {
          service: 'connections',
          router: connectionsRouter(createConnections(deps)),
          log,
        }),
      ]
    : [];
  return {
    ...(worker && { ended: worker.ended }),
    stopTimeoutMs: config.stopTimeoutMs,
    stop: async () => {
      await Promise.all(servers.map((server) => server.drain()));
      await worker?.stop();
      await nats.close();
      await db.close();
    },
  };
});
