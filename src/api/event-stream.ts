/**
 * Sends server-sent events. While the write buffer of a slow reader's connection is full, reads no further event from
 * the source, so that events do not pile up in memory. A disconnect does not cancel the run.
 */
import { once } from 'node:events';
import type { Response } from 'express';

export interface ServerEvent {
  /** Id of the event. A reader that sends it as Last-Event-ID resumes after this event. */
  id?: string;
  /** Name of the event; absent in OpenAI's chat completions, whose events have only data. */
  event?: string;
  /** Data of the event: JSON on one line, or `[DONE]` at the end of OpenAI's chat completions. */
  data: string;
}

/**
 * Milliseconds between two comment lines. Without these lines, some proxies close a connection on which nothing is sent
 * for a long time. The HTML standard suggests 15 s:
 * https://html.spec.whatwg.org/multipage/server-sent-events.html#authoring-notes
 */
const heartbeatMs = 15_000;

export class EventStream {
  readonly status = 200;
  readonly #open: (signal: AbortSignal) => AsyncIterable<ServerEvent>;

  /** @param open returns the events; its signal is aborted when the reader disconnects */
  constructor(open: (signal: AbortSignal) => AsyncIterable<ServerEvent>) {
    this.#open = open;
  }

  /**
   * Sends the events. Resolves after the last one, or when the reader has disconnected.
   * @throws the error of the events' source; the response is then not ended
   */
  async send(response: Response): Promise<void> {
    // The reader has already disconnected.
    if (response.destroyed) return;
    const gone = leftOf(response);
    response.writeHead(200, {
      'Content-Type': 'text/event-stream; charset=utf-8',
      // Prevents proxies from storing or buffering the stream.
      'Cache-Control': 'no-store, no-transform',
      'X-Accel-Buffering': 'no',
    });
    response.flushHeaders();
    const heartbeat = setInterval(() => {
      if (!response.writableNeedDrain) response.write(': still here\n\n');
    }, heartbeatMs);
    try {
      for await (const { id, event, data } of this.#open(gone)) {
        if (gone.aborted) return;
        const place = id === undefined ? '' : `id: ${id}\n`;
        const kind = event === undefined ? '' : `event: ${event}\n`;
        if (!response.write(`${place}${kind}data: ${data}\n\n`))
          await once(response, 'drain', { signal: gone }).catch(() => undefined);
      }
      response.end();
    } finally {
      clearInterval(heartbeat);
    }
  }
}

/** @returns a signal that is aborted when the caller disconnects or the response ends */
export function leftOf(response: Response): AbortSignal {
  const left = new AbortController();
  response.once('close', () => {
    left.abort();
  });
  // The caller has already disconnected, so no `close` event will follow.
  if (response.destroyed) left.abort();
  return left.signal;
}
