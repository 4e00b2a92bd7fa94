import { tracedHeaders } from '@perch/proto/temporal-trace';
import type { WorkflowClientInterceptor } from '@temporalio/client';

/** Workflows are started with the trace that starts them; `workflow/carry-trace.ts` hands it to their activities. */
export const traceStarts: WorkflowClientInterceptor = {
  startWithDetails: (input, next) => next({ ...input, headers: tracedHeaders(input.headers) }),
  signalWithStart: (input, next) => next({ ...input, headers: tracedHeaders(input.headers) }),
};
