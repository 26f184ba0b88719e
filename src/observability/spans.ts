/** Spans of what this process does. Without tracing each is a call of the work, and no more. Attributes are ids and numbers. */
import {
  context,
  ROOT_CONTEXT,
  SpanKind,
  SpanStatusCode,
  trace,
  TraceFlags,
  type Attributes,
  type Context,
  type Link,
  type Span,
  type SpanContext,
} from '@opentelemetry/api';
import { parseTraceParent, suppressTracing } from '@opentelemetry/core';

const tracer = trace.getTracer('parley');
let on = false;

export function tracingIsOn(): void {
  on = true;
}
export function isTracing(): boolean {
  return on;
}

export interface SpanOptions {
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
  links?: Link[];
  /** Epoch ms; now when missing. */
  startMs?: number;
}

/** Part of what is traced now; of what is not traced nothing is. @param work may add to the span what it learns */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  if (!on || trace.getActiveSpan() === undefined) return await work(() => undefined);
  return await runIn(beginSpan(name, options, context.active()), context.active(), work);
}

/** @param parent of another process */
export async function inRemoteSpan<T>(
  name: string,
  options: SpanOptions,
  parent: SpanContext,
  work: () => Promise<T>,
): Promise<T> {
  const around = trace.setSpanContext(ROOT_CONTEXT, parent);
  return await runIn(beginSpan(name, options, around), around, work);
}

/** A span that is told of when it is over. */
export function tellSpan(name: string, options: SpanOptions & { endMs: number }, parent: SpanContext): void {
  beginSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent)).end(options.endMs);
}

export interface RequestSpan {
  traceId: string;
  within: (work: () => void) => void;
  end: (name: string, attributes: Attributes, failed: boolean) => void;
}

/** The first span of a trace. */
export function beginRequestSpan(name: string, traceparent: string | undefined): RequestSpan {
  const caller = traceparent === undefined ? null : parseTraceParent(traceparent);
  // A trace of our own: whoever calls does not decide what is sampled. Theirs is linked.
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

/** For what has spans of its own that nobody here reads. */
export function untraced(work: () => void): void {
  context.with(suppressTracing(context.active()), work);
}

export function noteOnSpan(attributes: Attributes): void {
  if (on) trace.getActiveSpan()?.setAttributes(attributes);
}

/** W3C's form of the span that is active, if it is sampled: what another process goes on with. */
export function activeTraceparent(): string | undefined {
  if (!on) return undefined;
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
    // Its kind alone: its words may quote anything.
    const message = error instanceof Error ? error.constructor.name : 'unknown';
    span.setStatus({ code: SpanStatusCode.ERROR, message });
    throw error;
  } finally {
    span.end();
  }
}
