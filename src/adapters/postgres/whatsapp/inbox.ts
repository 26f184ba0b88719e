/**
 * Stores the gateway's events. A message and its event, by which repeats are recognized, are written in one
 * transaction, so that each message is stored once.
 */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import type { InboundEdit, InboundMessage, TakeoverSignal } from '../../../domain/whatsapp/classify-event.ts';
import { comparableNumber } from '../../../domain/conversations/approval-request.ts';
import { unnamedHumanAgent } from '../../../domain/conversations/takeover.ts';
import { channelEvent } from '../../../contract/whatsapp/channel.ts';
import { idBelow, pageFrom } from '../cursor.ts';
import { isoDate, queryResult, resultRow, rowsOf, sparseRow, statement, type Database } from '../database.ts';
import { keepRunTrace } from '../conversations/run-traces.ts';

const inboxOutcome = z.discriminatedUnion('outcome', [
  z.object({
    outcome: z.literal('accepted'),
    conversation_id: z.string(),
    answering_agent_id: z.string().exactOptional(),
    /** When the conversation's workflow must check for due work (epoch ms); absent if the workflow needs no nudge. */
    wake_at_ms: z.number().exactOptional(),
    served_by: z.string().exactOptional(),
  }),
  z.object({ outcome: z.enum(['stored', 'takeover']), conversation_id: z.string() }),
  z.object({ outcome: z.enum(['edited', 'duplicate', 'sent_by_api', 'inactive']) }),
]);
export type InboxOutcome = z.infer<typeof inboxOutcome>;

/** Age (a Postgres interval) above which a message is stored, but not answered. Chosen. */
const answeredFor = '1 day';

const accept = statement('accept-gateway-message', resultRow(inboxOutcome))`
  select accept_gateway_message($1::jsonb, $2) as result`;

/**
 * Stores a message, an edit or a takeover. `functions/accept_gateway_message.sql` documents each outcome. Idempotent:
 * if the message is already stored, returns `duplicate`.
 * @param now the current time in tests; default: the database's clock
 */
export async function acceptGatewayMessage(
  db: Database,
  channel: { agent_id: string; organization_id: string },
  message: InboundMessage | InboundEdit | TakeoverSignal,
  now?: Date,
): Promise<InboxOutcome> {
  const { contact } = message;
  const media = message.kind === 'edit' ? null : message.media;
  const attachment = media && {
    id: newId(),
    ...(media.url === null ? { gateway_message_id: message.messageId } : { url: media.url }),
    filename: media.filename,
    content_type: media.contentType,
    size: media.size === null ? null : Math.min(Math.trunc(media.size), 2_147_483_647),
  };
  const inputId = newId();
  const event = JSON.stringify({
    agent_id: channel.agent_id,
    organization_id: channel.organization_id,
    gateway_message_id: message.messageId,
    kind: message.kind,
    phone: contact.phone,
    compared: contact.phone === null ? null : comparableNumber(contact.phone),
    lid: contact.lid,
    contact_name: contact.name,
    agent_name: unnamedHumanAgent,
    text: message.text,
    written_at_ms: message.sentAtMs,
    answered_for: answeredFor,
    original_id: message.kind === 'edit' ? message.originalId : null,
    // Some builds of the gateway put the owner's number before the message id: `owner:id`.
    quoted_id: message.kind === 'message' ? (message.quotedId?.replace(/^.*:/, '') ?? null) : null,
    attachments: attachment === null ? [] : [attachment],
    event_id: newId(),
    contact_row_id: newId(),
    message_id: inputId,
    run_id: newId(),
    new_conversation_id: newId(),
  });
  const result = await queryResult(db, accept, [event, now ?? null]);
  if (result.outcome === 'accepted') await keepRunTrace(db, inputId);
  return result;
}

/** Records an ignored event: its time, message id and reason, but not its text. Each call adds a row. */
export async function logIgnoredEvent(
  db: Database,
  agentId: string,
  ignored: { reason: string; messageId: string | null },
): Promise<void> {
  await db.knex('gateway_events').insert({
    id: newId(),
    agent_id: agentId,
    gateway_message_id: ignored.messageId,
    outcome: 'ignored',
    reason: ignored.reason,
  });
}

const eventRow = sparseRow(channelEvent.extend({ received_at: isoDate }));

/**
 * Lists the gateway events of an agent's channel, newest first.
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listGatewayEvents(
  db: Database,
  agentId: string,
  query: { limit: number; cursor?: string | undefined },
) {
  const before = idBelow(query.cursor);
  const rows = await rowsOf(
    eventRow,
    db
      .knex('gateway_events')
      .where({ agent_id: agentId })
      .where('id', '<', before)
      .orderBy('id', 'desc')
      .limit(query.limit + 1),
  );
  return pageFrom(rows, query.limit, (row) => row.id);
}
