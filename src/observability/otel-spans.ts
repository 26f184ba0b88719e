/** Implements spans.ts with OpenTelemetry; loaded only if tracing is on. */
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { parseTraceParent, suppressTracing } from '@opentelemetry/core';
import type { RequestSpan, SpanOptions } from './spans.ts';

const tracer = trace.getTracer('parley');
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  if (trace.getActiveSpan() === undefined) return await work(() => undefined);
  return await runIn(beginSpan(name, options, context.active()), context.active(), work);
}

export async function inRemoteSpan<T>(
  name: string,
  options: SpanOptions,
  parent: SpanContext,
  work: () => Promise<T>,
): Promise<T> {
  const around = trace.setSpanContext(ROOT_CONTEXT, parent);
  return await runIn(beginSpan(name, options, around), around, work);
}

export function tellSpan(name: string, options: SpanOptions & { endMs: number }, parent: SpanContext): void {
  beginSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent)).end(options.endMs);
}

export function beginRequestSpan(name: string, traceparent: string | undefined): RequestSpan {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
  // Starts a trace of our own, because a caller must not decide what is sampled, and links the caller's.
  const links = caller === null ? [] : [{ context: caller }];
  const span = beginSpan(name, { kind: 'SERVER', links }, ROOT_CONTEXT);
  return {
    traceId: span.spanContext().traceId,
    within: (work) => {
      context.with(trace.setSpan(ROOT_CONTEXT, span), work);
    },
    end: (finalName, attributes, failed) => {
      span.updateName(finalName).setAttributes(attributes);
      if (failed) span.setStatus({ code: SpanStatusCode.ERROR });
      span.end();
    },
  };
}

export function untraced(work: () => void): void {
  context.with(suppressTracing(context.active()), work);
}

export function noteOnSpan(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

export function activeTraceparent(): string | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  if (active === undefined || (active.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  return `00-${active.traceId}-${active.spanId}-01`;
}

export function readTraceparent(traceparent: string): SpanContext | undefined {
  return parseTraceParent(traceparent) ?? undefined;
}

function beginSpan(name: string, options: SpanOptions, parent: Context): Span {
  const { kind = 'INTERNAL', attributes = {}, links = [], startMs } = options;
  return tracer.startSpan(
    name,
    { kind: SpanKind[kind], attributes, links, ...(startMs !== undefined && { startTime: startMs }) },
    parent,
  );
}

async function runIn<T>(
  span: Span,
  around: Context,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  try {
    return await context.with(trace.setSpan(around, span), work, undefined, (attributes: Attributes) => {
      span.setAttributes(attributes);
    });
  } catch (error) {
    // The error's class only, because its message may quote anything.
    const message = error instanceof Error ? error.constructor.name : 'unknown';
    span.setStatus({ code: SpanStatusCode.ERROR, message });
    throw error;
  } finally {
    span.end();
  }
}
