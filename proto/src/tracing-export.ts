import { context, propagation, trace } from '@opentelemetry/api';
import { z } from 'zod';
import { inTime } from './in-time.ts';
import { parseSettings } from './settings.ts';

// The standard variables; the exporter itself reads those of its endpoint, headers and timeouts.
const Settings = z.object({
  OTEL_SDK_DISABLED: z.stringbool().default(false),
  OTEL_TRACES_EXPORTER: z.enum(['otlp', 'none']).default('otlp'),
  OTEL_EXPORTER_OTLP_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: z.url().optional(),
  OTEL_EXPORTER_OTLP_PROTOCOL: z
    .literal('http/protobuf', { error: 'must be http/protobuf; no other is spoken' })
    .optional(),
  OTEL_SERVICE_NAME: z.string().optional(),
  OTEL_TRACES_SAMPLER: z
    .enum([
      'always_on',
      'always_off',
      'traceidratio',
      'parentbased_always_on',
      'parentbased_always_off',
      'parentbased_traceidratio',
    ])
    .default('parentbased_always_on'),
  OTEL_TRACES_SAMPLER_ARG: z.coerce.number().min(0).max(1).default(1),
  /** How long spans wait for company before they are sent, in ms. */
  OTEL_BSP_SCHEDULE_DELAY: z.coerce.number().int().min(1).default(5_000),
});
type Settings = z.infer<typeof Settings>;

/** For the last spans; a stop as a whole has twelve seconds. */
const flushTimeoutMs = 2_000;

/**
 * Sends this process's traces to the OTLP endpoint that the standard OTEL_* variables name; without one nothing
 * is loaded. Returns what sends the rest and ends it. Throws `SettingsError`.
 */
export async function startTracing(
  service: string,
  env: Readonly<Record<string, string | undefined>>,
): Promise<() => Promise<void>> {
  const settings = parseSettings(Settings, env);
  const endpoint =
    settings.OTEL_EXPORTER_OTLP_TRACES_ENDPOINT ?? settings.OTEL_EXPORTER_OTLP_ENDPOINT;
  const off = settings.OTEL_SDK_DISABLED || settings.OTEL_TRACES_EXPORTER === 'none';
  if (off || endpoint === undefined) return async () => {};
  const [sdk, { OTLPTraceExporter }, resources, { AsyncLocalStorageContextManager }, core] =
    await Promise.all([
      import('@opentelemetry/sdk-trace'),
      import('@opentelemetry/exporter-trace-otlp-proto'),
      import('@opentelemetry/resources'),
      import('@opentelemetry/context-async-hooks'),
      import('@opentelemetry/core'),
    ]);
  const named = resources.resourceFromAttributes({
    'service.name': settings.OTEL_SERVICE_NAME ?? `perch-${service}`,
  });
  // What OTEL_RESOURCE_ATTRIBUTES says of this process.
  const given = resources.detectResources({ detectors: [resources.resourceAttributesEnvDetector] });
  const provider = new sdk.TracerProvider({
    resource: resources.defaultResource().merge(given).merge(named),
    sampler: samplerOf(sdk, settings),
    spanProcessors: [
      new sdk.BatchSpanProcessor({
        exporter: new OTLPTraceExporter(),
        scheduledDelayMillis: settings.OTEL_BSP_SCHEDULE_DELAY,
      }),
    ],
  });
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new core.W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  // A collector that is away must hold up no end.
  return () => inTime(() => provider.shutdown(), flushTimeoutMs).catch(() => undefined);
}

function samplerOf(sdk: typeof import('@opentelemetry/sdk-trace'), settings: Settings) {
  const name = settings.OTEL_TRACES_SAMPLER;
  const ratio = { ratio: settings.OTEL_TRACES_SAMPLER_ARG };
  const root = name.endsWith('always_on')
    ? new sdk.AlwaysOnSampler()
    : name.endsWith('always_off')
      ? new sdk.AlwaysOffSampler()
      : new sdk.TraceIdRatioBasedSampler(ratio.ratio);
  return name.startsWith('parentbased_') ? new sdk.ParentBasedSampler({ root }) : root;
}
