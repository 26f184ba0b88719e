import { listConversations as findConversations } from '../../../adapters/postgres/conversations/history.ts';
import { conversation, conversationsQuery } from '../../../contract/conversations/conversations.ts';
import { pageOf } from '../../../contract/page.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listConversations = defineEndpoint({
  auth: 'token',
  method: 'get',
  path: '/conversations',
  tag: 'Conversations',
  summary: 'List conversations, newest first',
  description: 'A filter that matches nothing in your organization returns an empty list.',
  query: conversationsQuery,
  answers: { 200: pageOf(conversation) },
  handle: async ({ query, caller: { organizationId } }, { db }, respond) =>
    respond(200, await findConversations(db, organizationId, query)),
});
