/** Receives spans: OTLP over HTTP, as JSON. Keeps all, and draws a trace as a tree. */
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { z } from 'zod';
import { until } from './until.ts';

const value = z.union([
  z.strictObject({ stringValue: z.string() }).transform((one) => one.stringValue),
  z.strictObject({ boolValue: z.boolean() }).transform((one) => one.boolValue),
  z.strictObject({ intValue: z.coerce.number() }).transform((one) => one.intValue),
  z.strictObject({ doubleValue: z.number() }).transform((one) => one.doubleValue),
]);
const attributes = z
  .array(z.strictObject({ key: z.string(), value }))
  .default([])
  .transform((all) => Object.fromEntries(all.map((one) => [one.key, one.value])));
const span = z.object({
  traceId: z.string().regex(/^[\da-f]{32}$/),
  spanId: z.string().regex(/^[\da-f]{16}$/),
  parentSpanId: z.string().optional(),
  name: z.string(),
  kind: z.number(),
  startTimeUnixNano: z.coerce.bigint(),
  endTimeUnixNano: z.coerce.bigint(),
  attributes,
  links: z.array(z.object({ traceId: z.string(), spanId: z.string() })).default([]),
  events: z.array(z.unknown()).default([]),
  status: z.object({ code: z.number().optional(), message: z.string().optional() }).default({}),
});
const exported = z.object({
  resourceSpans: z.array(
    z.object({
      resource: z.object({ attributes }),
      scopeSpans: z.array(z.object({ spans: z.array(span) })),
    }),
  ),
});

export type ReceivedSpan = z.output<typeof span> & { service: string };

export type TraceReceiver = {
  url: string;
  spans: () => ReceivedSpan[];
  /** Everything that was sent, as text. */
  raw: () => string;
  /** Waits until a trace has a span of this kind. */
  traceWith: (what: string, fits: (span: ReceivedSpan) => boolean) => Promise<ReceivedSpan[]>;
  close: () => Promise<void>;
};

export async function startTraceReceiver(port = 0): Promise<TraceReceiver> {
  const spans: ReceivedSpan[] = [];
  let raw = '';
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const text = Buffer.concat(chunks).toString('utf8');
      raw += text;
      for (const { resource, scopeSpans } of exported.parse(JSON.parse(text)).resourceSpans) {
        const service = String(resource.attributes['service.name']);
        spans.push(...scopeSpans.flatMap((scope) => scope.spans.map((one) => ({ ...one, service }))));
      }
      response.writeHead(request.url === '/v1/traces' ? 200 : 404, { 'content-type': 'application/json' });
      response.end('{}');
    });
  });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    spans: () => spans,
    raw: () => raw,
    traceWith: async (what, fits) => {
      const found = await until(`a span of ${what}`, () => spans.find(fits));
      return spans.filter(({ traceId }) => traceId === found.traceId);
    },
    close: async () => {
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
    },
  };
}

/** One line a span, children below their parent in the order of their begin. */
export function drawTrace(trace: readonly ReceivedSpan[]): string {
  const ids = new Set(trace.map(({ spanId }) => spanId));
  const begun = trace.toSorted((a, b) => Number(a.startTimeUnixNano - b.startTimeUnixNano));
  const first = begun[0]?.startTimeUnixNano ?? 0n;
  const ms = (nanoseconds: bigint) => (Number(nanoseconds) / 1e6).toFixed(1);
  const draw = (parent: string | undefined, depth: number): string[] =>
    begun
      .filter(({ parentSpanId = '' }) =>
        parent === undefined ? !ids.has(parentSpanId) : parentSpanId === parent,
      )
      .flatMap((one) => [
        `${'  '.repeat(depth)}${one.name}  [${one.service.replace('parley-', '')}]  +${ms(one.startTimeUnixNano - first)} ms, ${ms(
          one.endTimeUnixNano - one.startTimeUnixNano,
        )} ms`,
        ...draw(one.spanId, depth + 1),
      ]);
  return draw(undefined, 0).join('\n');
}
