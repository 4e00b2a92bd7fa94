import { trace } from '@opentelemetry/api';
import { afterEach, expect, test } from 'vitest';
import { traceparent } from './tracing.ts';
import { startTracing } from './tracing-export.ts';

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:9' };
afterEach(() => trace.disable());

const isTraced = async (env: Record<string, string>) => {
  const stop = await startTracing('test', env);
  const traced = trace.getTracer('test').startActiveSpan('step', (span) => {
    const told = traceparent();
    span.end();
    return told !== null && span.isRecording() === false && told.endsWith('-01');
  });
  trace.disable();
  await stop();
  return traced;
};

test('traces are made where an endpoint is named, and nowhere else', async () => {
  expect(await isTraced({})).toBe(false);
  expect(await isTraced({ ...endpoint, OTEL_SDK_DISABLED: 'true' })).toBe(false);
  expect(await isTraced({ ...endpoint, OTEL_TRACES_EXPORTER: 'none' })).toBe(false);
  expect(await isTraced({ ...endpoint, OTEL_TRACES_SAMPLER: 'always_off' })).toBe(false);
  const none = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0' };
  expect(await isTraced({ ...endpoint, ...none })).toBe(false);
  expect(await isTraced(endpoint)).toBe(true);
}, 30_000);

test('a setting that can not be heeded is told at the start', async () => {
  const wrong = { ...endpoint, OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc', OTEL_TRACES_SAMPLER: 'often' };
  await expect(startTracing('test', wrong)).rejects.toThrow(/http\/protobuf[\s\S]*SAMPLER/);
});
