/**
 * Sends server-sent events. Reads the next event only after the last one was sent, so a slow reader holds a
 * connection but no memory. A disconnect does not cancel the run.
 */
import type { Response } from 'express';

export interface ServerEvent {
  /** A reader that sends this id as Last-Event-ID resumes after this event. */
  id?: string;
  /** Absent for the events of OpenAI's chat completions, which have only data. */
  event?: string;
  /** JSON on one line. */
  data: string;
}

const heartbeatMs = 15_000;

export class EventStream {
  readonly status = 200;
  readonly #open: (signal: AbortSignal) => AsyncIterable<ServerEvent>;

  /** @param open returns the events; its signal is aborted when the reader disconnects */
  constructor(open: (signal: AbortSignal) => AsyncIterable<ServerEvent>) {
    this.#open = open;
  }

  /** Resolves at the end of the events, or when the reader has disconnected. */
  async send(response: Response): Promise<void> {
    const gone = new AbortController();
    response.on('close', () => {
      gone.abort();
    });
    // The reader has already disconnected, so no `close` event will follow.
    if (response.destroyed) return;
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
      for await (const { id, event, data } of this.#open(gone.signal)) {
        if (gone.signal.aborted) return;
        const place = id === undefined ? '' : `id: ${id}\n`;
        const kind = event === undefined ? '' : `event: ${event}\n`;
        if (!response.write(`${place}${kind}data: ${data}\n\n`)) await drained(response, gone.signal);
      }
      response.end();
    } finally {
      clearInterval(heartbeat);
    }
  }
}

async function drained(response: Response, gone: AbortSignal): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      response.off('drain', go);
      gone.removeEventListener('abort', go);
      resolve();
    };
    response.on('drain', go);
    gone.addEventListener('abort', go);
    if (gone.aborted || response.destroyed) go();
  });
}
