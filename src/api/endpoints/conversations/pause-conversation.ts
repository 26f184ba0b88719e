/** Starts or ends a takeover: a human agent answers the contact instead of the agent. */
import { z } from 'zod';
import {
  pauseConversation as pause,
  resumeConversation as resume,
} from '../../../adapters/postgres/conversations/pauses.ts';
import { pauseForm } from '../../../contract/whatsapp/channel.ts';
import { conversation } from '../../../contract/conversations/conversations.ts';
import { findConversation } from '../../../adapters/postgres/conversations/history.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

const shared = {
  method: 'post',
  tag: 'Conversations',
  params: z.object({ conversationId: z.uuid().describe('Identifier of the conversation') }),
  answers: { 200: conversation },
  errors: ['not_found', 'invalid_state'],
} as const;

export const pauseConversation = defineEndpoint({
  auth: 'token',
  ...shared,
  path: '/conversations/{conversationId}/pause',
  summary: 'Pause the agent for the contact of a channel conversation',
  description:
    'Until the time is over or the conversation is resumed, messages are stored but not answered. A reply in progress stops before its next part.',
  body: pauseForm,
  handle: async ({ params, body, caller: { organizationId }, note }, { db }, respond) => {
    const found = await findConversation(db, organizationId, params.conversationId);
    if (found === undefined) throw new PublicError('not_found');
    if (found.channel === 'api') throw new PublicError('invalid_state');
    await pause(db, found.id, body.minutes, { by: 'api' });
    note('agent_paused', found.id);
    return respond(200, (await findConversation(db, organizationId, found.id)) ?? found);
  },
});

export const resumeConversation = defineEndpoint({
  auth: 'token',
  ...shared,
  path: '/conversations/{conversationId}/resume',
  summary: 'Resume the agent',
  description:
    'The agent answers from the next message on; the messages sent during the pause are in its context.',
  handle: async ({ params, caller: { organizationId }, note }, { db }, respond) => {
    const found = await findConversation(db, organizationId, params.conversationId);
    if (found === undefined) throw new PublicError('not_found');
    await resume(db, found.id);
    note('agent_resumed', found.id);
    return respond(200, (await findConversation(db, organizationId, found.id)) ?? found);
  },
});
