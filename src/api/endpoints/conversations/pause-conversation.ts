/** Starts or ends a takeover: a human agent answers the contact instead of the agent. */
import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
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
  handle: async ({ params, body, caller }, { db }, respond) => {
    const { organizationId } = caller;
    const found = await findConversation(db, organizationId, params.conversationId);
    if (found === undefined) throw new PublicError('not_found');
    if (found.channel === 'api') throw new PublicError('invalid_state');
    await inTransaction(db, async (tx) => {
      await pause(tx, found.id, body.minutes, { by: 'api' });
      await recordAudit(tx, caller, 'agent_paused', found.id);
    });
    return respond(200, (await findConversation(db, organizationId, found.id)) ?? found);
  },
});

export const resumeConversation = defineEndpoint({
  auth: 'token',
  ...shared,
  path: '/conversations/{conversationId}/resume',
  summary: 'Resume the agent',
  description: 'It answers from the next message on; what was said meanwhile is in its context.',
  handle: async ({ params, caller }, { db }, respond) => {
    const { organizationId } = caller;
    const found = await findConversation(db, organizationId, params.conversationId);
    if (found === undefined) throw new PublicError('not_found');
    await inTransaction(db, async (tx) => {
      await resume(tx, found.id);
      await recordAudit(tx, caller, 'agent_resumed', found.id);
    });
    return respond(200, (await findConversation(db, organizationId, found.id)) ?? found);
  },
});
