import { z } from 'zod';
import { eraseConversation, findConversation } from '../../adapters/db/history.ts';
import { PublicError } from '../../contract/errors.ts';
import { defineEndpoint } from '../endpoint.ts';

export const deleteConversation = defineEndpoint({
  method: 'delete',
  path: '/conversations/{id}',
  tag: 'Conversations',
  summary: 'Erase a conversation: messages, attachments, deliveries and workflow history',
  params: z.object({ id: z.uuid() }),
  answers: { 204: z.undefined() },
  errors: ['not_found'],
  handle: async ({ params, organizationId, note }, { db, conversations }, respond) => {
    if ((await findConversation(db, organizationId, params.id)) === undefined)
      throw new PublicError('not_found');
    // The histories first: where Temporal is away nothing is erased, and the call can be repeated.
    try {
      await conversations.workflows.erase(params.id);
    } catch (cause) {
      throw new PublicError('unavailable', {
        sentence: 'Nothing was erased. Try again.',
        retryAfterSeconds: 2,
        cause,
      });
    }
    await eraseConversation(db, organizationId, params.id);
    note('conversation_erased', params.id);
    return respond(204, undefined);
  },
});
