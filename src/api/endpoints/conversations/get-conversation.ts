import { z } from 'zod';
import { findConversation } from '../../../adapters/postgres/conversations/history.ts';
import { conversation } from '../../../contract/conversations/conversations.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const getConversation = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/conversations/{conversationId}',
  tag: 'Conversations',
  summary: 'Read a conversation',
  description: 'Its current agent and its contact. A separate operation lists its messages.',
  params: z.object({ conversationId: z.uuid().describe('Identifier of the conversation') }),
  answers: { 200: conversation },
  errors: ['not_found'],
  handle: async ({ params, caller: { organizationId } }, { db }, respond) => {
    const found = await findConversation(db, organizationId, params.conversationId);
    if (found === undefined) throw new PublicError('not_found');
    return respond(200, found);
  },
});
