/** `npm run traces`: receives spans at port 4318 and prints each message's trace when it has ended. */
import { setTimeout as delay } from 'node:timers/promises';
import { drawTrace, startTraceReceiver } from './trace-receiver.ts';

const port = 4318;
/** API and worker send what they have once a second. */
const settleMs = 1500;

const receiver = await startTraceReceiver(port);
console.log(
  `Spans are received at ${receiver.url}. Now: OTEL_EXPORTER_OTLP_ENDPOINT=${receiver.url} npm start`,
);
const printed = new Set<string>();
for (;;) {
  const ended = receiver
    .spans()
    .filter(({ name, traceId }) => name.startsWith('RunWorkflow') && !printed.has(traceId));
  await delay(settleMs);
  for (const { traceId, attributes } of ended) {
    printed.add(traceId);
    const conversation = String(attributes['parley.conversation_id']);
    const trace = receiver.spans().filter((one) => one.traceId === traceId);
    console.log(`\ntrace ${traceId}, conversation ${conversation}\n${drawTrace(trace)}`);
  }
}
