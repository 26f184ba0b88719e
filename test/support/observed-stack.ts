/**
 * A stack that is watched as in production: metrics, traces and a language model behind HTTP. One for all files that
 * need it.
 */
import { freePort } from '../../src/local/ports.ts';
import { startTraceReceiver, type TraceReceiver } from './trace-receiver.ts';
import { beforeBackingStops } from './backing.ts';
import { startChannelStand, type ChannelStand } from './channel-stand.ts';
import { startModelServer, type ModelServer } from './model-server.ts';
import { modelSettings } from './model-stack.ts';
import { shareStack, type Stack } from './stack.ts';

export type ObservedStack = Stack & {
  /** With channels. Its calls are those of the first organization. */
  stand: ChannelStand;
  model: ModelServer;
  traces: TraceReceiver;
  /** The answers of each process on its private port. */
  scrape: (process: 'api' | 'worker') => Promise<string>;
};

async function start(): Promise<ObservedStack> {
  const [model, traces] = await Promise.all([startModelServer(), startTraceReceiver()]);
  const ports = { api: await freePort(), worker: await freePort() };
  const env = {
    ...modelSettings,
    MODEL_BASE_URL: model.baseUrl,
    OTEL_EXPORTER_OTLP_ENDPOINT: traces.url,
    OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=tested',
    LOG_LEVEL: 'debug',
    METRICS_PORT: String(ports.api),
    WORKER_PORT: String(ports.worker),
  };
  const stand = await startChannelStand(env, { apis: 1, workers: 1 });
  beforeBackingStops(async () => {
    await stand.stop();
    await Promise.all([model.close(), traces.close()]);
  });
  const scrape = async (process: 'api' | 'worker') => {
    const response = await fetch(`http://127.0.0.1:${ports[process]}/metrics`);
    if (!response.ok) throw new Error(`the ${process} answered ${response.status}`);
    return await response.text();
  };
  return { ...stand.stack, stand, model, traces, scrape };
}

export const useObservedStack = shareStack(start);
