import { accountsRouter } from '@perch/proto/accounts';
import { accountsOversightRouter } from '@perch/proto/accounts-oversight';
import { billingRouter } from '@perch/proto/billing';
import { createCipher } from '@perch/proto/cipher';
import { connectClients } from '@perch/proto/clients';
import { systemClock as clock } from '@perch/proto/clock';
import { connectionsRouter } from '@perch/proto/connections';
import { openDatabase } from '@perch/proto/database';
import { createFaultPoint } from '@perch/proto/fault-points';
import { openHealthPort } from '@perch/proto/health-port';
import { identityRouter } from '@perch/proto/identity';
import { openNats, serve } from '@perch/proto/nats';
import { operatorsRouter } from '@perch/proto/operators';
import { createLogger, runProcess } from '@perch/proto/process';
import { requestsRouter } from '@perch/proto/requests';
import { healthOf } from '@perch/proto/rpc';
import { startWorkers } from '@perch/proto/temporal-worker';
import { startTracing } from '@perch/proto/tracing-export';
import { createAccounts } from './accounts.ts';
import { createBilling } from './billing/billing.ts';
import { grantMonth, startMonthlyGrants } from './billing/monthly-grant.ts';
import { readConfig } from './config.ts';
import { createConnections } from './connections.ts';
import { entities } from './entities.ts';
import { startForgetting } from './forgetting.ts';
import { createIdentity } from './identity/identity.ts';
import { startPostOffice } from './mail/post-office.ts';
import { migrations } from './migrations.ts';
import { createOperators } from './operators/operators.ts';
import { createAccountsOversight } from './oversight/oversight.ts';
import { createPlatforms } from './platforms/platforms.ts';
import { createActivities } from './publishing/activities.ts';
import { platformWorkers } from './publishing/workers.ts';
import { createRequests } from './requests/requests.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const { serves, works } = config;
  const log = createLogger('accounts', config.logLevel);
  const stopTracing = await startTracing('accounts', process.env);
  const healthPort = await openHealthPort({ ...config.health, log });
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
  const health = async () =>
    healthOf([...(await db.checks()), nats.check(), ...((await worker?.checks()) ?? [])]);
  const billingDeps = { ...config, ...deps };
  const identityDeps = {
    ...config,
    ...deps,
    // Who can not be granted credits now gets them a little later; nobody is kept out by that.
    onSignedIn: (userId: string) =>
      grantMonth(billingDeps, userId).catch((err: unknown) =>
        log.warn({ err, userId }, 'monthly credits not granted yet'),
      ),
  };
  const routers = {
    accounts: accountsRouter(createAccounts({ ...deps, health })),
    connections: connectionsRouter(createConnections(deps)),
    identity: identityRouter(createIdentity(identityDeps)),
    billing: billingRouter(createBilling(billingDeps)),
    'accounts-oversight': accountsOversightRouter(createAccountsOversight(deps)),
    operators: operatorsRouter(createOperators(deps)),
    requests: requestsRouter(createRequests(deps)),
  };
  const servers = serves
    ? Object.entries(routers).map(([service, router]) => serve(nats, { service, router, log }))
    : [];
  const stopPostOffice = serves ? startPostOffice({ ...config, ...deps }) : null;
  const stopGrants = serves ? startMonthlyGrants(billingDeps) : null;
  const stopForgetting = serves ? startForgetting(identityDeps) : null;
  healthPort.ready(health);
  return {
    ...(worker && { ended: worker.ended }),
    stopTimeoutMs: config.stopTimeoutMs,
    stop: async () => {
      healthPort.stopping();
      stopForgetting?.();
      await Promise.all(servers.map((server) => server.drain()));
      await Promise.all([stopPostOffice?.(), stopGrants?.()]);
      await worker?.stop();
      await nats.close();
      await db.close();
      await stopTracing();
      await healthPort.close();
    },
  };
});
