import { connectClients } from '@perch/proto/clients';
import { systemClock as clock } from '@perch/proto/clock';
import { openDatabase } from '@perch/proto/database';
import { createFaultPoint } from '@perch/proto/fault-points';
import { startForgetting } from '@perch/proto/idempotency';
import { openNats, serve } from '@perch/proto/nats';
import { postsRouter } from '@perch/proto/posts';
import { createLogger, runProcess } from '@perch/proto/process';
import { Client, Connection } from '@temporalio/client';
import { createReadAccount } from './account-cache.ts';
import { createArming } from './arming.ts';
import { readConfig } from './config.ts';
import { health } from './health.ts';
import { migrations } from './migrations.ts';
import { PostEntity } from './post.ts';
import { createPosts } from './posts.ts';
import { createActivities } from './workflow/activities.ts';
import { startPostWorker } from './workflow/worker.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const log = createLogger('posts', config.logLevel);
  const db = await openDatabase({
    url: config.databaseUrl,
    entities: [PostEntity],
    migrations,
    poolSize: config.databasePool,
    log,
  });
  const nats = await openNats({ url: config.natsUrl, name: 'posts', log });
  const clients = connectClients(nats);
  const connection = Connection.lazy({ address: config.temporal.address });
  const temporal = new Client({ connection, namespace: config.temporal.namespace });
  const { armAheadMs, policy } = config;
  const arming = createArming({ db, temporal, clock, log, armAheadMs, policy });
  const faultPoint = createFaultPoint(config.faultPointsUrl);
  const activities = createActivities({ db, clients, clock });
  const worker = startPostWorker({ ...config, activities, log });
  const posts = createPosts({
    db,
    clients,
    arming,
    clock,
    readAccount: createReadAccount(clients, clock),
    faultPoint,
    pricing: config.pricing,
    policy,
    log,
    health: () => health({ db, temporal, namespace: config.temporal.namespace, clock }),
  });
  const server = serve(nats, { service: 'posts', router: postsRouter(posts), log });
  arming.start();
  const stopForgetting = startForgetting({ db, clock, log });
  return {
    ended: worker.ended,
    stop: async () => {
      stopForgetting();
      await server.drain();
      await arming.stop();
      await worker.stop();
      await connection.close();
      await nats.close();
      await db.close();
    },
  };
});
