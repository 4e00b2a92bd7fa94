import { context, propagation, type TextMapPropagator, trace } from '@opentelemetry/api';
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
  traced: procedure.query(() => propagated()),
});

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
  expect(inner?.deadlineMs).toBeLessThanOrEqual((outer?.deadlineMs ?? 0) + 5);
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
  expect((await faultFrom(client.echo.query({ text: '' })))?.code).toBe('overloaded');
  gone.abort();
  await Promise.all(hanging);
});

test('replicas share the calls, and one that drains finishes what it has', async () => {
  const other = await openNats({ url: inject('natsUrl'), name: 'other', log });
  let answered = 0;
  const slowRouter = router({
    echo: procedure.input(anything).query(async ({ input }) => {
      answered += 1;
      await new Promise((resolve) => setTimeout(resolve, 50));
      return input;
    }),
  });
  const replica = serve(other, { service, router: slowRouter, log });
  await other.connection.flush();
  const asked = Array.from({ length: 40 }, (_, n) =>
    client.echo.query({ text: String(n) }, { context: { timeoutMs: 4_000 } }).catch(() => null),
  );
  await expect.poll(() => answered).toBeGreaterThan(0);
  await replica.drain();
  const answers = await Promise.all(asked);
  await other.close();
  expect(calls.length).toBeGreaterThan(0);
  expect(answers.filter(Boolean).length).toBeGreaterThanOrEqual(answered);
});

test('trace context goes along', async () => {
  propagation.setGlobalPropagator(onlyTraceparent);
  contextInside = context
    .active()
    .setValue(key, '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01');
  try {
    expect(await client.traced.query()).toBe(
      '00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01',
    );
  } finally {
    propagation.disable();
    trace.disable();
  }
});

const key = Symbol('traceparent');
let contextInside = context.active();
let extracted = '';

/** As the W3C propagator does, without a tracing SDK: one header, out of the context and into it. */
const onlyTraceparent: TextMapPropagator = {
  inject: (_, carrier, setter) =>
    setter.set(carrier, 'traceparent', String(contextInside.getValue(key))),
  extract: (active, carrier, getter) => {
    extracted = String(getter.get(carrier, 'traceparent'));
    return active.setValue(key, extracted);
  },
  fields: () => ['traceparent'],
};

function propagated(): string {
  return extracted;
}
