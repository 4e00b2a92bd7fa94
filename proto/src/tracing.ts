import {
  type Attributes,
  type Context,
  context,
  propagation,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
} from '@opentelemetry/api';
import { faultCodeOf } from './faults.ts';

// Without `startTracing` all of this does nothing, at the cost of a few calls.
const tracer = trace.getTracer('perch');

const kinds = {
  inside: SpanKind.INTERNAL,
  asks: SpanKind.CLIENT,
  answers: SpanKind.SERVER,
  hands_on: SpanKind.PRODUCER,
  takes_up: SpanKind.CONSUMER,
} as const;

/** What a step of a trace is. Attributes are ids and codes; never a text of a post, a token or an address. */
export interface Step {
  name: string;
  /** Whether it asks another process, answers one, hands work on for later, or takes such work up. */
  kind?: keyof typeof kinds;
  attributes?: Attributes;
  /** What it belongs to; unless set, what runs it. */
  parent?: Context;
}

/** Runs `work` as one step of the trace that it belongs to. */
export function inSpan<T>(step: Step, work: (span: Span) => Promise<T>): Promise<T> {
  const { name, kind = 'inside', attributes = {}, parent = context.active() } = step;
  return tracer.startActiveSpan(name, { kind: kinds[kind], attributes }, parent, async (span) => {
    try {
      return await work(span);
    } catch (error) {
      // The code says enough; a message may quote what does not belong in a trace.
      span.setAttribute('error.type', faultCodeOf(error) ?? 'bug');
      span.setStatus({ code: SpanStatusCode.ERROR });
      throw error;
    } finally {
      span.end();
    }
  });
}

/** Starts a trace of its own: whatever a stranger says of his does not decide what we record. */
export function startTrace(name: string): Span {
  return tracer.startSpan(name, { kind: SpanKind.SERVER, root: true });
}

/** Runs `work` inside a span that someone else ends. */
export function within<T>(span: Span, work: () => T): T {
  return context.with(trace.setSpan(context.active(), span), work);
}

/** Says of which post the running step is. */
export function tracePost(postId: string): void {
  trace.getActiveSpan()?.setAttribute('perch.post_id', postId);
}

/** The running trace in W3C's form, to be kept or sent along; null when nothing is traced. */
export function traceparent(): string | null {
  const carrier: Record<string, string> = {};
  propagation.inject(context.active(), carrier);
  return carrier['traceparent'] ?? null;
}

/** The place in a trace that {@link traceparent} told; the running one when there is none. */
export function placeOf(parent: string | null | undefined): Context {
  return parent ? propagation.extract(context.active(), { traceparent: parent }) : context.active();
}

/** The id of the running trace, for log lines. */
export function traceId(): string | undefined {
  return trace.getActiveSpan()?.spanContext().traceId;
}
