import { z } from 'zod';
import { findRunOfInput } from '../../../adapters/postgres/conversations/stream-events.ts';
import { invalidField, orNotFound } from '../../../contract/errors.ts';
import { streamEvent } from '../../../contract/conversations/stream.ts';
import { demandView, idOf } from '../../admit.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { EventStream } from '../../event-stream.ts';
import { followRun, lastId } from '../../conversations/follow-run.ts';

export const followMessage = defineEndpoint({
  auth: 'token',
  scope: 'messages.send',
  agents: 'message',
  request: 'GET /messages/{id}/stream',
  sometimes: '`conversations.view`, unless the same token or person began the conversation',
  tag: 'Chat',
  summary: 'Resume the stream of a message',
  description:
    'Returns the events of a streamed call after the one that Last-Event-ID names, or from the beginning. Events are kept for ten minutes after the end of the run. After that, and for a message that was not sent with Accept: text/event-stream, only the last event is sent, once there is an answer. If Last-Event-ID is the id of the last event, returns 204, at which an EventSource stops. Without the scope conversations.view, a token follows only messages in conversations that it began.',
  params: z.object({
    id: z.uuid().describe("Id of the sent message: message_id of the stream's first event"),
  }),
  takesLastEventId: true,
  events: streamEvent,
  errors: ['validation_failed'],
  handle: async ({ params, caller, lastEventId }, deps) => {
    const { organizationId } = caller;
    const found = orNotFound(await findRunOfInput(deps.db, organizationId, params.id));
    if (found.begunBy !== idOf(caller)) demandView(caller);
    if (lastEventId === lastId) return { status: 204, body: undefined };
    const after = lastEventId === undefined ? undefined : numberOf(lastEventId);
    const { runId, conversationId } = found;
    const run = { runId, conversationId, organizationId, messageId: params.id };
    return new EventStream((signal) => followRun(deps, run, after, signal));
  },
});

/** @throws PublicError validation_failed if no event can have this id */
function numberOf(id: string): number {
  if (!/^\d{1,9}$/.test(id)) throw invalidField('Last-Event-ID', 'is not the id of an event');
  return Number(id);
}
