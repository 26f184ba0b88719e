/**
 * Defines counters, gauges and histograms for GET /metrics. A label must have few values, all of which the code knows:
 * never an id or a name that a user chose.
 */
import { collectDefaultMetrics, Counter, Gauge, Histogram, Registry } from 'prom-client';

const registry = new Registry();
const registers = [registry];

type Labels = Readonly<Record<string, readonly string[]>>;
type LabelsOf<L extends Labels> = { [K in keyof L]: L[K][number] };

/**
 * Defines a counter.
 * @param labels all values of each label. Every combination starts at zero, so that `rate()` in Prometheus includes
 * the first increment.
 * @returns a function that adds `by`, 1 by default, to the counter with the given labels
 */
export function counter<const L extends Labels>(
  name: `parley_${string}_total`,
  help: string,
  labels: L,
): (values: LabelsOf<L>, by?: number) => void {
  const metric = new Counter({ name, help, labelNames: Object.keys(labels), registers });
  for (const values of combinations(labels)) metric.inc(values, 0);
  return metric.inc.bind(metric);
}

/**
 * Defines a histogram.
 * @param buckets upper bounds in seconds
 * @returns a function that records one duration in seconds
 */
export function histogram<const K extends string = never>(
  name: `parley_${string}_seconds`,
  help: string,
  buckets: number[],
  labelNames: readonly K[] = [],
): (values: Record<K, string>, seconds: number) => void {
  const metric = new Histogram<string>({ name, help, buckets, labelNames: [...labelNames], registers });
  return metric.observe.bind(metric);
}

export interface Reading {
  labels?: Record<string, string>;
  value: number;
}

/**
 * Defines a gauge.
 * @param read returns the values; called at each scrape. If it fails, a gauge with labels has no values, and a gauge
 * without labels is 0.
 */
export function gauge(
  name: `parley_${string}`,
  help: string,
  labelNames: string[],
  read: () => Reading[] | Promise<Reading[]>,
): void {
  const metric = new Gauge({
    name,
    help,
    labelNames,
    registers,
    collect: async () => {
      const readings = await Promise.resolve()
        .then(read)
        .catch(() => []);
      metric.reset();
      for (const { labels = {}, value } of readings) metric.set(labels, value);
    },
  });
}

export interface MetricsText {
  contentType: string;
  text: string;
}

/** Adds metrics of Node and the process. Must be called only once. @returns a function that returns all metrics */
export function startMetrics(): () => Promise<MetricsText> {
  collectDefaultMetrics({ register: registry });
  // Removes gauges whose names promtool refuses, because only the names of counters may end in _total. The metrics of
  // the same names without _total report the same numbers by type.
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
