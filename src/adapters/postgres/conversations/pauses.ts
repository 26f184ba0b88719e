/** Pauses the agent for one contact: a human agent writes instead. */
import { v7 as newId } from 'uuid';
import { queryRows, type Database, type Statement } from '../database.ts';

const pause: Statement = {
  name: 'pause-conversation',
  text: `select pause_conversation($1, clock_timestamp() + make_interval(mins => coalesce($2::integer,
           (select h.pause_minutes from channels h join conversations c on c.target_id = h.agent_id where c.id = $1), 720)),
           $3, clock_timestamp(), $4)`,
};

/** Who started the takeover: the holder of a token, or a named console user. */
export type TakenOverBy = { by: 'api' } | { by: 'console'; name: string };

/** @param minutes default: the channel's setting */
export async function pauseConversation(
  db: Database,
  id: string,
  minutes: number | undefined,
  whom: TakenOverBy,
): Promise<void> {
  await queryRows(db, pause, [id, minutes ?? null, whom.by, nameOf(whom)]);
}

const resume: Statement = {
  name: 'resume-conversation',
  text: 'select resume_conversation($1)',
};
export async function resumeConversation(db: Database, id: string): Promise<void> {
  await queryRows(db, resume, [id]);
}

const sendAsPerson: Statement = {
  name: 'send-as-person',
  text: 'select send_as_person($1::jsonb, $2, null)',
};

export interface PersonsMessage {
  text: string;
  attachments: { content_base64: string; filename?: string | undefined; content_type?: string | undefined }[];
  /** How long the agent stays silent; default: the channel's setting. */
  minutes?: number | undefined;
}

/**
 * Stores the message, pauses the agent and writes a delivery that the conversation's workflow sends, all in one
 * transaction.
 * @returns the message's id
 */
export async function writeAsPerson(
  db: Database,
  conversationId: string,
  { text, attachments, minutes }: PersonsMessage,
  whom: TakenOverBy,
): Promise<string> {
  const messageId = newId();
  await queryRows(db, sendAsPerson, [
    JSON.stringify({
      kind: 'takeover',
      text,
      minutes,
      by: whom.by,
      by_name: nameOf(whom),
      message_id: messageId,
      run_id: newId(),
      delivery_id: newId(),
      attachments: attachments.map((one) => ({
        id: newId(),
        size: Buffer.byteLength(one.content_base64, 'base64'),
        ...one,
      })),
    }),
    conversationId,
  ]);
  return messageId;
}

function nameOf(whom: TakenOverBy): string | null {
  return whom.by === 'console' ? whom.name : null;
}
