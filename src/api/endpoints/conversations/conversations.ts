/** Endpoints for conversations, their messages, callbacks and takeovers. */
import { z } from 'zod';
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { cancelRuns as cancel } from '../../../adapters/postgres/conversations/cancel-runs.ts';
import { listDeliveries as findDeliveries } from '../../../adapters/postgres/conversations/deliveries.ts';
import {
  findConversation,
  findMessage,
  listConversations as findConversations,
  listMessages as findMessages,
} from '../../../adapters/postgres/conversations/history.ts';
import {
  pauseConversation as pause,
  resumeConversation as resume,
  type TakenOverBy,
  writeAsPerson as write,
} from '../../../adapters/postgres/conversations/pauses.ts';
import { inTransaction, type Database } from '../../../adapters/postgres/database.ts';
import { erase, erasing } from '../../../app/data/erase.ts';
import {
  conversation,
  type Conversation,
  conversationsQuery,
  deliveriesQuery,
  delivery,
  message,
  messagesQuery,
} from '../../../contract/conversations/conversations.ts';
import { recoveryNudge } from '../../../contract/workflows.ts';
import type { ConversationAddress } from '../../../adapters/temporal/conversation-workflows.ts';
import { waitsForApproval } from '../../../adapters/postgres/conversations/approvals.ts';
import { orNotFound } from '../../../contract/errors.ts';
import { maxMebibytesWithFiles } from '../../../contract/conversations/limits.ts';
import { pageOf } from '../../../contract/page.ts';
import { pauseForm, personsMessageForm } from '../../../contract/conversations/takeover.ts';
import { countCancelled } from '../../../observability/api-metrics.ts';
import { pageOfAgents } from '../../admit.ts';
import type { KnownCaller } from '../../caller.ts';
import { defineEndpoint } from '../../endpoint.ts';
import { assignsToHumanAgent } from './teamwork.ts';

const list = { auth: 'token', agents: 'list', tag: 'Conversations' } as const;
const ofConversation = {
  auth: 'token',
  agents: 'conversation',
  tag: 'Conversations',
  params: z.object({ conversationId: z.uuid().describe('Identifier of the conversation') }),
} as const;

async function conversationOf(
  db: Database,
  { organizationId }: KnownCaller,
  { conversationId }: { conversationId: string },
): Promise<Conversation> {
  return orNotFound(await findConversation(db, organizationId, conversationId));
}

const addressOf = (
  { id, agent_id: agentId, channel }: Conversation,
  { organizationId }: KnownCaller,
): ConversationAddress => ({ id, organizationId, agentId, channel });

export const listConversations = defineEndpoint({
  ...list,
  scope: 'conversations.view',
  request: 'GET /conversations',
  summary: 'List conversations, newest first',
  description: 'A filter that matches nothing in your organization returns an empty list.',
  query: conversationsQuery,
  answers: { 200: pageOf(conversation) },
  handle: async ({ query, caller }, { db }, respond) => {
    const read = (agent_id: string | undefined) =>
      findConversations(db, caller.organizationId, { ...query, agent_id });
    return respond(200, await pageOfAgents(caller, query.agent_id, query.limit, read));
  },
});

export const getConversation = defineEndpoint({
  ...ofConversation,
  scope: 'conversations.view',
  request: 'GET /conversations/{conversationId}',
  summary: 'Read a conversation',
  description: 'Its current agent and its contact. A separate operation lists its messages.',
  answers: { 200: conversation },
  handle: async ({ params, caller }, { db }, respond) =>
    respond(200, await conversationOf(db, caller, params)),
});

export const deleteConversation = defineEndpoint({
  ...ofConversation,
  scope: 'data.manage',
  request: 'DELETE /conversations/{conversationId}',
  summary: 'Erase a conversation: messages, attachments, deliveries and workflow history',
  description:
    '204: its texts are deleted, and no call finds it. Its workflow histories, which hold identifiers only, are deleted within a minute. The audit log records who erased it and when.',
  answers: { 202: erasing, 204: z.undefined() },
  handle: async ({ params, caller }, deps, respond) => {
    const done = await erase(deps, caller, 'conversation', params.conversationId.toLowerCase());
    return done ? respond(204, undefined) : respond(202, { status: 'erasing' });
  },
});

export const listMessages = defineEndpoint({
  ...ofConversation,
  scope: 'conversations.view',
  request: 'GET /conversations/{conversationId}/messages',
  summary: 'Read the messages of a conversation',
  description:
    'The messages with their states. Read it to find an answer whose callback was lost. A cursor stays valid while messages are added.',
  query: messagesQuery,
  answers: { 200: pageOf(message) },
  handle: async ({ params, query, caller }, { db, fileLinks }, respond) => {
    const { id } = await conversationOf(db, caller, params);
    return respond(200, await findMessages(db, id, query, fileLinks));
  },
});

export const listDeliveries = defineEndpoint({
  ...list,
  scope: 'deliveries.view',
  request: 'GET /deliveries',
  summary: 'List callbacks and their outcomes, newest first',
  description:
    'Each callback is attempted at most once. Parley does not send a failed, blocked or unknown callback again; read its message from the history, or send it again with POST /deliveries/{id}/resend.',
  query: deliveriesQuery,
  answers: { 200: pageOf(delivery) },
  handle: async ({ query, caller }, { db }, respond) => {
    const read = (agent_id: string | undefined) =>
      findDeliveries(db, caller.organizationId, { ...query, agent_id });
    return respond(200, await pageOfAgents(caller, undefined, query.limit, read));
  },
});

export const cancelRuns = defineEndpoint({
  ...ofConversation,
  scope: 'conversations.take_over',
  request: 'POST /conversations/{conversationId}/cancel',
  summary: 'Cancel all unanswered messages',
  description:
    'Ends the run in progress and every waiting message at once, with status `cancelled`, without an answer and without a callback. A synchronous call that waits for them gets 409 `cancelled`. What is already recorded stays: a message before a transfer with its callback, and what tools have done. The messages stay in the history, where the next answer can use them; new messages are answered as usual. Repeatable: with nothing to cancel, the list is empty.',
  answers: {
    200: z
      .object({
        conversation_id: z.uuid().describe('The conversation'),
        cancelled: z.array(z.uuid()).describe('The messages that will not be answered, in order'),
      })
      .meta({ id: 'Cancelled', description: 'The messages that were cancelled' }),
  },
  handle: async ({ params, caller }, { db, conversations }, respond) => {
    const found = await conversationOf(db, caller, params);
    const waited = await waitsForApproval(db, found.id);
    const cancelled = await inTransaction(db, async (tx) => {
      const ids = await cancel(tx, found.id);
      if (ids.length > 0) await recordAudit(tx, caller, 'runs_cancelled', found.id);
      return ids;
    });
    countCancelled({}, cancelled.length);
    if (waited) await conversations.nudge(addressOf(found, caller), recoveryNudge);
    return respond(200, { conversation_id: found.id, cancelled });
  },
});

/** @returns the human agent who takes over: the console user, or `api` for a call with a token */
function humanAgent(caller: KnownCaller): TakenOverBy {
  return caller.kind === 'token' ? { by: 'api' } : { by: 'console', name: caller.name };
}

/** Fields that the pause and the resume operation share. During a pause, a human agent answers instead of the agent. */
const takeover = {
  ...ofConversation,
  scope: 'conversations.take_over',
  answers: { 200: conversation },
} as const;

export const pauseConversation = defineEndpoint({
  ...takeover,
  request: 'POST /conversations/{conversationId}/pause',
  summary: 'Pause the agent, so that a person answers',
  description:
    'Until the time is over or the conversation is resumed, the messages of the contact (of a channel conversation: in all its conversations) are stored but not answered. A reply on a channel stops before its next part, and a callback with an answer of the agent that is still pending becomes blocked. A synchronous call in progress gets its answer; later ones are refused.',
  body: pauseForm,
  handle: async ({ params, body, caller }, { db, conversations }, respond) => {
    const found = await conversationOf(db, caller, params);
    const waited = await waitsForApproval(db, found.id);
    await inTransaction(db, async (tx) => {
      const assign = await assignsToHumanAgent(tx, caller, found.id);
      await pause(tx, found.id, body.minutes, humanAgent(caller));
      await assign();
      await recordAudit(tx, caller, 'agent_paused', found.id);
    });
    if (waited) await conversations.nudge(addressOf(found, caller), recoveryNudge);
    return respond(200, await conversationOf(db, caller, params));
  },
});

export const resumeConversation = defineEndpoint({
  ...takeover,
  request: 'POST /conversations/{conversationId}/resume',
  summary: 'Resume the agent',
  description:
    'The agent answers from the next message on; the messages sent during the pause are in its context.',
  handle: async ({ params, caller }, { db }, respond) => {
    const found = await conversationOf(db, caller, params);
    await inTransaction(db, async (tx) => {
      await resume(tx, found.id);
      await recordAudit(tx, caller, 'agent_resumed', found.id);
    });
    return respond(200, await conversationOf(db, caller, params));
  },
});

const withContent = z.looseObject({ attachments: z.array(z.unknown()).min(1) });

export const writeAsPerson = defineEndpoint({
  ...ofConversation,
  scope: 'conversations.take_over',
  request: 'POST /conversations/{conversationId}/messages',
  also: 'conversations.view',
  summary: 'Write in a conversation as a person',
  description:
    'Stores the message in the history and pauses the agent. After any reply in progress, sends the message through the channel of the conversation or, for a conversation of the API, posts it to the last webhook_url as message.completed with `by_person`; its delivery shows whether it was sent. Without a webhook_url there is no delivery: read the message from the history. A token also needs the scope conversations.view.',
  body: personsMessageForm,
  largeBody: { mebibytes: maxMebibytesWithFiles, if: withContent },
  takesFiles: true,
  answers: { 201: message },
  handle: async ({ params, body, caller }, { db, conversations, fileLinks }, respond) => {
    const found = await conversationOf(db, caller, params);
    const { text, attachments, pause_minutes: minutes } = body;
    const waited = await waitsForApproval(db, found.id);
    const id = await inTransaction(db, async (tx) => {
      const assign = await assignsToHumanAgent(tx, caller, found.id);
      const messageId = await write(tx, found.id, { text, attachments, minutes }, humanAgent(caller));
      await assign();
      await recordAudit(tx, caller, 'person_wrote', found.id);
      return messageId;
    });
    await conversations.nudge(addressOf(found, caller), waited ? recoveryNudge : undefined);
    return respond(201, orNotFound(await findMessage(db, found.id, id, fileLinks)));
  },
});
