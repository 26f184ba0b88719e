/**
 * Sends an operation's response: a body, nothing, lines that are read while they are sent, or events as they happen.
 */
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Request, Response } from 'express';
import { invalidField } from '../contract/errors.ts';
import { stringify } from '../contract/json-text.ts';
import { timestamp } from '../contract/page.ts';
import type { Endpoint, HandlerAnswer, RawCall } from './endpoint.ts';
import { EventStream } from './event-stream.ts';

export const jsonLines = 'application/x-ndjson';

/**
 * Sends the response. For a stream, resolves when it has ended or its reader has disconnected.
 * @throws the error of a source that fails midway; the response is then truncated
 */
export async function sendAnswer(answer: HandlerAnswer, response: Response): Promise<void> {
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
      // A reader that disconnects is not an error.
      if (!(error instanceof Error && 'code' in error && error.code === 'ERR_STREAM_PREMATURE_CLOSE'))
        throw error;
    }
  } else response.type('application/json').send(stringify(answer.body));
}

/**
 * Reads the headers that the operation accepts.
 * @throws PublicError validation_failed if If-Match is not a timestamp, or Idempotency-Key is empty or too long
 */
export function callHeaders(
  request: Request,
  { events, takesIdempotencyKey, takesLastEventId, takesIfMatch }: Endpoint,
): Pick<RawCall, 'wantsEvents' | 'idempotencyKey' | 'lastEventId' | 'ifMatch'> {
  const stream = 'text/event-stream';
  return {
    // True only if the caller prefers events. A caller that accepts anything gets a body.
    wantsEvents: events !== undefined && request.accepts(['application/json', stream]) === stream,
    idempotencyKey: takesIdempotencyKey && keyFrom(request.get('idempotency-key')),
    lastEventId: takesLastEventId && request.get('last-event-id'),
    ifMatch: takesIfMatch && versionFrom(request.get('if-match')),
  };
}

/** @param header an `updated_at`, with or without the quotes of an entity tag; `*` matches every version */
function versionFrom(header: string | undefined): Date | undefined {
  if (header === undefined || header === '*') return undefined;
  const time = header.replace(/^"(.*)"$/, '$1');
  if (!timestamp.safeParse(time).success) throw invalidField('If-Match', "must be the agent's updated_at");
  return new Date(time);
}

function keyFrom(header: string | undefined): string | undefined {
  if (header === undefined || (header.length > 0 && header.length <= 255)) return header;
  throw invalidField('Idempotency-Key', 'must have 1 to 255 characters');
}
