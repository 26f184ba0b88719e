/** Builds the API's view of a conversation from its row. */
import type { Conversation } from '../../../contract/conversations/conversations.ts';

export interface ConversationColumns extends Pick<Conversation, 'id' | 'agent_id' | 'target_id' | 'channel'> {
  organization_id: string;
  contact_id: string | null;
  contact_name: string | null;
  continued_by: string | null;
  paused_until: Date | null;
  paused_by: Conversation['paused_by'] | null;
  paused_by_name: string | null;
  created_at: Date;
  updated_at: Date;
}

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
