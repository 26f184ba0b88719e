/** Pauses an agent for a contact while a human agent writes to the contact, and resumes the agent. */
import { v7 as newId } from 'uuid';
import type { AttachmentInput } from '../../../contract/conversations/chat.ts';
import { queryRows, statement, type Database } from '../database.ts';
import { defaultPauseMinutes, unnamedHumanAgent } from '../../../domain/conversations/takeover.ts';
import { givenFiles } from './given-files.ts';

const pause = statement('pause-conversation')`
  select pause_conversation($1, clock_timestamp() + make_interval(mins => coalesce($2::integer,
    (select h.pause_minutes from channels h join conversations c on c.target_id = h.agent_id where c.id = $1), $3)),
    $4, clock_timestamp(), $5)`;

/** The initiator of a takeover: the holder of a token, or a named console user. */
export type TakenOverBy = { by: 'api' } | { by: 'console'; name: string };

/**
 * Pauses the agent in all conversations of the contact (see pause_conversation.sql). Never shortens a pause.
 * @param minutes default: the setting of the conversation's channel, or `defaultPauseMinutes` if it has no channel
 */
export async function pauseConversation(
  db: Database,
  id: string,
  minutes: number | undefined,
  whom: TakenOverBy,
): Promise<void> {
  await queryRows(db, pause, [id, minutes ?? null, defaultPauseMinutes, whom.by, nameOf(whom)]);
}

/** Ends the agent's pause in all conversations of the contact. Idempotent. */
export const resumeConversation = statement('resume-conversation').write<[id: string]>`
  update conversations set paused_until = null, paused_by = null, paused_by_name = null, updated_at = clock_timestamp()
    where id = any((select conversations_of_same_contact($1))::uuid[])`;

const sendAsPerson = statement('send-as-person')`select send_as_person($1::jsonb, $2, $3)`;

export interface PersonsMessage {
  text: string;
  attachments: AttachmentInput[];
  /** Minutes for which the agent is paused; default: as in `pauseConversation`. */
  minutes?: number | undefined;
}

/**
 * In one transaction, stores a human agent's message, pauses the agent as `pauseConversation` does, and writes a
 * delivery of the message, which the conversation's workflow sends. A conversation without a channel contact gets no
 * delivery. Not idempotent: each call stores another message.
 * @returns the message's id
 */
export async function writeAsPerson(
  db: Database,
  conversationId: string,
  { text, attachments, minutes }: PersonsMessage,
  whom: TakenOverBy,
): Promise<string> {
  const messageId = newId();
  const files = givenFiles(attachments);
  await queryRows(db, sendAsPerson, [
    JSON.stringify({
      text,
      minutes,
      by: whom.by,
      by_name: nameOf(whom),
      agent_name: nameOf(whom) ?? unnamedHumanAgent,
      default_minutes: defaultPauseMinutes,
      message_id: messageId,
      delivery_id: newId(),
      attachments: files.rows,
    }),
    conversationId,
    files.bytes,
  ]);
  return messageId;
}

function nameOf(whom: TakenOverBy): string | null {
  return whom.by === 'console' ? whom.name : null;
}
