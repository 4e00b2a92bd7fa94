import { fileURLToPath } from 'node:url';
import { DefaultLogger, NativeConnection, Runtime, Worker } from '@temporalio/worker';

// The baseline's worker, a process of its own as posts and accounts are.
Runtime.install({ logger: new DefaultLogger('ERROR') });
const connection = await NativeConnection.connect({ address: process.argv[2] ?? '' });
const worker = await Worker.create({
  connection,
  taskQueue: 'bare',
  workflowsPath: fileURLToPath(new URL('./bare-workflow.ts', import.meta.url)),
  activities: { send: async () => Date.now() },
  maxCachedWorkflows: 1_000,
});
process.send?.('ready');
await worker.run();
