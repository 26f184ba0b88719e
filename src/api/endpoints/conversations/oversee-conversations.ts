/** The console's endpoints for conversations and deliveries. */
import { z } from 'zod';
import {
  findConversationRow,
  listConversationRows,
} from '../../../adapters/postgres/conversations/conversation-rows.ts';
import {
  markDone as recordDone,
  recordConversationSeen,
  recordInboxRead,
  reopen,
} from '../../../adapters/postgres/conversations/inbox-state.ts';
import {
  countFailedOrBlocked,
  findDeliveryView,
  listDeliveryViews as findDeliveryViews,
} from '../../../adapters/postgres/conversations/delivery-views.ts';
import { findReceiverDays } from '../../../adapters/postgres/conversations/delivery-receivers.ts';
import { findDeliveryHosts } from '../../../adapters/postgres/data/health.ts';
import { findCalledTools } from '../../../adapters/postgres/data/tool-activity.ts';
import { listWebhookEndpoints } from '../../../adapters/postgres/conversations/webhook-endpoints.ts';
import { findWaiting } from '../../../adapters/postgres/conversations/waiting.ts';
import { notesState } from '../../../adapters/postgres/conversations/notes.ts';
import { timelineEntries } from '../../../adapters/postgres/conversations/timeline-entries.ts';
import {
  calledTools,
  conversationsFilter,
  conversationsPage,
  deliveriesFilter,
  deliveryHosts,
  deliveryReceivers,
  deliveryView,
  seenForm,
  timeline,
  timelineQuery,
  type DeliveryView,
} from '../../../contract/conversations/timeline.ts';
import { waitingConversations } from '../../../contract/conversations/waiting.ts';
import { orNotFound, PublicError } from '../../../contract/errors.ts';
import { pageOf } from '../../../contract/page.ts';
import { outcomesByReceiver } from '../../../domain/conversations/receivers.ts';
import { conversationWorkflowId } from '../../../contract/workflows.ts';
import type { PersonCaller } from '../../caller.ts';
import { defineEndpoint } from '../../endpoint.ts';

const seeing = { auth: 'session', capability: 'conversations.view' } as const;
const delivering = { auth: 'session', capability: 'deliveries.view' } as const;

export const listConversations = defineEndpoint({
  ...seeing,
  request: 'GET /conversations',
  query: conversationsFilter,
  answers: { 200: conversationsPage },
  handle: async ({ caller: person, query }, { db }, respond) =>
    respond(200, await listConversationRows(db, person, query)),
});

/** Lists the names of tools that were called in conversations, from which members choose the filter `tool`. */
export const listCalledTools = defineEndpoint({
  ...seeing,
  request: 'GET /called-tools',
  answers: { 200: calledTools },
  handle: async ({ caller: { organizationId } }, { db }, respond) =>
    respond(200, { data: await findCalledTools(db, organizationId) }),
});

/** Counts the conversations that wait for a person, and those that the caller has not read. Consoles poll it. */
export const getWaiting = defineEndpoint({
  ...seeing,
  request: 'GET /waiting',
  answers: { 200: waitingConversations },
  handle: async ({ caller: person }, { db }, respond) => respond(200, await findWaiting(db, person)),
});

const ofConversation = { params: z.object({ id: z.uuid() }) };

export const markSeen = defineEndpoint({
  ...seeing,
  request: 'PUT /conversations/{id}/seen',
  ...ofConversation,
  body: seenForm,
  handle: async ({ caller: person, params: { id }, body }, { db }) => {
    if (!(await recordConversationSeen(db, person, id, body.messages))) throw new PublicError('not_found');
  },
});

export const markAllSeen = defineEndpoint({
  ...seeing,
  request: 'POST /conversations/seen',
  handle: ({ caller: person }, { db }) => recordInboxRead(db, person),
});

const handling = { auth: 'session', capability: 'conversations.take_over', ...ofConversation } as const;

/** Marks a conversation as done, until its contact writes again. It no longer waits for a person. */
export const markDone = defineEndpoint({
  ...handling,
  request: 'POST /conversations/{id}/done',
  handle: async ({ caller: person, params: { id } }, { db }) => {
    const conversation = orNotFound(await findConversationRow(db, person, id));
    await recordDone(db, conversation.id, person.name);
  },
});

export const reopenConversation = defineEndpoint({
  ...handling,
  request: 'POST /conversations/{id}/reopen',
  handle: async ({ caller: person, params: { id } }, { db }) => {
    const conversation = orNotFound(await findConversationRow(db, person, id));
    await reopen(db, conversation.id);
  },
});

export const getTimeline = defineEndpoint({
  ...seeing,
  request: 'GET /conversations/{id}/timeline',
  ...ofConversation,
  query: timelineQuery,
  answers: { 200: timeline },
  handle: async ({ caller: person, params: { id }, query }, deps, respond) => {
    const conversation = orNotFound(await findConversationRow(deps.db, person, id));
    const [{ entries, older }, notes] = await Promise.all([
      timelineEntries(deps.db, conversation.id, deps.fileLinks, query),
      notesState(deps.db, conversation.id),
    ]);
    return respond(200, {
      conversation,
      entries,
      older,
      notes,
      workflow_id: conversationWorkflowId(conversation.id),
    });
  },
});

/** Lists deliveries with fields that the API's list does not contain, such as the agent's name and the contact. */
export const listDeliveryViews = defineEndpoint({
  ...delivering,
  request: 'GET /deliveries',
  query: deliveriesFilter,
  answers: { 200: pageOf(deliveryView) },
  handle: async ({ caller: person, query }, { db }, respond) => {
    const { data, next_cursor } = await findDeliveryViews(db, person.organizationId, query);
    return respond(200, { data: data.map((one) => visibleTo(person, one)), next_cursor });
  },
});

export const getDeliveryView = defineEndpoint({
  ...delivering,
  request: 'GET /deliveries/{id}',
  ...ofConversation,
  answers: { 200: deliveryView },
  handle: async ({ caller: person, params: { id } }, { db }, respond) => {
    const found = orNotFound(await findDeliveryView(db, person.organizationId, id));
    return respond(200, visibleTo(person, found));
  },
});

/** @returns the delivery, without its contact if the member may not view conversations */
const visibleTo = ({ capabilities }: PersonCaller, one: DeliveryView): DeliveryView =>
  capabilities.includes('conversations.view') ? one : { ...one, contact: null };

export const listDeliveryHosts = defineEndpoint({
  ...delivering,
  request: 'GET /delivery-hosts',
  answers: { 200: deliveryHosts },
  handle: async ({ caller: { organizationId } }, { db }, respond) => {
    const [data, failed_or_blocked] = await Promise.all([
      findDeliveryHosts(db, organizationId),
      countFailedOrBlocked(db, organizationId),
    ]);
    return respond(200, { data, failed_or_blocked });
  },
});

/** Maximum number of URLs without an endpoint in the response. Chosen. */
const maxReceivers = 50;
const receiverDays = 7;
const dayMs = 24 * 60 * 60 * 1000;

export const listDeliveryReceivers = defineEndpoint({
  ...delivering,
  request: 'GET /delivery-receivers',
  answers: { 200: deliveryReceivers },
  handle: async ({ caller: { organizationId } }, { db }, respond) => {
    const now = Date.now();
    const days = Array.from({ length: receiverDays }, (_, index) =>
      new Date(now - (receiverDays - 1 - index) * dayMs).toISOString().slice(0, 10),
    );
    const [rows, signed] = await Promise.all([
      findReceiverDays(db, organizationId, days),
      listWebhookEndpoints(db, organizationId),
    ]);
    const { endpoints, others } = outcomesByReceiver(rows, signed, days);
    return respond(200, { endpoints, data: others.slice(0, maxReceivers) });
  },
});
