import {
  connect,
  headers,
  type Msg,
  type MsgHdrs,
  type NatsConnection,
  RequestError,
  TimeoutError,
} from '@nats-io/transport-node';
import {
  type Context,
  context,
  propagation,
  type TextMapGetter,
  type TextMapSetter,
} from '@opentelemetry/api';
import { TRPCClientError, type TRPCLink } from '@trpc/client';
import {
  type AnyTRPCRouter,
  callTRPCProcedure,
  getTRPCErrorFromUnknown,
  getTRPCErrorShape,
  TRPCError,
} from '@trpc/server';
import { observable } from '@trpc/server/observable';
import { asCall, currentCall } from './current-call.ts';
import { Fault, type FaultOnWire, faultCodeOf, faults } from './faults.ts';
import { newId } from './ids.ts';
import { limits } from './limits.ts';
import { counter, gauge, histogram, secondsSince } from './metrics.ts';
import type { Logger } from './process.ts';
import { type Call, type HealthCheck, isBug } from './rpc.ts';
import { inSpan } from './tracing.ts';

const header = {
  type: 'Perch-Type',
  timeoutMs: 'Perch-Timeout-Ms',
  requestId: 'Perch-Request-Id',
  callId: 'Perch-Call-Id',
} as const;

/** More than our headers ever take. */
const headerRoomBytes = 1_024;

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const askedSeconds = histogram({
  name: 'perch_rpc_asked_seconds',
  help: 'Calls to other services, there and back over NATS, by how they ended: ok or a fault code.',
  labels: ['service', 'procedure', 'code'],
});
const answeredSeconds = histogram({
  name: 'perch_rpc_answered_seconds',
  help: 'Calls that this service answered, by how they ended: ok or a fault code.',
  labels: ['service', 'procedure', 'code'],
});
const reconnects = counter({
  name: 'perch_nats_reconnects_total',
  help: 'How often the connection to NATS was lost and came back.',
});

/** A connection to NATS that knows whether it is up right now. */
export interface Nats {
  connection: NatsConnection;
  /** False between a lost connection and the next one; calls then fail at once. */
  isUp(): boolean;
  /** The same, as a check. */
  check(): HealthCheck;
  /** Lets what is in flight finish, then closes. */
  close(): Promise<void>;
}

/**
 * Connects to `url` (`nats://token@host:port`, several by comma) and keeps reconnecting for ever. The first
 * connection is waited for as long as it takes, or rejects after `firstConnectTimeoutMs`.
 */
export async function openNats(options: {
  url: string;
  name: string;
  log: Logger;
  firstConnectTimeoutMs?: number;
}): Promise<Nats> {
  const { url, name, log, firstConnectTimeoutMs } = options;
  const urls = url.split(',').map((text) => new URL(text.trim()));
  const first = urls[0];
  const token = first && first.password === '' ? decodeURIComponent(first.username) : '';
  const connection = await connect({
    servers: urls.map((server) => server.host),
    name,
    ...(token && { token }),
    ...(first?.password && { user: first.username, pass: decodeURIComponent(first.password) }),
    maxReconnectAttempts: -1,
    reconnectTimeWait: 200,
    reconnectJitter: 100,
    waitOnFirstConnect: firstConnectTimeoutMs === undefined,
    ...(firstConnectTimeoutMs !== undefined && { timeout: firstConnectTimeoutMs }),
    // A stack trace for each request that might fail costs more than the request.
    noAsyncTraces: true,
    pingInterval: 10_000,
    maxPingOut: 2,
  });
  let up = true;
  void (async () => {
    for await (const status of connection.status()) {
      if (status.type === 'disconnect') {
        up = false;
        log.warn('NATS connection lost; reconnecting');
      }
      if (status.type === 'reconnect') {
        up = true;
        reconnects.inc();
        log.info('NATS connection is back');
      }
    }
  })();
  const isUp = () => up && !connection.isClosed() && !connection.isDraining();
  countConnection(connection, isUp);
  return {
    connection,
    isUp,
    check: () => {
      const detail = isUp() ? 'connected' : 'the connection to NATS is lost; look at NATS';
      return { name: 'nats', ok: isUp(), detail };
    },
    close: async () => {
      if (!connection.isClosed()) await connection.drain();
    },
  };
}

function countConnection(connection: NatsConnection, isUp: () => boolean): void {
  gauge({ name: 'perch_nats_up', help: 'Whether this process is connected to NATS.' }, () => [
    { value: Number(isUp()) },
  ]);
  gauge(
    { name: 'perch_nats_round_trip_seconds', help: 'A ping to NATS and back, just now.' },
    async () => (isUp() ? [{ value: (await connection.rtt()) / 1_000 }] : []),
  );
}

/** Runs `work` as one call: what it asks of services carries its request id and what is left of its time. */
export async function withCall<T>(
  options: { requestId: string; timeoutMs: number; signal?: AbortSignal },
  work: (call: Call) => Promise<T>,
): Promise<T> {
  const { requestId, timeoutMs, signal } = options;
  const late = new AbortController();
  const deadline = setTimeout(() => late.abort(deadlinePassed()), timeoutMs);
  const call: Call = {
    requestId,
    deadlineMs: Date.now() + timeoutMs,
    signal: signal ? AbortSignal.any([signal, late.signal]) : late.signal,
  };
  try {
    return await asCall(call, () => work(call));
  } finally {
    clearTimeout(deadline);
  }
}

/**
 * A terminating tRPC link over NATS request/reply. What a failure means for the work asked for:
 *
 * | on the wire | fault | done? | who may ask again |
 * |---|---|---|---|
 * | no responders, not connected, no time left | `service_unavailable` | certainly not | anyone |
 * | no answer in time | `outcome_unknown` | unknown | queries; mutations that are idempotent |
 * | connection closed under way | `outcome_unknown` | unknown | as above |
 * | larger than NATS takes | `payload_too_large` | no | no one |
 * | the caller's signal | `client_closed_request` | unknown; the server is told | – |
 * | too many at once there | `overloaded` | no | anyone, later |
 */
export function natsLink<R extends AnyTRPCRouter>(nats: Nats, service: string): TRPCLink<R> {
  return () =>
    ({ op }) =>
      observable((observer) => {
        const asking = asked(nats, service, op).then(
          (data) => {
            observer.next({ result: { type: 'data', data } });
            observer.complete();
          },
          (cause: unknown) => observer.error(asClientError<R>(cause, op.path)),
        );
        void asking;
      });
}

interface Operation {
  path: string;
  type: string;
  input: unknown;
  signal: AbortSignal | null | undefined;
  context: Record<string, unknown>;
}

async function asked(nats: Nats, service: string, op: Operation): Promise<unknown> {
  const startedMs = performance.now();
  const name = `ask ${service}.${op.path}`;
  const done = (code: string) =>
    askedSeconds.observe({ service, procedure: op.path, code }, secondsSince(startedMs));
  try {
    const data = await inSpan({ name, kind: 'asks' }, () => request(nats, service, op));
    done('ok');
    return data;
  } catch (cause) {
    done(faultCodeOf(cause) ?? 'internal_error');
    throw cause;
  }
}

async function request(nats: Nats, service: string, op: Operation): Promise<unknown> {
  const { connection } = nats;
  const call = currentCall();
  const askedMs =
    typeof op.context['timeoutMs'] === 'number' ? op.context['timeoutMs'] : limits.callTimeoutMs;
  const timeoutMs = Math.floor(Math.min(askedMs, call ? call.deadlineMs - Date.now() : askedMs));
  const signal = eitherOf(op.signal ?? undefined, call?.signal);
  if (signal?.aborted || timeoutMs <= 0) throw notDone(service, 'no time is left for the call');
  if (!nats.isUp()) throw notDone(service, 'not connected to NATS');

  const payload = encoder.encode(JSON.stringify(op.input) ?? '');
  // NATS counts the headers too.
  const limitBytes = (connection.info?.max_payload ?? limits.jsonBodyBytes) - headerRoomBytes;
  if (payload.byteLength > limitBytes) throw tooLarge(payload.byteLength, limitBytes);

  const callId = nextCallId();
  const head = headers();
  head.set(header.type, op.type);
  head.set(header.timeoutMs, String(timeoutMs));
  head.set(header.requestId, call?.requestId ?? newId('request', Date.now));
  head.set(header.callId, callId);
  propagation.inject(context.active(), head, headerSetter);

  const answer = connection.request(`rpc.${service}.${op.path}`, payload, {
    timeout: timeoutMs,
    headers: head,
  });
  const message = await withAbort(answer, signal, () => {
    // While the connection drains it takes no more; the server then finds out by the deadline.
    if (nats.isUp()) connection.publish(`cancel.${service}`, encoder.encode(callId));
  }).catch((cause: unknown) => {
    throw transportFault(cause, service);
  });
  return unwrap(message, op.path);
}

function eitherOf(
  one: AbortSignal | undefined,
  other: AbortSignal | undefined,
): AbortSignal | undefined {
  return one && other ? AbortSignal.any([one, other]) : (one ?? other);
}

const processId = crypto.randomUUID();
let callsMade = 0;

/** Unique among all processes, and cheap. */
function nextCallId(): string {
  callsMade += 1;
  return `${processId}.${callsMade}`;
}

/** Settles as `answer`, or as an abort when the signal fires first; then also tells the server. */
async function withAbort(
  answer: Promise<Msg>,
  signal: AbortSignal | undefined,
  onAbort: () => void,
): Promise<Msg> {
  if (!signal) return answer;
  let stop = () => {};
  const aborted = new Promise<never>((_, reject) => {
    stop = () => {
      const late = signal.reason instanceof Error && signal.reason.name === 'TimeoutError';
      reject(new Fault(late ? 'outcome_unknown' : 'client_closed_request'));
      onAbort();
    };
    signal.addEventListener('abort', stop, { once: true });
  });
  try {
    return await Promise.race([answer, aborted]);
  } finally {
    signal.removeEventListener('abort', stop);
    // When the abort won, the late answer is nobody's.
    answer.catch(() => undefined);
  }
}

function unwrap(message: Msg, path: string): unknown {
  const envelope: unknown = JSON.parse(decoder.decode(message.data));
  if (typeof envelope === 'object' && envelope !== null) {
    if ('error' in envelope) throw new WireError(envelope.error);
    if ('result' in envelope && typeof envelope.result === 'object' && envelope.result !== null) {
      return 'data' in envelope.result ? envelope.result.data : undefined;
    }
  }
  throw new Error(`answer to ${path} is no tRPC envelope`);
}

/** A tRPC error shape as it came over the wire. */
class WireError extends Error {
  readonly shape: unknown;
  /** Where a tRPC error has its fault. */
  readonly data: unknown;
  constructor(shape: unknown) {
    super('failed on the other side');
    this.shape = shape;
    this.data = typeof shape === 'object' && shape !== null && 'data' in shape ? shape.data : null;
  }
}

function transportFault(cause: unknown, service: string): Fault {
  if (cause instanceof Fault) return cause;
  if (cause instanceof RequestError && cause.isNoResponders()) {
    return notDone(service, 'nobody serves it right now');
  }
  const why =
    cause instanceof TimeoutError ? 'gave no answer in time' : 'went away during the call';
  return new Fault('outcome_unknown', { service, detail: `${service} ${why}` }, { cause });
}

function notDone(service: string, why: string): Fault {
  return new Fault('service_unavailable', { service, detail: `${service}: ${why}` });
}

function tooLarge(bytes: number, limitBytes: number): Fault {
  const detail = `${bytes} bytes between services, where ${limitBytes} are allowed`;
  return new Fault('payload_too_large', { bytes, limit_bytes: limitBytes, detail });
}

function asClientError<R extends AnyTRPCRouter>(cause: unknown, path: string): TRPCClientError<R> {
  const shape = cause instanceof WireError ? cause.shape : localShape(cause, path);
  // The shape is what our own error formatter wrote, on this side or the other.
  const error = { error: shape } as Parameters<typeof TRPCClientError.from<R>>[0];
  return TRPCClientError.from<R>(error, cause instanceof Error ? { cause } : {});
}

function localShape(cause: unknown, path: string) {
  const fault = cause instanceof Fault ? cause : new Fault('internal_error');
  const onWire: FaultOnWire = { code: fault.code, details: fault.details };
  const { rpc, status } = faults[fault.code];
  return {
    code: -32603,
    message: fault.message,
    data: { code: rpc, httpStatus: status, path, fault: onWire },
  };
}

/** What goes back over the wire, and `ok` or the code of the fault that it tells. */
type Answer = [envelope: unknown, code: string];

/** A service being served over NATS. */
export interface Server {
  /** Takes no more calls, answers those in flight, and resolves when the last one is answered. */
  drain(): Promise<void>;
}

/** Answers `rpc.<service>.>` with the router, sharing the calls with the service's other replicas. */
export function serve(
  nats: Nats,
  options: { service: string; router: AnyTRPCRouter; log: Logger; concurrentCalls?: number },
): Server {
  const { connection } = nats;
  const { service, router, log, concurrentCalls = limits.concurrentCalls } = options;
  const inFlight = new Map<string, AbortController>();
  const answers = new Set<Promise<void>>();

  const calls = connection.subscribe(`rpc.${service}.>`, {
    queue: service,
    callback: (error, message) => {
      if (error) return log.error({ err: error }, 'NATS subscription failed');
      const answer = answerTo(message).finally(() => answers.delete(answer));
      answers.add(answer);
    },
  });
  const cancels = connection.subscribe(`cancel.${service}`, {
    callback: (_, message) => inFlight.get(decoder.decode(message.data))?.abort(),
  });

  async function answerTo(message: Msg): Promise<void> {
    const path = message.subject.slice(`rpc.${service}.`.length);
    const startedMs = performance.now();
    try {
      const busy = inFlight.size >= concurrentCalls;
      const [envelope, code] = busy
        ? failure(new Fault('overloaded', { service }), path)
        : await run(message, path);
      respond(message, path, envelope);
      const procedure = Object.hasOwn(router._def.procedures, path) ? path : 'unknown';
      answeredSeconds.observe({ service, procedure, code }, secondsSince(startedMs));
    } catch (err) {
      // The connection closed under the answer; the caller sees a timeout and knows what that means.
      log.warn({ err, path }, 'could not answer a call');
    }
  }

  async function run(message: Msg, path: string): Promise<Answer> {
    const timeoutMs = Number(message.headers?.get(header.timeoutMs)) || limits.callTimeoutMs;
    const callId = message.headers?.get(header.callId) || nextCallId();
    const abort = new AbortController();
    const deadline = setTimeout(() => abort.abort(deadlinePassed()), timeoutMs);
    const call: Call = {
      requestId: message.headers?.get(header.requestId) ?? '',
      signal: abort.signal,
      deadlineMs: Date.now() + timeoutMs,
    };
    inFlight.set(callId, abort);
    try {
      const step = {
        name: `${service}.${path}`,
        kind: 'answers',
        parent: placeOf(message),
      } as const;
      const data = await inSpan(step, () => asCall(call, () => callProcedure(message, path, call)));
      return [{ result: { data } }, 'ok'];
    } catch (cause) {
      return failure(cause, path, call);
    } finally {
      clearTimeout(deadline);
      inFlight.delete(callId);
    }
  }

  function callProcedure(message: Msg, path: string, call: Call): Promise<unknown> {
    const text = decoder.decode(message.data);
    return callTRPCProcedure({
      router,
      path,
      type: message.headers?.get(header.type) === 'mutation' ? 'mutation' : 'query',
      ctx: call,
      getRawInput: async () => (text === '' ? undefined : JSON.parse(text)),
      signal: call.signal,
      batchIndex: 0,
    });
  }

  function failure(cause: unknown, path: string, ctx?: Call): Answer {
    const error = cause instanceof Fault ? rpcErrorOf(cause) : getTRPCErrorFromUnknown(cause);
    if (isBug(error) && error.code === 'INTERNAL_SERVER_ERROR') {
      log.error(
        { err: error.cause ?? error, path, requestId: ctx?.requestId },
        'call failed by a bug',
      );
    }
    const config = router._def._config;
    const shape = getTRPCErrorShape({
      config,
      error,
      type: 'unknown',
      path,
      input: undefined,
      ctx,
    });
    return [{ error: shape }, faultCodeOf(new WireError(shape)) ?? 'internal_error'];
  }

  function respond(message: Msg, path: string, envelope: unknown): void {
    const payload = encoder.encode(JSON.stringify(envelope));
    const limitBytes = connection.info?.max_payload ?? limits.jsonBodyBytes;
    if (payload.byteLength <= limitBytes) message.respond(payload);
    else respond(message, path, failure(tooLarge(payload.byteLength, limitBytes), path)[0]);
  }

  return {
    drain: async () => {
      await calls.drain();
      await Promise.all(answers);
      cancels.unsubscribe();
    },
  };
}

function rpcErrorOf(cause: Fault): TRPCError {
  return new TRPCError({ code: faults[cause.code].rpc, message: cause.message, cause });
}

function deadlinePassed(): DOMException {
  return new DOMException('the deadline of the call has passed', 'TimeoutError');
}

/** The place in a trace that a message was sent from. */
function placeOf(message: Msg): Context {
  const here = context.active();
  return message.headers ? propagation.extract(here, message.headers, headerGetter) : here;
}

const headerSetter: TextMapSetter<MsgHdrs> = { set: (head, key, value) => head.set(key, value) };
const headerGetter: TextMapGetter<MsgHdrs> = {
  get: (head, key) => head.get(key) || undefined,
  keys: (head) => head.keys(),
};
