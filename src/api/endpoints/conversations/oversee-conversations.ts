/** Conversations and deliveries as the console lists and shows them. */
import { z } from 'zod';
import {
  findConversationRow,
  listConversationRows,
} from '../../../adapters/postgres/conversations/conversation-rows.ts';
import { listDeliveryViews as findDeliveryViews } from '../../../adapters/postgres/conversations/delivery-views.ts';
import { timelineRuns } from '../../../adapters/postgres/conversations/timeline-runs.ts';
import { deliveryStatus } from '../../../contract/conversations/conversations.ts';
import {
  conversationRow,
  conversationsFilter,
  deliveryView,
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
  answers: { 200: pageOf(conversationRow) },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await listConversationRows(db, person.organizationId, query)),
});

export const getTimeline = defineEndpoint({
  auth: 'session',
  method: 'get',
  path: '/conversations/{id}/timeline',
  capability: 'conversations.view',
  params: z.object({ id: z.uuid() }),
  query: timelineQuery,
  answers: { 200: timeline },
  handle: async ({ caller: person, params: { id }, query }, deps, respond) => {
    const conversation = await findConversationRow(deps.db, person.organizationId, id);
    if (conversation === undefined) throw new PublicError('not_found');
    const { runs, older } = await timelineRuns(deps.db, conversation.id, deps.fileLinks, query);
    return respond(200, {
      ...{ conversation, runs, older },
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
