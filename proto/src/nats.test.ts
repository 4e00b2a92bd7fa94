import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { context, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { createTRPCClient, type TRPCClient } from '@trpc/client';
import { afterEach, beforeEach, expect, inject, test } from 'vitest';
import { z } from 'zod';
import { Fault, faultOf } from './faults.ts';
import { type Nats, natsLink, openNats, type Server, serve, withCall } from './nats.ts';
import { createLogger, type Logger } from './process.ts';
import { type Call, procedure, router } from './rpc.ts';

// A router of its own on the real NATS, under a name that no other test has.
const service = `test${process.pid}`;
const anything = z.object({ text: z.string() });
let calls: Call[] = [];
let aborted: Promise<void>;
let bugs: unknown[] = [];

const testRouter = router({
  echo: procedure
    .input(anything)
    .output(anything)
    .query(({ input, ctx }) => {
      calls.push(ctx);
      // A little more comes back than was asked.
      return {
        text: input.text.length > 1_000_000 ? `${input.text}${'x'.repeat(2_000)}` : input.text,
      };
    }),
  refuse: procedure.mutation(() => {
    throw new Fault('daily_limit_reached', { limit: 7, used: 7, detail: 'full' });
  }),
  bug: procedure.mutation(() => {
    throw new Error('secret of the database');
  }),
  hang: procedure.query(({ ctx }) => {
    calls.push(ctx);
    aborted = new Promise((resolve) => ctx.signal.addEventListener('abort', () => resolve()));
    return aborted;
  }),
  nested: procedure.output(z.string()).query(async ({ ctx }): Promise<string> => {
    calls.push(ctx);
    return (await inner({ text: 'inner' })).text;
  }),
  traceId: procedure.output(z.string()).query(traceIdHere),
  traceIdInside: procedure.output(z.string()).query((): Promise<string> => client.traceId.query()),
  hangInside: procedure.query(({ ctx }): Promise<null> => {
    calls.push(ctx);
    return client.hang.query(undefined, { signal: new AbortController().signal }).then(() => null);
  }),
});

function traceIdHere(): string {
  return trace.getActiveSpan()?.spanContext().traceId ?? 'none';
}

const inner = (input: z.infer<typeof anything>): Promise<z.infer<typeof anything>> =>
  client.echo.query(input);

const log: Logger = Object.assign(createLogger('test', 'silent'), {
  error: (bug: unknown) => void bugs.push(bug),
});
let nats: Nats;
let server: Server;
let client: TRPCClient<typeof testRouter>;

beforeEach(async () => {
  [calls, bugs] = [[], []];
  nats = await openNats({ url: inject('natsUrl'), name: 'test', log });
  server = serve(nats, { service, router: testRouter, log, concurrentCalls: 5 });
  client = createTRPCClient<typeof testRouter>({ links: [natsLink(nats, service)] });
});
afterEach(async () => {
  await server.drain();
  await nats.close();
});

/** The fault that a call ended with. */
async function faultFrom(call: Promise<unknown>): Promise<Fault | null> {
  return call.then(
    () => null,
    (error: unknown) => faultOf(error),
  );
}

test('an answer comes back as it was given', async () => {
  expect(await client.echo.query({ text: 'grüße 👋' })).toEqual({ text: 'grüße 👋' });
});

test('a fault keeps its code and details', async () => {
  const fault = await faultFrom(client.refuse.mutate());
  expect(fault).toMatchObject({
    code: 'daily_limit_reached',
    details: { limit: 7, used: 7 },
    message: 'full',
  });
});

test('a bug is logged here and masked there, and no stack crosses', async () => {
  const error: Error = await client.bug.mutate().then(
    () => new Error('answered'),
    (cause: Error) => cause,
  );
  expect(faultOf(error)?.code).toBe('internal_error');
  expect(JSON.stringify(error)).not.toMatch(/secret|nats\.test\.ts/);
  expect(bugs).toHaveLength(1);
});

test('bad input names its field', async () => {
  const bad = JSON.parse('{"text":5}');
  const fault = await faultFrom(client.echo.query(bad));
  expect(fault).toMatchObject({
    code: 'validation_failed',
    details: { errors: [{ pointer: '/text' }] },
  });
});

test('nobody there: a prompt service_unavailable, certainly not done', async () => {
  const started = performance.now();
  const nobody = createTRPCClient<typeof testRouter>({
    links: [natsLink(nats, `${service}nobody`)],
  });
  expect((await faultFrom(nobody.echo.query({ text: '' })))?.code).toBe('service_unavailable');
  expect(performance.now() - started).toBeLessThan(1_000);
});

test('no answer in time: outcome_unknown, and the server stops working on it', async () => {
  const slow = client.hang.query(undefined, { context: { timeoutMs: 150 } });
  expect((await faultFrom(slow))?.code).toBe('outcome_unknown');
  await aborted;
  const within = withCall({ requestId: 'r', timeoutMs: 150 }, () => client.hang.query());
  expect((await faultFrom(within))?.code).toBe('outcome_unknown');
});

test('a caller that goes away aborts the work on the other side', async () => {
  const gone = new AbortController();
  const call = faultFrom(client.hang.query(undefined, { signal: gone.signal }));
  await expect.poll(() => calls.length).toBe(1);
  gone.abort();
  expect((await call)?.code).toBe('client_closed_request');
  await aborted;
});

test('what is left of the time and the request id go along, also to calls made inside', async () => {
  await withCall({ requestId: 'req_outer', timeoutMs: 3_000 }, () => client.nested.query());
  const [outer, inner] = calls;
  expect([outer?.requestId, inner?.requestId]).toEqual(['req_outer', 'req_outer']);
  // Not the five seconds that a call has by itself; what travels takes its time.
  expect(inner?.deadlineMs).toBeLessThan((outer?.deadlineMs ?? 0) + 1_000);
  const late = withCall({ requestId: 'r', timeoutMs: 0 }, () => client.echo.query({ text: '' }));
  expect((await faultFrom(late))?.code).toMatch(/service_unavailable|outcome_unknown/);
});

test('what NATS can not carry is payload_too_large, both ways', async () => {
  const huge = { text: 'x'.repeat(1_100_000) };
  expect((await faultFrom(client.echo.query(huge)))?.code).toBe('payload_too_large');
  // Just small enough as a question; the envelope makes the answer too large.
  const brim = { text: 'x'.repeat(1_048_576 - 1_024 - 20) };
  expect((await faultFrom(client.echo.query(brim)))?.code).toBe('payload_too_large');
});

test('too many at once are refused at once', async () => {
  const gone = new AbortController();
  const hanging = Array.from({ length: 5 }, () =>
    faultFrom(client.hang.query(undefined, { signal: gone.signal })),
  );
  await expect.poll(() => calls.length).toBe(5);
  const refused = await client.echo.query({ text: '' }).catch((error: unknown) => error);
  expect(faultOf(refused)?.code).toBe('overloaded');
  expect(refused).toMatchObject({ data: { code: 'TOO_MANY_REQUESTS' } });
  gone.abort();
  await Promise.all(hanging);
});

test('replicas share the calls, and one that drains finishes what it has', async () => {
  const other = await openNats({ url: inject('natsUrl'), name: 'other', log });
  let taken = 0;
  const slowRouter = router({
    echo: procedure.input(anything).query(async ({ input }) => {
      taken += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return { text: `replica ${input.text}` };
    }),
  });
  const replica = serve(other, { service, router: slowRouter, log });
  await other.connection.flush();
  const asked = Promise.allSettled(
    Array.from({ length: 40 }, (_, n) => client.echo.query({ text: String(n) })),
  );
  await expect.poll(() => taken).toBeGreaterThan(0);
  await replica.drain();
  await other.close();
  const answers = (await asked).flatMap((end) =>
    end.status === 'fulfilled' ? [end.value.text] : [],
  );
  expect(answers.filter((text) => text.startsWith('replica '))).toHaveLength(taken);
  expect(calls.length).toBeGreaterThan(0);
  expect(await client.echo.query({ text: 'after' })).toEqual({ text: 'after' });
});

test('trace context goes along, also to calls made inside', async () => {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  const traceId = '0af7651916cd43dd8448eb211c80319c';
  const span = trace.wrapSpanContext({ traceId, spanId: 'b7ad6b7169203331', traceFlags: 1 });
  try {
    const traced = trace.setSpan(context.active(), span);
    expect(await context.with(traced, () => client.traceIdInside.query())).toBe(traceId);
    expect(await client.traceIdInside.query()).not.toBe(traceId);
  } finally {
    propagation.disable();
    context.disable();
  }
});

test('a signal of its own does not cut a call off from the one that it serves', async () => {
  const gone = new AbortController();
  const call = faultFrom(client.hangInside.query(undefined, { signal: gone.signal }));
  await expect.poll(() => calls.length).toBe(2);
  gone.abort();
  expect((await call)?.code).toBe('client_closed_request');
  await aborted;
});

test('a caller that goes away while its connection drains ends cleanly', async () => {
  const leaving = await openNats({ url: inject('natsUrl'), name: 'leaving', log });
  const its = createTRPCClient<typeof testRouter>({ links: [natsLink(leaving, service)] });
  const gone = new AbortController();
  const call = faultFrom(its.hang.query(undefined, { signal: gone.signal }));
  await expect.poll(() => calls.length).toBe(1);
  const closed = leaving.close();
  // Thrown while draining, it would end the process.
  gone.abort();
  expect((await call)?.code).toBe('client_closed_request');
  await closed;
  expect((await faultFrom(its.echo.query({ text: '' })))?.code).toBe('service_unavailable');
});

test('NATS away: what is under way is outcome_unknown, what comes fails at once; then all works again', async () => {
  await using road = await openRoad(inject('natsUrl'));
  const far = await openNats({ url: road.url, name: 'far', log });
  const its = createTRPCClient<typeof testRouter>({ links: [natsLink(far, service)] });
  const underWay = faultFrom(its.hang.query(undefined, { context: { timeoutMs: 500 } }));
  await expect.poll(() => calls.length).toBe(1);
  road.close();
  await expect.poll(() => far.isUp()).toBe(false);
  expect((await faultFrom(its.echo.query({ text: '' })))?.code).toBe('service_unavailable');
  expect((await underWay)?.code).toBe('outcome_unknown');
  await aborted;
  road.open();
  await expect.poll(() => far.isUp()).toBe(true);
  expect(await its.echo.query({ text: 'back' })).toEqual({ text: 'back' });
  await far.close();
});

test('a service whose connection was lost serves again when NATS is back', async () => {
  await using road = await openRoad(inject('natsUrl'));
  const far = await openNats({ url: road.url, name: 'far', log });
  const name = `${service}far`;
  const itsServer = serve(far, { service: name, router: testRouter, log });
  await far.connection.flush();
  const its = createTRPCClient<typeof testRouter>({ links: [natsLink(nats, name)] });
  expect(await its.echo.query({ text: 'before' })).toEqual({ text: 'before' });
  road.close();
  await expect
    .poll(async () => (await faultFrom(its.echo.query({ text: '' })))?.code)
    .toBe('service_unavailable');
  road.open();
  await expect.poll(() => its.echo.query({ text: 'after' }).catch(() => null)).not.toBeNull();
  await itsServer.drain();
  await far.close();
});

test('where nobody answers at all, a first connection with a time limit gives up', async () => {
  const road = await openRoad(inject('natsUrl'));
  await road[Symbol.asyncDispose]();
  const hopeless = openNats({ url: road.url, name: 'far', log, firstConnectTimeoutMs: 1_000 });
  await expect(hopeless).rejects.toThrow();
});

/** A way to NATS that a test can close and open again, as a restart of NATS would. */
async function openRoad(natsUrl: string) {
  const real = new URL(natsUrl);
  const travellers = new Set<Socket>();
  let closed = false;
  const server = createServer((near) => {
    if (closed) return near.destroy();
    const far = connect(Number(real.port), real.hostname);
    for (const socket of [near, far]) {
      travellers.add(socket);
      // The other half ends with it; why does not matter here.
      socket.on('error', () => undefined);
      socket.on('close', () => {
        near.destroy();
        far.destroy();
        travellers.delete(socket);
      });
    }
    near.pipe(far).pipe(near);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const url = new URL(natsUrl);
  url.host = `127.0.0.1:${typeof address === 'object' && address ? address.port : 0}`;
  const close = () => {
    closed = true;
    for (const socket of travellers) socket.destroy();
  };
  return {
    url: url.href,
    close,
    open: () => {
      closed = false;
    },
    [Symbol.asyncDispose]: async () => {
      close();
      const ended = once(server, 'close');
      server.close();
      await ended;
    },
  };
}
