import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { components } from './api.ts';
import { ParleyError } from './parley-error.ts';
import { pause } from './retrying-fetch.ts';

/** What a streamed call tells. The last one is `completed` or `failed`. */
export type StreamEvent = components['schemas']['StreamEvent'];

type Body = ReadableStream<Uint8Array> | null;

const betweenMs = 500;

/**
 * Every event once, in order, over as many connections as it takes.
 * @param start sends the message; called again where its connection breaks before the first event
 * @param resume goes on after an event of the message
 * @param patience `cuts` in a row, without an event between them, before it is given up; a connection that says
 *   nothing for `silenceMs` is one that was cut
 * @throws ParleyError where the server refuses, or cannot be reached any more
 */
export async function* chatEvents(
  start: () => Promise<Body>,
  resume: (messageId: string, lastEventId: string) => Promise<Body>,
  { cuts, silenceMs }: { cuts: number; silenceMs: number },
  signal: AbortSignal | undefined,
): AsyncGenerator<StreamEvent, undefined> {
  let messageId: string | undefined;
  let last = '';
  for (let left = cuts; ; left--) {
    try {
      const body = messageId === undefined ? await start() : await resume(messageId, last);
      for await (const { id = last, event, data } of messagesOf(body, silenceMs)) {
        const content: unknown = JSON.parse(data);
        const told: unknown = { id, event, data: content };
        last = id;
        if (!isStreamEvent(told)) continue;
        if (told.event === 'accepted') messageId = told.data.message_id;
        left = cuts;
        yield told;
        if (told.event === 'completed' || told.event === 'failed') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      // A refusal; what was only cut is taken up.
      if (error instanceof ParleyError) throw error;
      if (left <= 0) throw ParleyError.unreachable(error);
    }
    if (left <= 0) throw ParleyError.unreachable(new Error('the stream ended before its last event'));
    await pause(betweenMs, signal);
  }
}

const names: Readonly<Record<StreamEvent['event'], true>> = {
  accepted: true,
  delta: true,
  restart: true,
  tool_call: true,
  transfer: true,
  completed: true,
  failed: true,
};

/** Events of a kind that came later than this client are left out. */
function isStreamEvent(told: unknown): told is StreamEvent {
  return (
    typeof told === 'object' && told !== null && 'event' in told && Object.hasOwn(names, String(told.event))
  );
}

/** Ends with the body, or where it falls silent. @throws where it breaks off */
async function* messagesOf(body: Body, silenceMs: number): AsyncGenerator<EventSourceMessage> {
  if (body === null) return;
  const heard: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => heard.push(event) });
  const decoder = new TextDecoder();
  const reader = body.getReader();
  try {
    for (;;) {
      const timer = setTimeout(() => void reader.cancel().catch(() => undefined), silenceMs);
      const { done, value } = await reader.read().finally(() => {
        clearTimeout(timer);
      });
      if (done) return;
      parser.feed(decoder.decode(value, { stream: true }));
      yield* heard.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
