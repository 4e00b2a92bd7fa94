import { initTRPC, TRPCError } from '@trpc/server';
import { z } from 'zod';
import { Fault, type FaultOnWire, faultOf, faults } from './faults.ts';
import { validationDetails } from './validation.ts';

/** What a procedure knows of the call that it answers. */
export interface Call {
  /** The id of the public request, or of the workflow step, that this call serves. */
  requestId: string;
  /** Aborts when the caller has gone or its deadline has passed. */
  signal: AbortSignal;
  /** The instant after which nobody waits for the answer. */
  deadlineMs: number;
}

const t = initTRPC.context<Call>().create({
  // Stack traces never cross the wire, whatever NODE_ENV says.
  isDev: false,
  errorFormatter: withFault,
});

/** Builds one service's router. */
export const router = t.router;

/** The only kind of procedure: a thrown fault keeps its code, anything else is masked. */
export const procedure = t.procedure.use(async ({ next }) => {
  const result = await next();
  if (!result.ok) throw rpcErrorOf(result.error);
  return result;
});

/** The shape of an error on the wire: the fault that it carries, typed, and nothing of a bug. */
export function withFault<Shape extends { data: object }>(failed: {
  shape: Shape;
  error: TRPCError;
}) {
  const { shape, error } = failed;
  const fault = carriedFault(error);
  const onWire: FaultOnWire = { code: fault.code, details: fault.details };
  return { ...shape, message: fault.message, data: { ...shape.data, fault: onWire } };
}

/** The error of a procedure with the code of the fault that it carries; without one as it was. */
export function rpcErrorOf(error: TRPCError): TRPCError {
  const fault = faultOf(error.cause);
  if (!fault) return error;
  return new TRPCError({ code: faults[fault.code].rpc, message: fault.message, cause: fault });
}

/** The fault that a failed procedure tells its caller; a bug becomes `internal_error` without details. */
function carriedFault(error: TRPCError): Fault {
  const fault = faultOf(error.cause);
  if (fault) return fault;
  if (error.code === 'BAD_REQUEST' && error.cause instanceof z.ZodError) {
    return new Fault('validation_failed', validationDetails(error.cause.issues));
  }
  return new Fault('internal_error');
}

/** Whether a failed procedure failed by a bug of ours, which is worth an error in the log. */
export function isBug(error: TRPCError): boolean {
  return carriedFault(error).code === 'internal_error';
}

/** One thing that a service needs in order to work, looked at just now. */
export const HealthCheck = z.object({
  name: z.string(),
  ok: z.boolean(),
  detail: z.string().describe('What is wrong and what to do; or the figure that was looked at.'),
});
export type HealthCheck = z.infer<typeof HealthCheck>;

/** How a service is; asked by `/readyz` and by `perch doctor`. */
export const Health = z.object({ ok: z.boolean(), checks: z.array(HealthCheck) });
export type Health = z.infer<typeof Health>;

/** How a process is, by what it needs. */
export function healthOf(checks: HealthCheck[]): Health {
  return { ok: checks.every((check) => check.ok), checks };
}
