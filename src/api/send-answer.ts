/** An operation's answer on its way: a body, nothing, or events as they happen. */
import type { Request, Response } from 'express';
import type { Endpoint } from './endpoint.ts';
import { EventStream } from './event-stream.ts';

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
  else response.json(answer.body);
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
