import { createParser, type EventSourceMessage } from 'eventsource-parser';
import type { components } from './api.ts';
import { ParleyError } from './parley-error.ts';
import { pause } from './retrying-fetch.ts';

/** An event of a streamed call. The last event is `completed` or `failed`. */
export type StreamEvent = components['schemas']['StreamEvent'];

type Body = ReadableStream<Uint8Array> | null;

const betweenMs = 500;

/**
 * Yields each event of a known kind once, in order. Reconnects if a connection breaks, ends before the last event, or
 * delivers no data for `silenceMs`.
 * @param start sends the message; called again if its connection breaks before the event `accepted`
 * @param resume opens a connection that continues after the event `lastEventId`
 * @param patience `cuts`: maximum reconnects in a row that bring no event; `silenceMs`: milliseconds without data
 * after which a connection counts as broken
 * @throws ParleyError if the server refuses a request or can no longer be reached; the signal's reason if it is aborted
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
        const received: unknown = { id, event, data: content };
        last = id;
        if (!isStreamEvent(received)) continue;
        if (received.event === 'accepted') messageId = received.data.message_id;
        left = cuts;
        yield received;
        if (received.event === 'completed' || received.event === 'failed') return;
      }
    } catch (error) {
      signal?.throwIfAborted();
      // A ParleyError is final: the server refused the request, or retryingFetch could not reach the server. Any other
      // error means a broken connection, so this loop reconnects.
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

/** @returns false for a kind of event that this version of the client does not know; `chatEvents` then skips it */
function isStreamEvent(received: unknown): received is StreamEvent {
  return (
    typeof received === 'object' &&
    received !== null &&
    'event' in received &&
    Object.hasOwn(names, String(received.event))
  );
}

/**
 * Yields events until the body ends, or no data arrives for `silenceMs`.
 * @throws the stream's error if the connection breaks
 */
async function* messagesOf(body: Body, silenceMs: number): AsyncGenerator<EventSourceMessage> {
  if (body === null) return;
  const events: EventSourceMessage[] = [];
  const parser = createParser({ onEvent: (event) => events.push(event) });
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
      yield* events.splice(0);
    }
  } finally {
    await reader.cancel().catch(() => undefined);
  }
}
