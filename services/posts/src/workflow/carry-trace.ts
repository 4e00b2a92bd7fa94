import { traceHeader } from '@perch/proto/workflows';
import type { Headers, WorkflowInterceptorsFactory } from '@temporalio/workflow';

/** Hands the trace that a workflow was started with to all that it starts; it is never looked into here. */
export const interceptors: WorkflowInterceptorsFactory = () => {
  let carried: Headers = {};
  const traced = <Input extends { headers: Headers }>(input: Input): Input => ({
    ...input,
    headers: { ...carried, ...input.headers },
  });
  return {
    inbound: [
      {
        execute: (input, next) => {
          const parent = input.headers[traceHeader];
          if (parent) carried = { [traceHeader]: parent };
          return next(input);
        },
      },
    ],
    outbound: [
      {
        scheduleActivity: (input, next) => next(traced(input)),
        scheduleLocalActivity: (input, next) => next(traced(input)),
        startChildWorkflowExecution: (input, next) => next(traced(input)),
        continueAsNew: (input, next) => next(traced(input)),
      },
    ],
  };
};
