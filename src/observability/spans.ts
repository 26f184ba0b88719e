/**
 * Creates spans with OpenTelemetry's API, and stores the ids of the current request or activity for its log lines and
 * its span. Without a registered SDK (start-tracing.ts), records no spans and only runs the work. Attributes are ids,
 * numbers and names, for example the name of a model. Only the span of a failed model call also contains texts: the
 * error message and the provider's message.
 */
import { AsyncLocalStorage } from 'node:async_hooks';
import {
  context,
  propagation,
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

const tracer = trace.getTracer('parley');

export interface SpanOptions {
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
  links?: Link[];
  /** Start of the span (epoch ms); now by default. */
  startMs?: number;
}

/** True if an SDK is registered. If none is, the propagator has no fields. */
export function isTracing(): boolean {
  return propagation.fields().length > 0;
}

/**
 * Runs the work in a child span of the active span. If no span is active, runs the work without a span.
 * @param work receives a function that adds attributes to the span
 * @throws the error of the work; the span records only the error's class
 */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  if (trace.getActiveSpan() === undefined) return await work(() => undefined);
  return await runIn(beginSpan(name, options, context.active()), context.active(), work);
}

/**
 * Runs the work in a child span of `parent`, which may be the span of another process.
 * @throws the error of the work; the span records only the error's class
 */
export async function inRemoteSpan<T>(
  name: string,
  options: SpanOptions,
  parent: SpanContext,
  work: () => Promise<T>,
): Promise<T> {
  const around = trace.setSpanContext(ROOT_CONTEXT, parent);
  return await runIn(beginSpan(name, options, around), around, work);
}

/** Records a span that has already ended, as a child of `parent`. */
export function recordSpan(
  name: string,
  options: SpanOptions & { endMs: number },
  parent: SpanContext,
): void {
  beginSpan(name, options, trace.setSpanContext(ROOT_CONTEXT, parent)).end(options.endMs);
}

export interface RequestSpan {
  traceId: string;
  within: (work: () => void) => void;
  end: (name: string, attributes: Attributes, failed: boolean) => void;
}

/**
 * Starts a root span for a request. The caller's span becomes a link instead of the parent, because a caller must not
 * decide whether the request is sampled.
 * @param traceparent the caller's traceparent header; empty if there is none
 * @returns undefined if tracing is off
 */
export function beginRequestSpan(name: string, traceparent = ''): RequestSpan | undefined {
  if (!isTracing()) return undefined;
  const caller = readTraceparent(traceparent);
  const links = caller === undefined ? [] : [{ context: caller }];
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

/** Runs the work outside of the active span, so that `inSpan` records no spans in it. */
export function untraced(work: () => void): void {
  context.with(ROOT_CONTEXT, work);
}

/**
 * Returns a function that runs work in the span that is active now, even after that span has ended. If no span is
 * active now, the work runs without a span. The function refers only to the span's ids, so that thousands of waiting
 * operations can each have such a function.
 */
export function inThisSpan(): <T>(work: () => Promise<T>) => Promise<T> {
  const active = trace.getActiveSpan()?.spanContext();
  const around = active === undefined ? ROOT_CONTEXT : trace.setSpanContext(ROOT_CONTEXT, active);
  return async (work) => await context.with(around, work);
}

export function setSpanAttributes(attributes: Attributes): void {
  trace.getActiveSpan()?.setAttributes(attributes);
}

/**
 * Returns the active span as a W3C traceparent, with which another process continues the trace; undefined if no span is
 * active, or the active one is not sampled.
 */
export function activeTraceparent(): string | undefined {
  const active = trace.getActiveSpan()?.spanContext();
  if (active === undefined || (active.traceFlags & TraceFlags.SAMPLED) === 0) return undefined;
  return `00-${active.traceId}-${active.spanId}-01`;
}

/** Parses a traceparent. @returns undefined if the text is not a traceparent, or tracing is off */
export function readTraceparent(traceparent: string): SpanContext | undefined {
  return trace.getSpanContext(propagation.extract(ROOT_CONTEXT, { traceparent }));
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
    // Records only the class of the error, because its message may quote a customer's text.
    const message = error instanceof Error ? error.constructor.name : 'unknown';
    span.setStatus({ code: SpanStatusCode.ERROR, message });
    throw error;
  } finally {
    span.end();
  }
}

/** Ids of a request or activity. Each of its log lines contains them. */
export type Ids = Partial<
  Record<
    | 'request_id'
    | 'organization_id'
    | 'conversation_id'
    | 'workflow_id'
    | 'temporal_run_id'
    | 'run_id'
    | 'message_id'
    | 'delivery_id'
    | 'activity'
    | 'trace_id',
    string
  >
>;

const current = new AsyncLocalStorage<Ids>();

/**
 * Runs the work with these ids, which each log line of the work then contains. `addIds` adds further ids to the given
 * object.
 */
export function withIds<T>(ids: Ids, work: () => T): T {
  return current.run(ids, work);
}

/**
 * Adds ids to the active span, and to all later log lines of this request or activity. Does nothing outside of
 * `withIds`.
 */
export function addIds(ids: Ids): void {
  const known = current.getStore();
  if (known === undefined) return;
  Object.assign(known, ids);
  setSpanAttributes(Object.fromEntries(Object.entries(ids).map(([name, id]) => [`parley.${name}`, id])));
}

export function idsForLog(): object {
  return { ...current.getStore() };
}
