import type { Context } from '@opentelemetry/api';
import { defaultPayloadConverter, type Headers } from '@temporalio/common';
import { placeOf, traceparent } from './tracing.ts';
import { traceHeader } from './workflows.ts';

/** The headers with the running trace, for a workflow that is being started. */
export function tracedHeaders(headers: Headers): Headers {
  const parent = traceparent();
  if (parent === null) return headers;
  return { ...headers, [traceHeader]: defaultPayloadConverter.toPayload(parent) };
}

/** The place in a trace that a workflow was started from, as its headers tell it to an activity. */
export function headersPlace(headers: Headers): Context {
  const payload = headers[traceHeader];
  const parent: unknown = payload && defaultPayloadConverter.fromPayload(payload);
  return placeOf(typeof parent === 'string' ? parent : null);
}
