import { z } from 'zod';
import { findRunOfInput } from '../../../adapters/postgres/conversations/stream-events.ts';
import { invalidField, PublicError } from '../../../contract/errors.ts';
import { streamEvent } from '../../../contract/conversations/stream.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EventStream } from '../../event-stream.ts';
import { followRun, lastId } from '../../conversations/follow-run.ts';

export const followMessage = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/messages/{id}/stream',
  tag: 'Chat',
  summary: 'Go on with the stream of a message',
  description:
    'The events of a streamed call after the one that Last-Event-ID names, or from the beginning. They are kept for ten minutes after the end of the run; later, and for a message that was not sent with Accept: text/event-stream, only the last event comes, as soon as there is an answer. After the last event, with its id as Last-Event-ID: 204, by which an EventSource stops.',
  params: z.object({ id: z.uuid().describe('message_id of the first event: the message that was sent') }),
  takesLastEventId: true,
  events: streamEvent,
  answers: { 204: z.undefined() },
  errors: ['not_found', 'validation_failed'],
  handle: async ({ params, caller: { organizationId }, lastEventId }, deps) => {
    const found = await findRunOfInput(deps.db, organizationId, params.id);
    if (found === undefined) throw new PublicError('not_found');
    if (lastEventId === lastId) return { status: 204, body: undefined };
    const after = lastEventId === undefined ? undefined : numberOf(lastEventId);
    const run = { ...found, organizationId, messageId: params.id };
    return new EventStream((signal) => followRun(deps, run, after, signal));
  },
});

function numberOf(id: string): number {
  if (!/^\d{1,9}$/.test(id)) throw invalidField('Last-Event-ID', 'is not the id of an event');
  return Number(id);
}
