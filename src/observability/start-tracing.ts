/**
 * Registers OpenTelemetry's SDK, which sends spans to an OTLP receiver. This file is loaded only if
 * OTEL_EXPORTER_OTLP_ENDPOINT is set.
 */
import { setTimeout as sleep } from 'node:timers/promises';
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
import type { Config } from '../config.ts';
import type { Logger } from '../log.ts';
import { spanIds } from './span-ids.ts';

const batchMs = 1000;
/** Maximum milliseconds for which a stopping process waits for its last spans to be sent. Chosen. */
const lastSendMs = 2000;
const complaintsMs = 60_000;

/**
 * Starts tracing. If spans are lost, logs a warning, at most once in `complaintsMs`.
 * @returns a function that stops tracing. It sends the remaining spans, waits at most `lastSendMs` for this, and never
 * rejects.
 */
export function startTracing(
  service: 'parley-api' | 'parley-worker',
  endpoint: string,
  settings: Pick<Config, 'OTEL_EXPORTER_OTLP_HEADERS' | 'OTEL_TRACES_SAMPLER_ARG'>,
  log: Logger,
): () => Promise<void> {
  const { OTEL_EXPORTER_OTLP_HEADERS: headers, OTEL_TRACES_SAMPLER_ARG: ratio } = settings;
  const exporter = new OTLPTraceExporter({
    url: `${endpoint.replace(/\/$/, '')}/v1/traces`,
    // Passed explicitly, because the setting may come from OTEL_EXPORTER_OTLP_HEADERS_FILE, which the exporter does not
    // know. OpenTelemetry defines the form: `name=value,…`.
    ...(headers !== undefined && { headers: parseKeyPairsIntoRecord(headers) }),
  });
  const provider = new TracerProvider({
    resource: resourceFromAttributes({ 'service.name': service, 'process.pid': process.pid }),
    sampler: new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) }),
    idGenerator: spanIds,
    spanProcessors: [new BatchSpanProcessor({ exporter, scheduledDelayMillis: batchMs })],
  });
  let complained = 0;
  const complain = (reason: string) => {
    if (Date.now() - complained < complaintsMs) return;
    complained = Date.now();
    log.warn({ reason }, 'spans are lost');
  };
  const silent = () => undefined;
  diag.setLogger(
    { error: complain, warn: complain, info: silent, debug: silent, verbose: silent },
    DiagLogLevel.WARN,
  );
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  propagation.setGlobalPropagator(new W3CTraceContextPropagator());
  trace.setGlobalTracerProvider(provider);
  return async () => {
    await Promise.race([provider.shutdown().catch(() => undefined), sleep(lastSendMs)]);
  };
}
