/** Reads conversations and their messages, for the API. */
import { z } from 'zod';
import { JsonText } from '../../../contract/text.ts';
import {
  deliveryStatus,
  unanswered,
  type Conversation,
  type Message,
} from '../../../contract/conversations/conversations.ts';
import { earlierTurn } from '../../../contract/conversations/earlier-turns.ts';
import { messageOrigin, runMode, runState } from '../../../contract/conversations/timeline.ts';
import { dailyLink, type FileLinks } from '../../secrets/file-links.ts';
import {
  bytesRow,
  decodeCursor,
  idBelow,
  newestFirst,
  pageFrom,
  rowsThatFit,
  uuidForm,
  type Page,
  type PageQuery,
} from '../cursor.ts';
import { queryRow, queryRows, rowOf, rowsOf, statement, type Database } from '../database.ts';
import { conversationColumns, conversationFrom } from './conversation-view.ts';

/**
 * Finds a conversation.
 * @param id a UUID
 * @returns undefined if the organization has no such conversation
 */
export async function findConversation(
  db: Database,
  organizationId: string,
  id: string,
): Promise<Conversation | undefined> {
  const row = await rowOf(
    conversationColumns,
    db.knex('conversations').where({ organization_id: organizationId, id }).first(),
  );
  return row && conversationFrom(row);
}

/**
 * Lists conversations, newest first. An agent id that is not a UUID, or a contact id with a NUL character, matches
 * nothing.
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listConversations(
  db: Database,
  organizationId: string,
  query: PageQuery & { agent_id?: string | undefined; contact_id?: string | undefined },
): Promise<Page<Conversation>> {
  const before = idBelow(query.cursor);
  // Postgres would reject an agent id that is not a UUID, and a contact id with a NUL character.
  const { agent_id, contact_id } = query;
  const matchesNothing =
    (agent_id !== undefined && !uuidForm.test(agent_id)) || contact_id?.includes('\0') === true;
  if (matchesNothing) return { data: [], next_cursor: null };
  const listed = db.knex('conversations');
  // A contact has few conversations, so newestFirst() is not needed.
  const having = { ...(agent_id !== undefined && { agent_id }), organization_id: organizationId };
  if (contact_id !== undefined)
    void listed
      .where({ ...having, contact_id })
      .where('id', '<', before)
      .orderBy('id', 'desc');
  else newestFirst(listed, 'conversations', having, before);
  const rows = await rowsOf(conversationColumns, listed.limit(query.limit + 1));
  return pageFrom(rows.map(conversationFrom), query.limit, ({ id }) => id);
}

/**
 * `agent_id`: the agent that wrote the message, or the conversation's agent if a human agent wrote it. `agent_name`:
 * the name of the agent or the human agent.
 */
const authorColumns = z.discriminatedUnion('origin', [
  z.object({ origin: z.literal('user'), agent_id: z.null(), agent_name: z.null() }),
  z.object({ origin: messageOrigin.exclude(['user']), agent_id: z.string(), agent_name: z.string() }),
]);

/** The earlier texts of an edited message as Postgres stores them; null if the message was never edited. */
export const keptEdits = z.array(z.object({ text: z.string(), replaced_at: z.string() })).nullable();
export type KeptEdits = z.infer<typeof keptEdits>;

/** @returns the earlier texts as the API shows them; an empty list for null */
export const editsFrom = (kept: KeptEdits) =>
  (kept ?? []).map(({ text, replaced_at }) => ({ text, replaced_at: new Date(replaced_at).toISOString() }));

const ownColumns = z.object({
  id: z.string(),
  /**
   * The run that answers a user's message, or wrote an agent's message; null, like its mode and state, if there is
   * none.
   */
  run_id: z.string().nullable(),
  mode: runMode.nullable(),
  state: runState.nullable(),
  conversation_id: z.string(),
  seq: z.number(),
  text: z.string(),
  created_at: z.date(),
  /** JSON text as the caller sent it. */
  metadata: z.string().nullable(),
  earlier_turns: z.array(earlierTurn).nullable(),
  agent_version: z.number().nullable(),
  model: z.string().nullable(),
  fallback: z.object({ model: z.string(), failed_model: z.string(), reason: z.string() }).nullable(),
  credits_used: z.number().nullable(),
  pre_transfer: z.boolean(),
  replaced: z.boolean(),
  unanswered: unanswered.nullable(),
  edits: keptEdits,
  truncated: z.boolean(),
  structured: z.boolean(),
  follow_up_attempt: z.number().nullable(),
  in_reply_to: z.array(z.string()).nullable(),
  attachments: z
    .array(
      z.object({
        id: z.string(),
        filename: z.string().nullable(),
        content_type: z.string().nullable(),
        size: z.number().nullable(),
        kept: z.boolean(),
      }),
    )
    .nullable(),
  delivery_status: deliveryStatus.nullable(),
  attempted_at: z.date().nullable(),
});
const messageRow = ownColumns.and(authorColumns);
type MessageRow = z.infer<typeof messageRow>;

/**
 * SQL expression: the number of the agent's version that wrote message `m`; null if a draft wrote it, or if no step of
 * a run did.
 */
export const versionOfMessage = `(select s.agent_version from run_steps s where s.run_id = m.run_id and s.message_id = m.id and not s.of_draft)`;

// Uses `case`, because `coalesce` is not leakproof: under row security, a condition on run_ordinal with `coalesce`
// could not use the index, and each page of answers would read all messages of the conversation.
const messageColumns = `
  select m.id, m.conversation_id, m.seq, m.origin, m.text, m.created_at, m.run_id, r.mode, r.state, m.metadata::text as metadata, m.earlier_turns, m.agent_id,
    m.agent_name, ${versionOfMessage} as agent_version, m.model,
    (select s.fallback || jsonb_build_object('model', s.model_id) from run_steps s where s.run_id = m.run_id and s.message_id = m.id) as fallback, m.credits_used, m.pre_transfer, r.follow_up_attempt, d.status as delivery_status, d.attempted_at,
    (select json_agg(json_build_object('id', f.id, 'filename', f.filename, 'content_type', f.content_type, 'size', f.size, 'kept', f.state = 'stored')
       order by f.position) from attachments f where f.message_id = m.id) as attachments,
    m.replaced_by is not null as replaced, m.unanswered, m.edits, m.truncated, m.structured,
    case when m.origin = 'agent' and r.mode <> 'follow_up' then (select json_agg(i.id order by i.run_ordinal, i.seq) from messages i
       where i.conversation_id = m.conversation_id and i.origin = 'user'
         and i.run_ordinal = case when n.ordinal is null then m.run_ordinal else n.ordinal end) end as in_reply_to
  from messages m left join runs r on r.id = m.run_id left join runs n on n.id = m.replaced_by
    left join deliveries d on d.message_id = m.id and d.resend_of is null`;

const pageOfMessages = (order: 'asc' | 'desc', beyond: '>' | '<') => {
  const page = `where m.conversation_id = $1 and m.seq ${beyond} $2 order by m.seq ${order} limit $3`;
  return {
    sizes: statement(`message-sizes-${order}`, bytesRow)`
      select octet_length(m.text) + octet_length(coalesce(m.edits::text, '')) + octet_length(coalesce(m.earlier_turns::text, '')) as bytes
        from messages m ${page}`,
    messages: statement(`list-messages-${order}`, messageRow)`${messageColumns} ${page}`,
  };
};
const pagesOfMessages = { asc: pageOfMessages('asc', '>'), desc: pageOfMessages('desc', '<') };

/**
 * Lists the messages of a conversation in the order of `seq`. A page has fewer than `limit` messages if their texts are
 * large. The caller checks that the organization has the conversation.
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listMessages(
  db: Database,
  conversationId: string,
  query: PageQuery & { order: 'asc' | 'desc' },
  links: FileLinks,
): Promise<Page<Message>> {
  const cursor = decodeCursor(query.cursor, /^\d{1,9}$/);
  const bound = cursor ?? (query.order === 'asc' ? '0' : '999999999');
  const { sizes, messages } = pagesOfMessages[query.order];
  const bytes = await queryRows(db, sizes, [conversationId, bound, query.limit]);
  const limit = rowsThatFit(bytes, query.limit);
  const rows = await queryRows(db, messages, [conversationId, bound, limit + 1]);
  const { data, next_cursor } = pageFrom(rows, limit, (row) => row.seq);
  return { data: data.map((row) => messageFrom(row, links)), next_cursor };
}

const oneMessage = statement('find-message', messageRow)`
  ${messageColumns} where m.conversation_id = $1 and m.id = $2`;

/**
 * Finds a message of a conversation. The caller checks that the organization has the conversation.
 * @returns undefined if the conversation has no such message
 */
export async function findMessage(
  db: Database,
  conversationId: string,
  id: string,
  links: FileLinks,
): Promise<Message | undefined> {
  const row = await queryRow(db, oneMessage, [conversationId, id]);
  return row && messageFrom(row, links);
}

const statusOf = {
  collecting: 'queued',
  ready: 'queued',
  running: 'processing',
  answered: 'answered',
  handed_over: 'answered',
  failed: 'failed',
  cancelled: 'cancelled',
} as const;

function messageFrom(row: MessageRow, links: FileLinks): Message {
  const shared = {
    id: row.id,
    conversation_id: row.conversation_id,
    text: row.text,
    attachments: (row.attachments ?? []).map(({ kept, ...file }) => ({
      ...file,
      ...dailyLink(links, { id: file.id, kept }),
    })),
    created_at: row.created_at.toISOString(),
  };
  if (row.origin === 'user') {
    return {
      ...shared,
      role: 'user',
      status: row.state === null ? 'answered' : statusOf[row.state],
      ...(row.unanswered !== null && { unanswered: row.unanswered }),
      ...(row.edits !== null && { edits: editsFrom(row.edits) }),
      ...(row.mode === 'window' && row.run_id !== null && { group_id: row.run_id }),
      ...(row.metadata !== null && { metadata: new JsonText(row.metadata) }),
      ...(row.earlier_turns !== null && { earlier_turns: row.earlier_turns }),
    };
  }
  return {
    ...shared,
    role: 'agent',
    agent_id: row.agent_id,
    responding_agent_name: row.agent_name,
    ...(row.agent_version !== null && { agent_version: row.agent_version }),
    ...(row.structured && { output: new JsonText(row.text) }),
    ...(row.model !== null && { model: row.model }),
    ...(row.fallback !== null && { fallback: row.fallback }),
    ...(row.credits_used !== null && { credits_used: row.credits_used }),
    in_reply_to: row.in_reply_to ?? [],
    ...(row.pre_transfer && { pre_transfer: true as const }),
    ...(row.follow_up_attempt !== null && {
      followup: true as const,
      followup_attempt: row.follow_up_attempt,
    }),
    ...(row.origin !== 'agent' && { by_person: true as const }),
    ...(row.replaced && { replaced: true as const }),
    ...(row.truncated && { truncated: true as const }),
    ...(row.delivery_status !== null && {
      delivery: {
        status: row.delivery_status,
        ...(row.attempted_at && { attempted_at: row.attempted_at.toISOString() }),
      },
    }),
  };
}
