import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';

/** What goes wrong with the next requests of a route. */
export const XFault = z.object({
  /** Such as `POST /2/tweets`. */
  on: z.string(),
  /**
   * `reset-before`: the connection is reset at the headers; `reset-during`: in the middle of the body;
   * `reset-after`: when it is done, instead of the answer. `slow-before`: done late, whether anybody still waits or
   * not; `slow-after`: done at once, answered late. `503-before` and `503-after` say 503, the latter when it is done.
   * `garbled`: done, and answered with half an answer. `401`, `429`: refused. `stale`: a list without anything new.
   */
  kind: z.enum([
    'reset-before',
    'reset-during',
    'reset-after',
    'slow-before',
    'slow-after',
    '503-before',
    '503-after',
    'garbled',
    '401',
    '429',
    'stale',
  ]),
  times: z.number().int().default(1),
  /** How many requests of that route go well first. */
  after: z.number().int().default(0),
  delayMs: z.number().int().default(0),
});
export type XFault = z.infer<typeof XFault>;

/** The fault of a request that is under way. */
export function faultOf(request: FastifyRequest): XFault | null {
  return faults.get(request) ?? null;
}

const faults = new WeakMap<FastifyRequest, XFault>();

/** Makes faults happen; gives what plans them. */
export function injectFaults(app: FastifyInstance): (fault: z.input<typeof XFault>) => void {
  let planned: XFault[] = [];
  app.addHook('onRequest', async (request, reply) => {
    const route = `${request.method} ${request.routeOptions.url}`;
    const fault = planned.find((one) => one.on === route && one.times > 0);
    if (!fault) return;
    if (fault.after > 0) {
      fault.after -= 1;
      return;
    }
    fault.times -= 1;
    faults.set(request, fault);
    if (fault.kind !== 'reset-before') return;
    reply.hijack();
    request.raw.socket.resetAndDestroy();
  });
  app.addHook('preParsing', async (request, _, payload) => {
    if (faultOf(request)?.kind === 'reset-during')
      payload.once('data', () => request.raw.socket.resetAndDestroy());
    return payload;
  });
  app.addHook('preHandler', async (request, reply) => {
    const fault = faultOf(request);
    // A short body may be whole before the reset arrives.
    if (fault?.kind === 'reset-during') return reply.hijack();
    if (fault?.kind === 'slow-before') await setTimeout(fault.delayMs);
    if (fault?.kind === '503-before') return reply.code(503).send({ title: 'Service Unavailable' });
  });
  app.addHook('onSend', async (request, reply, payload) => {
    const fault = faultOf(request);
    if (fault?.kind === 'slow-after') await setTimeout(fault.delayMs);
    if (fault?.kind === 'reset-after') {
      request.raw.socket.resetAndDestroy();
      return '';
    }
    if (fault?.kind === '503-after') {
      reply.code(503);
      return JSON.stringify({ title: 'Service Unavailable', status: 503 });
    }
    if (fault?.kind === 'garbled') return String(payload).slice(0, 9);
    return payload;
  });
  app.post('/control/faults', async (request) => plan(XFault.parse(request.body)));
  const plan = (fault: XFault) => {
    planned = planned.filter((one) => one.times > 0).concat(fault);
    return { planned: planned.length };
  };
  return (fault) => void plan(XFault.parse(fault));
}
