import { z } from 'zod';
import { defineEndpoint } from '../../endpoint.ts';
import { erase, erasing } from '../../../app/data/erase.ts';

export const deleteConversation = defineEndpoint({
  auth: 'token',
  method: 'delete',
  path: '/conversations/{conversationId}',
  tag: 'Conversations',
  summary: 'Erase a conversation: messages, attachments, deliveries and workflow history',
  description:
    '204: its texts are deleted, and no call finds it. Its workflow histories, which hold identifiers only, are deleted within a minute. The audit log records who erased it and when.',
  params: z.object({ conversationId: z.uuid().describe('Identifier of the conversation') }),
  answers: { 202: erasing, 204: z.undefined() },
  errors: ['not_found'],
  handle: async ({ params, caller }, deps, respond) => {
    const done = await erase(deps, caller, 'conversation', params.conversationId.toLowerCase());
    return done ? respond(204, undefined) : respond(202, { status: 'erasing' });
  },
});
