/** Registers OpenTelemetry's SDK, which sends spans to an OTLP receiver; loaded only if one is set. */
import { context, diag, DiagLogLevel, propagation, trace } from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { parseKeyPairsIntoRecord, W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import { resourceFromAttributes } from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  ParentBasedSampler,
  TraceIdRatioBasedSampler,
  TracerProvider,
} from '@opentelemetry/sdk-trace';
import { spanIds } from './span-ids.ts';

const batchMs = 1000;

/** @param options.headers `name=value,…`, as OpenTelemetry writes them; the exporter reads its other settings itself */
export function exportSpans(options: {
  service: string;
  url: string;
  headers: string | undefined;
  ratio: number;
  /** Called when spans could not be sent. */
  complain: (words: string) => void;
}): TracerProvider {
  const exporter = new OTLPTraceExporter({
    url: options.url,
    ...(options.headers !== undefined && { headers: parseKeyPairsIntoRecord(options.headers) }),
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': options.service, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(options.ratio) }),
    idGenerator: spanIds,
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: batchMs })],
  });
  const silent = () => undefined;
  diag.setLogger(
    { error: options.complain, warn: options.complain, info: silent, debug: silent, verbose: silent },
    DiagLogLevel.WARN,
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return provider;
}
