/**
 * Counters and measurements for GET /metrics. Labels have few values, all known here: never an id, never a name that
 * somebody chose. Without startMetrics nothing is counted, and the library is not even loaded.
 */
import type { Counter, Histogram, Registry } from 'prom-client';
import type * as prometheus from 'prom-client';

type Library = typeof prometheus;

/** Creates the metric of each definition below. */
const definitions: ((library: Library, registry: Registry) => void)[] = [];

type Labels = Readonly<Record<string, readonly string[]>>;
type LabelsOf<L extends Labels> = { [K in keyof L]: L[K][number] };

/** @param labels with all values that each may have: each starts at zero, so that a rate shows the first increment */
export function counter<const L extends Labels>(
  name: `parley_${string}_total`,
  help: string,
  labels: L,
): (values: LabelsOf<L>, by?: number) => void {
  let metric: Counter | undefined;
  definitions.push((library, registry) => {
    metric = new library.Counter({ name, help, labelNames: Object.keys(labels), registers: [registry] });
    for (const values of combinations(labels)) metric.inc(values, 0);
  });
  return (values, by = 1) => {
    metric?.inc(values, by);
  };
}

/** @param buckets upper bounds in seconds */
export function histogram<const K extends string = never>(
  name: `parley_${string}_seconds`,
  help: string,
  buckets: number[],
  labelNames: readonly K[] = [],
): (values: Record<K, string>, seconds: number) => void {
  let metric: Histogram | undefined;
  definitions.push((library, registry) => {
    metric = new library.Histogram({
      name,
      help,
      buckets,
      labelNames: [...labelNames],
      registers: [registry],
    });
  });
  return (values, seconds) => {
    metric?.observe(values, Math.max(0, seconds));
  };
}

export interface Reading {
  labels?: Record<string, string>;
  value: number;
}

/** @param read called at each scrape; if it rejects, the metric is omitted */
export function gauge(
  name: `parley_${string}`,
  help: string,
  labelNames: string[],
  read: () => Reading[] | Promise<Reading[]>,
): void {
  definitions.push((library, registry) => {
    new library.Gauge({
      name,
      help,
      labelNames,
      registers: [registry],
      async collect() {
        const readings = await Promise.resolve()
          .then(read)
          .catch(() => []);
        this.reset();
        for (const { labels = {}, value } of readings) this.set(labels, value);
      },
    });
  });
}

export interface MetricsText {
  contentType: string;
  text: string;
}

/**
 * Starts counting the defined metrics, and those of Node and the operating system. @returns a function that reads
 * them
 */
export async function startMetrics(): Promise<() => Promise<MetricsText>> {
  const library = await import('prom-client');
  const registry = new library.Registry();
  for (const define of definitions) define(library, registry);
  library.collectDefaultMetrics({ register: registry });
  // promtool refuses these gauges, because they have the names of counters. Those without _total report the same
  // by type.
  for (const kind of ['handles', 'requests', 'resources']) {
    registry.removeSingleMetric(`nodejs_active_${kind}_total`);
  }
  return async () => ({ contentType: registry.contentType, text: await registry.metrics() });
}

function combinations(labels: Labels): Record<string, string>[] {
  return Object.entries(labels).reduce<Record<string, string>[]>(
    (all, [name, values]) => all.flatMap((one) => values.map((value) => ({ ...one, [name]: value }))),
    [{}],
  );
}
