/** Spans of what this process does. Without tracing each is a call of the work, and OpenTelemetry is not even loaded.
 *  Attributes are ids and numbers; a failed model call also has the sentence and its provider's own words. */
import type { Attributes, Link, SpanContext, SpanKind } from '@opentelemetry/api';
import type * as otelSpans from './otel-spans.ts';

let spans: typeof otelSpans | undefined;

/** From now on. */
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
  /** Epoch ms; now when missing. */
  startMs?: number;
}

/** Part of what is traced now; of what is not traced nothing is. @param work may add to the span what it learns */
export async function inSpan<T>(
  name: string,
  options: SpanOptions,
  work: (note: (attributes: Attributes) => void) => Promise<T>,
): Promise<T> {
  return await (spans === undefined ? work(() => undefined) : spans.inSpan(name, options, work));
}

/** @param parent of another process */
export async function inRemoteSpan<T>(
  name: string,
  options: SpanOptions,
  parent: SpanContext,
  work: () => Promise<T>,
): Promise<T> {
  return await (spans === undefined ? work() : spans.inRemoteSpan(name, options, parent, work));
}

/** A span that is told of when it is over. */
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

/** For what has spans of its own that nobody here reads. */
export function untraced(work: () => void): void {
  if (spans === undefined) work();
  else spans.untraced(work);
}

export function noteOnSpan(attributes: Attributes): void {
  spans?.noteOnSpan(attributes);
}

/** W3C's form of the span that is active, if it is sampled: what another process goes on with. */
export function activeTraceparent(): string | undefined {
  return spans?.activeTraceparent();
}

export function readTraceparent(traceparent: string): SpanContext | undefined {
  return spans?.readTraceparent(traceparent);
}
