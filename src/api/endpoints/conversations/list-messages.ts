import { z } from 'zod';
import {
  findConversation,
  listMessages as findMessages,
} from '../../../adapters/postgres/conversations/history.ts';
import { message, messagesQuery } from '../../../contract/conversations/conversations.ts';
import { PublicError } from '../../../contract/errors.ts';
import { pageOf } from '../../../contract/page.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listMessages = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/conversations/{conversationId}/messages',
  tag: 'Conversations',
  summary: 'Read the messages of a conversation',
  description:
    'The messages with their states. Read it to find an answer whose callback was lost. A cursor stays valid while messages are added.',
  params: z.object({ conversationId: z.uuid().describe('Identifier of the conversation') }),
  query: messagesQuery,
  answers: { 200: pageOf(message) },
  errors: ['not_found'],
  handle: async ({ params, query, caller: { organizationId } }, { db, fileLinks }, respond) => {
    const found = await findConversation(db, organizationId, params.conversationId);
    if (found === undefined) throw new PublicError('not_found');
    return respond(200, await findMessages(db, params.conversationId, query, fileLinks));
  },
});
