import { createCipher } from '@perch/proto/cipher';
import { connectClients } from '@perch/proto/clients';
import { systemClock as clock } from '@perch/proto/clock';
import { openDatabase } from '@perch/proto/database';
import { createFaultPoint } from '@perch/proto/fault-points';
import { openHealthPort } from '@perch/proto/health-port';
import { startForgetting } from '@perch/proto/idempotency';
import { openNats, serve } from '@perch/proto/nats';
import { postsRouter } from '@perch/proto/posts';
import { postsOversightRouter } from '@perch/proto/posts-oversight';
import { presetsRouter } from '@perch/proto/presets';
import { createLogger, runProcess } from '@perch/proto/process';
import { internet } from '@perch/proto/public-network';
import { startTracing } from '@perch/proto/tracing-export';
import { webhooksRouter } from '@perch/proto/webhooks';
import { Client, Connection } from '@temporalio/client';
import { createReadAccount } from './account-cache.ts';
import { createArming } from './arming.ts';
import { readConfig } from './config.ts';
import { health } from './health.ts';
import { countBacklog } from './metrics.ts';
import { migrations } from './migrations.ts';
import { createPostsOversight } from './oversight/oversight.ts';
import { PostEntity } from './post.ts';
import { createPosts } from './posts.ts';
import { createPresets } from './presets.ts';
import { startReconciler } from './reconciler.ts';
import { traceStarts } from './trace-starts.ts';
import { createWebhookActivities } from './webhooks/deliver.ts';
import { DeliveryEntity, EndpointEntity } from './webhooks/endpoint.ts';
import { startRelay } from './webhooks/relay.ts';
import { createWebhooks } from './webhooks/webhooks.ts';
import { createActivities } from './workflow/activities.ts';
import { startPostWorker } from './workflow/worker.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const { serves, works } = config;
  const log = createLogger('posts', config.logLevel);
  const stopTracing = await startTracing('posts', process.env);
  const healthPort = await openHealthPort({ ...config.health, log });
  const db = await openDatabase({
    url: config.databaseUrl,
    entities: [PostEntity, EndpointEntity, DeliveryEntity],
    migrations,
    poolSize: config.databasePool,
    migrate: config.migrateAtStart,
    log,
  });
  const nats = await openNats({ url: config.natsUrl, name: 'posts', log });
  const clients = connectClients(nats);
  const connection = Connection.lazy({ address: config.temporal.address });
  const { namespace } = config.temporal;
  const temporal = new Client({ connection, namespace, interceptors: { workflow: [traceStarts] } });
  const { armAheadMs, policy } = config;
  const arming = createArming({ db, temporal, clock, log, armAheadMs, policy });
  const faultPoint = createFaultPoint(config.faultPointsUrl);
  const network = { ...internet, loopback: config.webhookLoopback };
  const webhookDeps = { db, network, cipher: createCipher(config.webhookKeys), clock };
  const activities = {
    ...createActivities({ db, clients, clock }),
    ...createWebhookActivities(webhookDeps),
  };
  const worker = works ? startPostWorker({ ...config, activities, log }) : null;
  const deps = {
    db,
    clients,
    arming,
    clock,
    readAccount: createReadAccount(clients, clock),
    faultPoint,
    pricing: config.pricing,
    policy,
    log,
    health: () => health({ db, nats, worker, clock, armAheadMs }),
  };
  const routers = {
    posts: postsRouter(createPosts(deps)),
    webhooks: webhooksRouter(createWebhooks(webhookDeps)),
    presets: presetsRouter(createPresets({ db, clock })),
    'posts-oversight': postsOversightRouter(createPostsOversight({ ...deps, temporal, namespace })),
  };
  const servers = serves
    ? Object.entries(routers).map(([service, router]) => serve(nats, { service, router, log }))
    : [];
  countBacklog({ db, clock, armAheadMs, temporal, namespace });
  healthPort.ready(deps.health);
  const stopReconciler = serves
    ? startReconciler({ db, clients, temporal, namespace, arming, clock, log })
    : null;
  const stopRelay = serves ? startRelay({ db, temporal, log }) : null;
  if (serves) arming.start();
  const stopForgetting = serves ? startForgetting({ db, clock, log }) : null;
  return {
    ...(worker && { ended: worker.ended }),
    stopTimeoutMs: config.stopTimeoutMs,
    stop: async () => {
      healthPort.stopping();
      stopForgetting?.();
      await Promise.all(servers.map((server) => server.drain()));
      await Promise.all([stopRelay?.(), stopReconciler?.()]);
      await arming.stop();
      await worker?.stop();
      await connection.close();
      await nats.close();
      await db.close();
      await stopTracing();
      await healthPort.close();
    },
  };
});
