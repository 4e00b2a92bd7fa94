import { mkdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { bundleWorkflowCode } from '@temporalio/worker';

// The build step of this service: workflow code is bundled ahead, so that a start need not.
const { code } = await bundleWorkflowCode({
  workflowsPath: fileURLToPath(new URL('./workflows.ts', import.meta.url)),
  workflowInterceptorModules: [fileURLToPath(new URL('./carry-trace.ts', import.meta.url))],
});
await mkdir(new URL('../../dist/', import.meta.url), { recursive: true });
await writeFile(new URL('../../dist/workflows.js', import.meta.url), code);
