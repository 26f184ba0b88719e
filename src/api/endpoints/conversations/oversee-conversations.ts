/** Conversations and deliveries for the console: lists, takeovers, and messages of human agents. */
import { z } from 'zod';
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import {
  findConversationRow,
  listConversationRows,
} from '../../../adapters/postgres/conversations/conversation-rows.ts';
import { listDeliveryViews as findDeliveryViews } from '../../../adapters/postgres/conversations/delivery-views.ts';
import { pauseConversation, resumeConversation } from '../../../adapters/postgres/conversations/pauses.ts';
import { timelineRuns } from '../../../adapters/postgres/conversations/timeline-runs.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { deliveryStatus } from '../../../contract/conversations/conversations.ts';
import {
  conversationRow,
  type ConversationRow,
  conversationsFilter,
  deliveryView,
  timeline,
  timelineQuery,
} from '../../../contract/conversations/timeline.ts';
import { PublicError } from '../../../contract/errors.ts';
import { pageOf, pageQuery } from '../../../contract/page.ts';
import { pauseForm } from '../../../contract/whatsapp/channel.ts';
import { conversationWorkflowId } from '../../../contract/workflows.ts';
import type { ApiDeps } from '../../deps.ts';
import { defineEndpoint } from '../../endpoint.ts';

const params = z.object({ id: z.uuid() });

async function found({ db }: ApiDeps, organizationId: string, id: string): Promise<ConversationRow> {
  const row = await findConversationRow(db, organizationId, id);
  if (row === undefined) throw new PublicError('not_found');
  return row;
}

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
  params,
  query: timelineQuery,
  answers: { 200: timeline },
  handle: async ({ caller: person, params: { id }, query }, deps, respond) => {
    const conversation = await found(deps, person.organizationId, id);
    const { runs, older } = await timelineRuns(deps.db, conversation.id, deps.fileLinks, query);
    return respond(200, {
      ...{ conversation, runs, older },
      workflow_id: conversationWorkflowId(conversation.id),
    });
  },
});

export const pause = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/conversations/{id}/pause',
  capability: 'conversations.take_over',
  params,
  body: pauseForm,
  answers: { 200: conversationRow },
  handle: async ({ caller: person, params: { id }, body }, deps, respond) => {
    const conversation = await found(deps, person.organizationId, id);
    if (conversation.channel === 'api') throw new PublicError('invalid_state');
    await inTransaction(deps.db, async (tx) => {
      await pauseConversation(tx, conversation.id, body.minutes, { by: 'console', name: person.name });
      await recordAudit(tx, person, 'agent_paused', conversation.id);
    });
    return respond(200, await found(deps, person.organizationId, id));
  },
});

export const resume = defineEndpoint({
  auth: 'session',
  method: 'post',
  path: '/conversations/{id}/resume',
  capability: 'conversations.take_over',
  params,
  answers: { 200: conversationRow },
  handle: async ({ caller: person, params: { id } }, deps, respond) => {
    const conversation = await found(deps, person.organizationId, id);
    await inTransaction(deps.db, async (tx) => {
      await resumeConversation(tx, conversation.id);
      await recordAudit(tx, person, 'agent_resumed', conversation.id);
    });
    return respond(200, await found(deps, person.organizationId, id));
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
