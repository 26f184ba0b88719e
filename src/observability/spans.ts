/**
 * Spans of this process's work. Without tracing each span is only a call of the work, and OpenTelemetry is not even
 * loaded. Attributes are ids and numbers; a failed model call also has the error's sentence and its provider's text.
 */
import type { Attributes, Link, SpanContext, SpanKind } from '@opentelemetry/api';
import type * as otelSpans from './otel-spans.ts';

let spans: typeof otelSpans | undefined;

/** Turns tracing on. */
export function traceBy(loaded: typeof otelSpans): void {
  spans = loaded;
}
export function isTracing(): boolean {
  return spans !== undefined;
}

export interface SpanOptions {
  kind?: keyof typeof SpanKind;
  attributes?: Attributes;
  links?: Link[];
  /** Epoch ms; default: now. */
  startMs?: number;
}

/**
 * Runs the work as a child of the current span; without a current span nothing is traced.
 * @param work may add attributes to the span
 */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  return await (spans === undefined ? work(() => undefined) : spans.inSpan(name, options, work));
}

/** @param parent a span of another process */
export async function inRemoteSpan<T>(
  name: string,
  options: SpanOptions,
  parent: SpanContext,
  work: () => Promise<T>,
): Promise<T> {
  return await (spans === undefined ? work() : spans.inRemoteSpan(name, options, parent, work));
}

/** Records a span that has already ended. */
export function tellSpan(name: string, options: SpanOptions & { endMs: number }, parent: SpanContext): void {
  spans?.tellSpan(name, options, parent);
}

export interface RequestSpan {
  traceId: string;
  within: (work: () => void) => void;
  end: (name: string, attributes: Attributes, failed: boolean) => void;
}

/** The first span of a trace. @param traceparent the caller's */
export function beginRequestSpan(name: string, traceparent: string | undefined): RequestSpan | undefined {
  return spans?.beginRequestSpan(name, traceparent);
}

/** Runs work whose own spans nobody needs. */
export function untraced(work: () => void): void {
  if (spans === undefined) work();
  else spans.untraced(work);
}

export function noteOnSpan(attributes: Attributes): void {
  spans?.noteOnSpan(attributes);
}

/**
 * The active span as a W3C traceparent, with which another process continues the trace; undefined unless it is
 * sampled.
 */
export function activeTraceparent(): string | undefined {
  return spans?.activeTraceparent();
}

export function readTraceparent(traceparent: string): SpanContext | undefined {
  return spans?.readTraceparent(traceparent);
}
