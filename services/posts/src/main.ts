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
  const log = createLogger('posts', config.logLevel);
  const stopTracing = await startTracing('posts', process.env);
  const healthPort = await openHealthPort({ ...config.health, log });
  const db = await openDatabase({
    url: config.databaseUrl,
    entities: [PostEntity, EndpointEntity, DeliveryEntity],
    migrations,
    poolSize: config.databasePool,
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
  const worker = startPostWorker({ ...config, activities, log });
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
  const server = serve(nats, { service: 'posts', router: postsRouter(createPosts(deps)), log });
  const webhooks = serve(nats, {
    service: 'webhooks',
    router: webhooksRouter(createWebhooks(webhookDeps)),
    log,
  });
  const presets = serve(nats, {
    service: 'presets',
    router: presetsRouter(createPresets({ db, clock })),
    log,
  });
  const oversight = serve(nats, {
    service: 'posts-oversight',
    router: postsOversightRouter(createPostsOversight({ ...deps, temporal, namespace })),
    log,
  });
  countBacklog({ db, clock, armAheadMs, temporal, namespace });
  healthPort.ready(() => health({ db, nats, worker, clock, armAheadMs }));
  const stopReconciler = startReconciler({ db, clients, temporal, namespace, arming, clock, log });
  const stopRelay = startRelay({ db, temporal, log });
  arming.start();
  const stopForgetting = startForgetting({ db, clock, log });
  return {
    ended: worker.ended,
    stop: async () => {
      healthPort.stopping();
      stopForgetting();
      await Promise.all([server, webhooks, presets, oversight].map((one) => one.drain()));
      await Promise.all([stopRelay(), stopReconciler()]);
      await arming.stop();
      await worker.stop();
      await connection.close();
      await nats.close();
      await db.close();
      await stopTracing();
      await healthPort.close();
    },
  };
});
