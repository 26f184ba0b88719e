/** Sends spans to an OTLP receiver. Nothing is loaded if no receiver is set. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';

/** An unavailable receiver delays a stop by at most this long, and is logged at most this often. */
const lastSendMs = 2000;
const complaintsMs = 60_000;

export interface Tracing {
  /** Sends the remaining spans. */
  stop: () => Promise<void>;
}

export async function startTracing(
  service: 'parley-api' | 'parley-worker',
  settings: Pick<
    Config,
    'OTEL_EXPORTER_OTLP_ENDPOINT' | 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG'
  >,
  log: Logger,
): Promise<Tracing | undefined> {
  const { OTEL_EXPORTER_OTLP_ENDPOINT: endpoint, OTEL_EXPORTER_OTLP_HEADERS: headers } = settings;
  if (endpoint === undefined) return undefined;
  let complained = 0;
  const { exportSpans } = await import('./export-spans.ts');
  const exporting = exportSpans({
    service,
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    headers,
    ratio: settings.OTEL_TRACES_SAMPLER_ARG,
    complain: (words) => {
      if (Date.now() - complained < complaintsMs) return;
      complained = Date.now();
      log.warn({ reason: words }, 'spans are lost');
    },
  });
  return {
    stop: async () => {
      await Promise.race([exporting.shutdown().catch(() => undefined), sleep(lastSendMs)]);
    },
  };
}
