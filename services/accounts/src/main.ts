import { accountsRouter } from '@perch/proto/accounts';
import { accountsOversightRouter } from '@perch/proto/accounts-oversight';
import { createCipher } from '@perch/proto/cipher';
import { connectClients } from '@perch/proto/clients';
import { systemClock as clock } from '@perch/proto/clock';
import { connectionsRouter } from '@perch/proto/connections';
import { openDatabase } from '@perch/proto/database';
import { createFaultPoint } from '@perch/proto/fault-points';
import { openNats, serve } from '@perch/proto/nats';
import { operatorsRouter } from '@perch/proto/operators';
import { createLogger, runProcess } from '@perch/proto/process';
import { startWorkers } from '@perch/proto/temporal-worker';
import { createAccounts } from './accounts.ts';
import { readConfig } from './config.ts';
import { createConnections } from './connections.ts';
import { entities } from './entities.ts';
import { migrations } from './migrations.ts';
import { createOperators } from './operators/operators.ts';
import { createAccountsOversight } from './oversight/oversight.ts';
import { createPlatforms } from './platforms/platforms.ts';
import { createActivities } from './publishing/activities.ts';
import { platformWorkers } from './publishing/workers.ts';

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
    publicUrl: config.platforms.publicUrl,
    platforms: createPlatforms(config.platforms, { db, clock, cipher, log }),
    clock,
    log,
    faultPoint: createFaultPoint(config.faultPointsUrl),
  };
  const worker = startWorkers(config.temporal, log, platformWorkers(createActivities(deps)));
  const routers = {
    accounts: accountsRouter(createAccounts(deps)),
    connections: connectionsRouter(createConnections(deps)),
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
