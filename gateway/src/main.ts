import { setTimeout } from 'node:timers/promises';
import { connectClients } from '@perch/proto/clients';
import { systemClock as clock } from '@perch/proto/clock';
import { openHealthPort } from '@perch/proto/health-port';
import { openNats } from '@perch/proto/nats';
import { createLogger, runProcess } from '@perch/proto/process';
import { healthOf } from '@perch/proto/rpc';
import { startTracing } from '@perch/proto/tracing-export';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';
import { createOperatorsServer } from './graphql/server.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const log = createLogger('gateway', config.logLevel);
  const stopTracing = await startTracing('gateway', process.env);
  const healthPort = await openHealthPort({ ...config.health, log });
  const nats = await openNats({ url: config.natsUrl, name: 'gateway', log });
  const clients = connectClients(nats);
  const draining = new AbortController();
  const app = await createApp({
    clients,
    nats,
    log,
    clock,
    draining: draining.signal,
    ...config,
  });
  await app.listen({ port: config.port, host: config.host });
  const { port, host, ...settings } = config.operators;
  const operators = await createOperatorsServer({ clients, log, clock, ...settings });
  if (port !== undefined) await operators.listen({ port, host });
  healthPort.ready(async () => healthOf([nats.check()]));
  return {
    stopTimeoutMs: config.stopTimeoutMs,
    stop: async () => {
      healthPort.stopping();
      draining.abort();
      await setTimeout(config.drainMs);
      await Promise.all([app.close(), operators.close()]);
      await nats.close();
      await stopTracing();
      await healthPort.close();
    },
  };
});
