/** An operation's answer on its way: a body, nothing, lines that are read while they are sent, or events as they happen. */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import type { Endpoint } from './endpoint.ts';
import { EventStream } from './event-stream.ts';

export const jsonLines = 'application/x-ndjson';

export async function sendAnswer(
  answer: { status: number; body: unknown } | EventStream,
  response: Response,
): Promise<void> {
  if (answer instanceof EventStream) {
    await answer.send(response);
    return;
  }
  response.status(answer.status);
  if (answer.body === undefined) response.end();
  else if (answer.body instanceof Readable) {
    response.setHeader('Content-Type', jsonLines);
    try {
      await pipeline(answer.body, response);
    } catch (error) {
      // A reader who leaves is none of our faults; any other error ends the answer before its end.
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
        throw error;
    }
  } else response.json(answer.body);
}

/** What the caller's headers say of events, as far as the operation hears them. */
export function eventWishes(
  request: Request,
  { events, takesLastEventId }: Pick<Endpoint, 'events' | 'takesLastEventId'>,
): { wantsEvents: boolean; lastEventId: string | undefined } {
  const stream = 'text/event-stream';
  return {
    // Only where they are preferred to a body in one piece: who takes anything gets that.
    wantsEvents: events !== undefined && request.accepts(['application/json', stream]) === stream,
    lastEventId: takesLastEventId && request.get('last-event-id'),
  };
}
