import { once } from 'node:events';
import { systemClock as clock } from '@perch/proto/clock';
import { openDatabase } from '@perch/proto/database';
import { openHealthPort } from '@perch/proto/health-port';
import { startForgetting } from '@perch/proto/idempotency';
import { mediaRouter } from '@perch/proto/media';
import { openNats, serve } from '@perch/proto/nats';
import { createLogger, runProcess } from '@perch/proto/process';
import { internet } from '@perch/proto/public-network';
import { healthOf } from '@perch/proto/rpc';
import { startTracing } from '@perch/proto/tracing-export';
import { startCleanUp } from './clean-up.ts';
import { type Config, readConfig } from './config.ts';
import { MediaEntity } from './entity.ts';
import { createHttp } from './http.ts';
import { createMedia, storageCheck } from './media.ts';
import { migrations } from './migrations.ts';
import { openDirectory } from './storage/directory.ts';
import { openS3 } from './storage/s3.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const log = createLogger('media', config.logLevel);
  const stopTracing = await startTracing('media', process.env);
  const healthPort = await openHealthPort({ ...config.health, log });
  const db = await openDatabase({
    url: config.databaseUrl,
    entities: [MediaEntity],
    migrations,
    poolSize: config.databasePool,
    migrate: config.migrateAtStart,
    log,
  });
  const storage = await openStorage(config);
  const deps = {
    db,
    storage,
    network: internet,
    clock,
    log,
    ownUrl: config.ownUrl,
    secret: config.secret,
  };
  const http = createHttp(deps).listen(config.port, config.host);
  await once(http, 'listening');
  const nats = await openNats({ url: config.natsUrl, name: 'media', log });
  const health = async () =>
    healthOf([...(await db.checks()), nats.check(), await storageCheck(storage)]);
  const router = mediaRouter(createMedia({ ...deps, health }));
  const server = serve(nats, { service: 'media', router, log });
  const stopCleanUp = startCleanUp(deps);
  const stopForgetting = startForgetting(deps);
  healthPort.ready(health);
  return {
    stopTimeoutMs: config.stopTimeoutMs,
    stop: async () => {
      healthPort.stopping();
      stopCleanUp();
      stopForgetting();
      await server.drain();
      http.close();
      http.closeIdleConnections();
      await once(http, 'close');
      await nats.close();
      await db.close();
      await stopTracing();
      await healthPort.close();
    },
  };
});

function openStorage({ storage }: Config) {
  return storage.bucket === undefined ? openDirectory(storage.dir) : openS3(storage);
}
