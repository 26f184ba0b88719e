import { recordAudit } from '../../../adapters/postgres/accounts/audit-log.ts';
import { inTransaction } from '../../../adapters/postgres/database.ts';
import { z } from 'zod';
import { findConversation, findMessage } from '../../../adapters/postgres/conversations/history.ts';
import { writeAsPerson as write } from '../../../adapters/postgres/conversations/pauses.ts';
import { personsMessageForm } from '../../../contract/whatsapp/channel.ts';
import { message } from '../../../contract/conversations/conversations.ts';
import { PublicError } from '../../../contract/errors.ts';
import { defineEndpoint } from '../../endpoint.ts';

const mebibyte = 1024 * 1024;
const withContent = z.looseObject({ attachments: z.array(z.unknown()).min(1) });

export const writeAsPerson = defineEndpoint({
  auth: 'token',
  method: 'post',
  path: '/conversations/{conversationId}/messages',
  tag: 'Conversations',
  summary: 'Write to the contact of a channel conversation as a person',
  description:
    "Stores the message in the history, sends it through the gateway after any reply in progress, and pauses the agent for the contact, as if someone had typed on the phone. The message's delivery shows whether it was sent.",
  params: z.object({ conversationId: z.uuid().describe('Identifier of the conversation') }),
  body: personsMessageForm,
  bodyLimit: (body) => (withContent.safeParse(body).success ? 16 : 1) * mebibyte,
  maxBodyBytes: 16 * mebibyte,
  takesFiles: true,
  answers: { 201: message },
  errors: ['not_found', 'invalid_state'],
  handle: async ({ params, body, caller }, { db, conversations, fileLinks }, respond) => {
    const { organizationId } = caller;
    const found = await findConversation(db, organizationId, params.conversationId);
    if (found === undefined) throw new PublicError('not_found');
    if (found.channel === 'api') throw new PublicError('invalid_state');
    const { text, attachments, pause_minutes: minutes } = body;
    const whom =
      caller.kind === 'token' ? ({ by: 'api' } as const) : ({ by: 'console', name: caller.name } as const);
    const id = await inTransaction(db, async (tx) => {
      const messageId = await write(tx, found.id, { text, attachments, minutes }, whom);
      await recordAudit(tx, caller, 'person_wrote', found.id);
      return messageId;
    });
    const { agent_id: agentId, channel } = found;
    await conversations.nudge({ id: found.id, organizationId, agentId, channel });
    const written = await findMessage(db, found.id, id, fileLinks);
    if (written === undefined) throw new PublicError('not_found');
    return respond(201, written);
  },
});
