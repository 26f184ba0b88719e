/** Builds the API's view of a conversation from its row. */
import { z } from 'zod';
import { conversation, type Conversation } from '../../../contract/conversations/conversations.ts';

export const conversationColumns = conversation
  .pick({ id: true, agent_id: true, target_id: true, channel: true })
  .extend({
    organization_id: z.string(),
    contact_id: z.string().nullable(),
    contact_name: z.string().nullable(),
    continued_by: z.string().nullable(),
    paused_until: z.date().nullable(),
    paused_by: conversation.shape.paused_by.unwrap().nullable(),
    paused_by_name: z.string().nullable(),
    created_at: z.date(),
    updated_at: z.date(),
  });
export type ConversationColumns = z.infer<typeof conversationColumns>;

/** @returns the view of the conversation; a pause that has ended is omitted */
export function conversationFrom(row: ConversationColumns): Conversation {
  return {
    id: row.id,
    agent_id: row.agent_id,
    target_id: row.target_id,
    channel: row.channel,
    ...(row.contact_id !== null && {
      contact: { id: row.contact_id, ...(row.contact_name !== null && { name: row.contact_name }) },
    }),
    ...(row.continued_by !== null && { continued_by: row.continued_by }),
    ...(row.paused_until &&
      row.paused_until.getTime() > Date.now() && {
        paused_until: row.paused_until.toISOString(),
        ...(row.paused_by !== null && { paused_by: row.paused_by }),
        ...(row.paused_by_name !== null && { paused_by_name: row.paused_by_name }),
      }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}
