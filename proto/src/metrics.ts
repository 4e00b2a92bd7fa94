import { Counter, collectDefaultMetrics, Gauge, Histogram, register } from 'prom-client';
import { inTime } from './in-time.ts';

/** What a metric is called, with its unit last, and what it tells. */
export interface Metric<L extends string> {
  name: `perch_${string}`;
  help: string;
  /** Only what has few values: never a user, an account, a post or a text. */
  labels?: readonly L[];
}

/** From a hit in the cache to the longest that a request may take. */
const secondsBuckets = [0.002, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 10, 30];

/** A gauge that can not be read by then is left out of the answer; longer than any check of health takes. */
const readTimeoutMs = 4_000;

/** Counts what happens; shared by all of a process. */
export function counter<L extends string>(metric: Metric<L>): Counter<L> {
  return new Counter({ ...metric, labelNames: metric.labels ?? [] });
}

/** Sorts durations, in seconds; shared by all of a process. */
export function histogram<L extends string>(
  metric: Metric<L> & { buckets?: number[] },
): Histogram<L> {
  const { buckets = secondsBuckets, labels = [] } = metric;
  return new Histogram({ name: metric.name, help: metric.help, labelNames: labels, buckets });
}

/** A value of a gauge under its labels. */
export interface Reading<L extends string> {
  labels?: Record<L, string>;
  value: number;
}

/**
 * A figure that is read when it is asked for. What can not be read is not told: an old figure would lie. Declared
 * again, as tests do, the new one counts.
 */
export function gauge<L extends string>(
  metric: Metric<L>,
  read: () => Reading<L>[] | Promise<Reading<L>[]>,
): void {
  register.removeSingleMetric(metric.name);
  new Gauge<L>({
    name: metric.name,
    help: metric.help,
    labelNames: metric.labels ?? [],
    async collect() {
      this.reset();
      // Without labels a reset leaves a zero, which would be a figure too.
      if (!metric.labels) this.remove();
      const readings = await inTime(read, readTimeoutMs).catch(() => []);
      for (const { labels, value } of readings) {
        if (labels) this.set(labels, value);
        else this.set(value);
      }
    },
  });
}

/** Everything that this process counts, as Prometheus reads it. */
export async function metricsText(): Promise<{ type: string; text: string }> {
  return { type: register.contentType, text: await register.metrics() };
}

/** Adds what Node.js tells of itself: event loop, heap, garbage collection, CPU. Once is enough. */
export function countRuntime(): void {
  if (!register.getSingleMetric('nodejs_eventloop_lag_seconds')) collectDefaultMetrics();
}

/** Seconds since `startedMs` of `performance.now()`. */
export function secondsSince(startedMs: number): number {
  return (performance.now() - startedMs) / 1_000;
}
