/** Conversations and deliveries as the console lists and shows them. */
import { z } from 'zod';
import {
  findConversationRow,
  listConversationRows,
} from '../../../adapters/postgres/conversations/conversation-rows.ts';
import {
  endWaiting,
  recordConversationSeen,
  recordInboxRead,
} from '../../../adapters/postgres/conversations/inbox-state.ts';
import { listDeliveryViews as findDeliveryViews } from '../../../adapters/postgres/conversations/delivery-views.ts';
import { timelineEntries } from '../../../adapters/postgres/conversations/timeline-entries.ts';
import { deliveryStatus } from '../../../contract/conversations/conversations.ts';
import {
  conversationsFilter,
  conversationsPage,
  deliveryView,
  seenForm,
  timeline,
  timelineQuery,
} from '../../../contract/conversations/timeline.ts';
import { PublicError } from '../../../contract/errors.ts';
import { pageOf, pageQuery } from '../../../contract/page.ts';
import { conversationWorkflowId } from '../../../contract/workflows.ts';
import { defineEndpoint } from '../../endpoint.ts';

export const listConversations = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/conversations',
  capability: 'conversations.view',
  query: conversationsFilter,
  answers: { 200: conversationsPage },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await listConversationRows(db, person, query)),
});

const ofConversation = { params: z.object({ id: z.uuid() }), errors: ['not_found'] } as const;

export const markSeen = defineEndpoint({
  auth: 'session',
  method: 'put',
  path: '/conversations/{id}/seen',
  capability: 'conversations.view',
  ...ofConversation,
  body: seenForm,
  answers: { 204: z.undefined() },
  handle: async ({ caller: person, params: { id }, body }, { db }, respond) => {
    if (!(await recordConversationSeen(db, person, id, body.messages))) throw new PublicError('not_found');
    return respond(204, undefined);
  },
});

export const markAllSeen = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/conversations/seen',
  capability: 'conversations.view',
  answers: { 204: z.undefined() },
  handle: async ({ caller: person }, { db }, respond) => {
    await recordInboxRead(db, person);
    return respond(204, undefined);
  },
});

/** For a conversation that a human agent has dealt with in another way than by a message in it. */
export const markDone = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/conversations/{id}/done',
  capability: 'conversations.take_over',
  ...ofConversation,
  answers: { 204: z.undefined() },
  handle: async ({ caller: person, params: { id } }, { db }, respond) => {
    const conversation = await findConversationRow(db, person, id);
    if (conversation === undefined) throw new PublicError('not_found');
    await endWaiting(db, conversation.id);
    return respond(204, undefined);
  },
});

export const getTimeline = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/conversations/{id}/timeline',
  capability: 'conversations.view',
  ...ofConversation,
  query: timelineQuery,
  answers: { 200: timeline },
  handle: async ({ caller: person, params: { id }, query }, deps, respond) => {
    const conversation = await findConversationRow(deps.db, person, id);
    if (conversation === undefined) throw new PublicError('not_found');
    const { entries, older } = await timelineEntries(deps.db, conversation.id, deps.fileLinks, query);
    return respond(200, {
      ...{ conversation, entries, older },
      workflow_id: conversationWorkflowId(conversation.id),
    });
  },
});

/** Deliveries for the console, with their agent and conversation. */
export const listDeliveryViews = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/deliveries',
  capability: 'deliveries.view',
  query: pageQuery.extend({ status: deliveryStatus.optional(), agent_id: z.uuid().optional() }),
  answers: { 200: pageOf(deliveryView) },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await findDeliveryViews(db, person.organizationId, query)),
});
