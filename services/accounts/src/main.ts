import { accountsRouter } from '@perch/proto/accounts';
import { accountsOversightRouter } from '@perch/proto/accounts-oversight';
import { createCipher } from '@perch/proto/cipher';
import { connectClients } from '@perch/proto/clients';
import { systemClock as clock } from '@perch/proto/clock';
import { openDatabase } from '@perch/proto/database';
import { createFaultPoint } from '@perch/proto/fault-points';
import { openNats, serve } from '@perch/proto/nats';
import { operatorsRouter } from '@perch/proto/operators';
import { createLogger, runProcess } from '@perch/proto/process';
import { startWorker } from '@perch/proto/temporal-worker';
import { taskQueues } from '@perch/proto/workflows';
import { createAccounts } from './accounts.ts';
import { readConfig } from './config.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations.ts';
import { createOperators } from './operators/operators.ts';
import { createAccountsOversight } from './oversight/oversight.ts';
import { createPlatforms } from './platforms/platforms.ts';
import { createActivities } from './publishing/activities.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const log = createLogger('accounts', config.logLevel);
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
    platforms: createPlatforms(config.platforms, { db, clock, cipher, log }),
    clock,
    log,
    faultPoint: createFaultPoint(config.faultPointsUrl),
  };
  const worker = startWorker(config.temporal, log, {
    taskQueue: taskQueues.platforms,
    activities: { ...createActivities(deps) },
    maxConcurrentActivityTaskExecutions: 100,
    // A waiting poller takes a task straight from the server's hand; else the task goes through its database.
    activityTaskPollerBehavior: { type: 'autoscaling', initial: 10, minimum: 5, maximum: 50 },
    shutdownGraceTime: '8s',
  });
  const routers = {
    accounts: accountsRouter(createAccounts(deps)),
    'accounts-oversight': accountsOversightRouter(createAccountsOversight(deps)),
    operators: operatorsRouter(createOperators(deps)),
  };
  const servers = Object.entries(routers).map(([service, router]) =>
    serve(nats, { service, router, log }),
  );
  return {
    ended: worker.ended,
    stop: async () => {
      await Promise.all(servers.map((server) => server.drain()));
      await worker.stop();
      await nats.close();
      await db.close();
    },
  };
});
