import { setTimeout } from 'node:timers/promises';
import { connectClients } from '@perch/proto/clients';
import { systemClock as clock } from '@perch/proto/clock';
import { openNats } from '@perch/proto/nats';
import { createLogger, runProcess } from '@perch/proto/process';
import { createApp } from './app.ts';
import { readConfig } from './config.ts';

await runProcess(async () => {
  const config = readConfig(process.env);
  const log = createLogger('gateway', config.logLevel);
  const nats = await openNats({ url: config.natsUrl, name: 'gateway', log });
  const draining = new AbortController();
  const app = await createApp({
    clients: connectClients(nats),
    nats,
    log,
    clock,
    draining: draining.signal,
    ...config,
  });
  await app.listen({ port: config.port, host: config.host });
  return {
    stopTimeoutMs: config.stopTimeoutMs,
    stop: async () => {
      draining.abort();
      await setTimeout(config.drainMs);
      await app.close();
      await nats.close();
    },
  };
});
