import { accountsRouter } from '@perch/proto/accounts';
import { createCipher } from '@perch/proto/cipher';
import { connectClients } from '@perch/proto/clients';
import { systemClock as clock } from '@perch/proto/clock';
import { connectionsRouter } from '@perch/proto/connections';
import { openDatabase } from '@perch/proto/database';
import { createFaultPoint } from '@perch/proto/fault-points';
import { openHealthPort } from '@perch/proto/health-port';
import { openNats, serve } from '@perch/proto/nats';
import { createLogger, runProcess } from '@perch/proto/process';
import { healthOf } from '@perch/proto/rpc';
import { startWorkers } from '@perch/proto/temporal-worker';
import { startTracing } from '@perch/proto/tracing-export';
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
  const log = createLogger('accounts', config.logLevel);
  const stopTracing = await startTracing('accounts', process.env);
  const healthPort = await openHealthPort({ ...config.health, log });
  const db = await openDatabase({
    url: config.databaseUrl,
    entities,
    migrations,
    poolSize: config.databasePool,
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
  const worker = startWorkers(config.temporal, log, platformWorkers(createActivities(deps)));
  const health = async () =>
    healthOf([...(await db.checks()), nats.check(), ...(await worker.checks())]);
  const server = serve(nats, {
    service: 'accounts',
    router: accountsRouter(createAccounts({ ...deps, health })),
    log,
  });
  const connections = serve(nats, {
    service: 'connections',
    router: connectionsRouter(createConnections(deps)),
    log,
  });
  healthPort.ready(health);
  return {
    ended: worker.ended,
    stop: async () => {
      healthPort.stopping();
      await Promise.all([server.drain(), connections.drain()]);
      await worker.stop();
      await nats.close();
      await db.close();
      await stopTracing();
      await healthPort.close();
    },
  };
});
