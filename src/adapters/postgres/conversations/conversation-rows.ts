/** Reads conversations with the fields that lists show. */
import type { Knex } from 'knex';
import { z } from 'zod';
import type { ConversationRow, ConversationsFilter } from '../../../contract/conversations/timeline.ts';
import { excerptAround, searchWords } from '../../../domain/conversations/excerpt.ts';
import { decodeCursor, pageFrom, uuidForm, type Page } from '../cursor.ts';
import { firstRowOf, queryRow, queryRows, rowsOf, statement, type Database } from '../database.ts';
import { conversationColumns, conversationFrom } from './conversation-view.ts';

const listedRow = conversationColumns.extend({
  agent_name: z.string(),
  assignee_id: z.string().nullable(),
  assignee_name: z.string().nullable(),
  is_test: z.boolean(),
  last_text: z.string().nullable(),
  last_role: z.enum(['user', 'agent']).nullable(),
  unread: z.number(),
  waiting_since: z.date().nullable(),
  done_at: z.date().nullable(),
  done_by_name: z.string().nullable(),
  webhook_url: z.string().nullable(),
  last_seq: z.number(),
  has_failed: z.boolean().nullable(),
  waits_for_approval: z.boolean().nullable(),
  /** Microseconds since 1970; a Date would truncate them to milliseconds. */
  active_at: z.number(),
});

/** The member whose unread messages are counted. */
export interface Reader {
  organizationId: string;
  userId: string;
}

const previewChars = 160;
/**
 * `unread` counts the contact's messages only among this many of a conversation's newest unread messages. Limits how
 * many rows Postgres reads for a page. Chosen.
 */
const newestUnread = 10;

/**
 * SQL condition: the member has not seen message `m`. `s` is the member's row in conversation_reads. Uses `case`, because
 * with `coalesce` Postgres uses no index under row security.
 * @param readAt SQL of the time up to which all messages count as read
 */
export const isUnread = (readAt: string) =>
  `m.seq > case when s.seen_seq is null then 0 else s.seen_seq end and m.created_at > ${readAt}`;
/** With the result of `readBefore` as parameter. */
const isUnreadSinceGiven = isUnread('?::timestamptz');

const readsOf = 'left join conversation_reads s on s.conversation_id = c.id and s.user_id = ?';
/** SQL expression: true if the newest run failed, and no message without a run is newer; null if there is no run. */
export const hasFailed = `
  (select r.state = 'failed' and not exists (select from messages m
       where m.conversation_id = c.id and m.run_id is null and m.run_ordinal > r.ordinal)
     from runs r where r.conversation_id = c.id order by r.ordinal desc limit 1)`;
/**
 * SQL expression: true if a tool call of the conversation waits for approval; otherwise null. With `exists`, Postgres may
 * read all waiting approvals of the organization at once.
 */
const waitsForApproval = `
  (select true from approvals p where p.conversation_id = c.id and p.status = 'waiting' limit 1)`;
/**
 * Maximum waiting approvals that are read to find or count their conversations: those that were requested first. Chosen.
 */
const maxApprovalsRead = 1000;
/**
 * SQL query for the conversations of an organization with a tool call that waits for approval.
 * @param organizationId SQL of the organization's id
 */
export const awaitingApproval = (organizationId: string) => `
  select p.conversation_id from approvals p where p.status = 'waiting' and p.organization_id = ${organizationId}
    order by p.id limit ${maxApprovalsRead}`;
/**
 * SQL expression: true if the tool was called in the conversation; otherwise null. With `exists`, Postgres may read all
 * calls of the tool at once.
 */
const hasCalled = `
  (select true from tool_executions e where e.organization_id = c.organization_id and e.action = ?
     and e.conversation_id = c.id limit 1)`;
const byActivity = (order: 'asc' | 'desc') => [
  { column: 'c.updated_at', order },
  { column: 'c.id', order },
];

/**
 * Adds the columns that lists show: the agent's name, the last message, and the unread, failure and approval state.
 * @param listed must select at most one conversation more than a page, because each one costs several more reads
 */
function withShown(
  db: Database,
  listed: Knex.QueryBuilder,
  { userId }: Reader,
  readAt: string,
  order: 'asc' | 'desc' = 'desc',
) {
  return db
    .knex(listed.as('c'))
    .join('agents as a', 'a.id', 'c.agent_id')
    .leftJoin('console_users as u', 'u.id', 'c.assignee_id')
    .joinRaw(readsOf, [userId])
    .joinRaw(
      `left join lateral (select left(m.text, ${previewChars}) as last_text,
           case when m.origin = 'user' then 'user' else 'agent' end as last_role from messages m
         where m.conversation_id = c.id order by m.seq desc limit 1) last on true`,
    )
    .joinRaw(
      `left join lateral (select count(*) filter (where newest.origin = 'user')::integer as unread
         from (select m.origin from messages m where m.conversation_id = c.id and ${isUnreadSinceGiven}
                 order by m.seq desc limit ${newestUnread}) newest) unseen on true`,
      [readAt],
    )
    .orderBy(byActivity(order))
    .select(
      ...[
        'c.*',
        'a.name as agent_name',
        'u.name as assignee_name',
        'last.last_text',
        'last.last_role',
        'unseen.unread',
      ],
      db.knex.raw(`${hasFailed} as has_failed`),
      db.knex.raw(`${waitsForApproval} as waits_for_approval`),
      db.knex.raw('(extract(epoch from c.updated_at) * 1000000)::bigint as active_at'),
    );
}

/**
 * Maximum calls of a tool that are read to find its conversations. For a tool with more calls, Postgres instead searches
 * each conversation for one, beginning with the most recent: if the tool is still in use, a page is soon found. Chosen.
 */
const maxCallsRead = 1000;
const callsOfTool = statement('calls-of-tool').ids<[organizationId: string, tool: string]>`
  select conversation_id as id from tool_executions
    where organization_id = $1 and action = $2 and conversation_id is not null limit ${maxCallsRead}`;

const cursorForm = /^\d{1,16} [0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Lists conversations in the order of their last activity. Test conversations are listed only with `only: test`, or if
 * `search` is a conversation id. A conversation that becomes active while a client reads the pages moves to the first
 * page (with `sort: oldest`, to the last one), so later pages may not contain it.
 * @returns the page; `is_partial` is true if the search did not read all messages (see
 * `functions/search_messages.sql`)
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listConversationRows(
  db: Database,
  reader: Reader,
  query: ConversationsFilter,
): Promise<Page<ConversationRow> & { is_partial: boolean }> {
  const readAt = await readBefore(db, reader);
  const order = query.sort === 'oldest' ? 'asc' : 'desc';
  const rows = db.knex('conversations as c').where('c.organization_id', reader.organizationId).select('c.*');
  const [activeAt, id] = decodeCursor(query.cursor, cursorForm)?.split(' ') ?? [];
  if (activeAt !== undefined && id !== undefined) {
    const last = "(to_timestamp(0) + ?::bigint * interval '1 microsecond', ?::uuid)";
    void rows.whereRaw(`(c.updated_at, c.id) ${order === 'desc' ? '<' : '>'} ${last}`, [activeAt, id]);
  }
  const { agent_id, contact_id, channel, active_from, active_to, only, status, assignee, tool } = query;
  if (agent_id !== undefined) void rows.where('c.agent_id', agent_id);
  if (contact_id !== undefined) void rows.where('c.contact_id', contact_id);
  if (status === 'open') void rows.whereNull('c.done_at');
  if (status === 'done') void rows.whereNotNull('c.done_at');
  if (assignee === 'me') void rows.where('c.assignee_id', reader.userId);
  if (assignee === 'nobody') void rows.whereNull('c.assignee_id');
  if (channel !== undefined) void rows.where('c.channel', channel);
  if (active_from !== undefined) void rows.where('c.updated_at', '>=', active_from);
  if (active_to !== undefined) void rows.where('c.updated_at', '<', active_to);
  if (tool !== undefined) {
    const calling = await callsOfTool(db, reader.organizationId, tool);
    if (calling.length < maxCallsRead) void rows.whereRaw('c.id = any(?::uuid[])', [[...new Set(calling)]]);
    else void rows.whereRaw(hasCalled, [tool]);
  }
  const search = query.search?.replaceAll('\0', '').trim() ?? '';
  // Each match is the newest matching message of its conversation.
  const matches = search === '' ? [] : await queryRows(db, matching, [search, active_to ?? null]);
  const found = matches.filter((row): row is Match => row.conversation_id !== null);
  if (search !== '') {
    const like = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
    void rows.where((either) => {
      void either.whereILike('c.contact_id', like).orWhereILike('c.contact_name', like);
      void either.orWhereRaw('c.id = any(?::uuid[])', [found.map((match) => match.conversation_id)]);
      if (uuidForm.test(search)) void either.orWhere('c.id', search);
    });
  }
  if (only === 'test') void rows.whereRaw('c.is_test');
  else if (!uuidForm.test(search)) void rows.whereRaw('not c.is_test');
  if (only === 'paused') void rows.whereRaw('c.paused_until > statement_timestamp()');
  if (only === 'failed') void rows.whereRaw(hasFailed);
  if (only === 'waiting') void rows.whereNotNull('c.waiting_since');
  if (only === 'approval')
    void rows.whereRaw(`c.id = any(array(${awaitingApproval('?')}))`, [reader.organizationId]);
  if (only === 'unread')
    void rows
      .joinRaw(readsOf, [reader.userId])
      .whereRaw('c.updated_at > ?::timestamptz', [readAt])
      .whereRaw(
        `exists (select from messages m where m.conversation_id = c.id and m.origin = 'user' and ${isUnreadSinceGiven})`,
        [readAt],
      );
  const listed = rows.orderBy(byActivity(order)).limit(query.limit + 1);
  const page = await rowsOf(listedRow, withShown(db, listed, reader, readAt, order));
  const { data: shown, next_cursor } = pageFrom(page, query.limit, (row) => `${row.active_at} ${row.id}`);
  const data = shown.map(viewOf);
  return {
    data: found.length === 0 ? data : await withMatches(db, data, found, search),
    next_cursor,
    is_partial: matches[0]?.is_partial === true,
  };
}

const match = z.object({
  conversation_id: z.string(),
  message_id: z.string(),
  is_partial: z.boolean(),
});
type Match = z.infer<typeof match>;

/** A row of `search_messages`; without ids if the search was partial and found nothing. */
const searched = z.union([
  match,
  z.object({
    conversation_id: z.null(),
    message_id: z.null(),
    is_partial: z.literal(true),
  }),
]);

const inboxReadAt = statement('inbox-read-at', z.object({ at: z.string() }))`
  select inbox_read_at::text as at from console_members where organization_id = $1 and user_id = $2`;

/**
 * @returns the time up to which all messages count as read by the member, in Postgres's text form with microseconds;
 * `infinity` for a user who is not a member
 */
async function readBefore(db: Database, { organizationId, userId }: Reader): Promise<string> {
  return (await queryRow(db, inboxReadAt, [organizationId, userId]))?.at ?? 'infinity';
}

const matching = statement('search-messages', searched)`
  select * from search_messages($1, coalesce($2::timestamptz, 'infinity'))`;
const matchedTexts = statement('matched-texts', z.object({ conversation_id: z.string(), text: z.string() }))`
  select conversation_id, left(text, 20000) as text from messages where id = any($1::uuid[])`;

/** Adds an excerpt of the matching message to each conversation that has a match. */
async function withMatches(
  db: Database,
  rows: ConversationRow[],
  found: readonly Match[],
  text: string,
): Promise<ConversationRow[]> {
  const shown = new Set(rows.map(({ id }) => id));
  const ids = found.filter((match) => shown.has(match.conversation_id)).map((match) => match.message_id);
  const matched = await queryRows(db, matchedTexts, [ids]);
  const texts = new Map(matched.map((row) => [row.conversation_id, row.text]));
  const words = searchWords(text);
  return rows.map((row) => {
    const whole = texts.get(row.id);
    return whole === undefined ? row : { ...row, match: excerptAround(whole, words, previewChars) };
  });
}

/**
 * Finds a conversation, and returns the same fields as a list of conversations.
 * @param id a UUID
 * @returns undefined if the organization has no such conversation
 */
export async function findConversationRow(
  db: Database,
  reader: Reader,
  id: string,
): Promise<ConversationRow | undefined> {
  const listed = db.knex('conversations').where({ organization_id: reader.organizationId, id });
  const row = await firstRowOf(listedRow, withShown(db, listed, reader, await readBefore(db, reader)));
  return row && viewOf(row);
}

function viewOf(row: z.infer<typeof listedRow>): ConversationRow {
  return {
    ...conversationFrom(row),
    agent_name: row.agent_name,
    messages: row.last_seq,
    last_text: row.last_text,
    last_role: row.last_role,
    has_failed: row.has_failed === true,
    waits_for_approval: row.waits_for_approval === true,
    is_test: row.is_test,
    assignee:
      row.assignee_id === null || row.assignee_name === null
        ? null
        : { id: row.assignee_id, name: row.assignee_name },
    waiting_since: row.waiting_since?.toISOString() ?? null,
    done: row.done_at && { at: row.done_at.toISOString(), by: row.done_by_name },
    has_webhook: row.webhook_url !== null,
    unread: row.unread,
  };
}

const contactNames = statement(
  'contact-names',
  z.object({ id: z.string(), conversation_id: z.string(), name: z.string().nullable() }),
)`
  with named as (
    select id, id as conversation_id from conversations where organization_id = $1 and id = any($2::uuid[])
    union all
    select id, conversation_id from approvals where organization_id = $1 and id = any($2::uuid[]))
  select n.id, n.conversation_id, coalesce(c.contact_name, c.contact_id) as name
    from named n join conversations c on c.id = n.conversation_id`;

/**
 * @returns those of the organization's conversations and approvals that have these ids, with their contacts, in any
 * order
 */
export async function findContactNames(db: Database, organizationId: string, ids: string[]) {
  return ids.length === 0 ? [] : await queryRows(db, contactNames, [organizationId, ids]);
}
