/** Reads conversations with the fields that lists show. */
import type { ConversationRow } from '../../../contract/conversations/timeline.ts';
import { decodeCursor, pageFrom, uuidForm, type Page } from '../cursor.ts';
import type { Database } from '../database.ts';

interface Row {
  id: string;
  agent_id: string;
  agent_name: string;
  target_id: string;
  channel: ConversationRow['channel'];
  contact_id: string | null;
  contact_name: string | null;
  paused_until: Date | null;
  paused_by: ConversationRow['paused_by'] | null;
  paused_by_name: string | null;
  created_at: Date;
  updated_at: Date;
  last_seq: number;
  last_text: string | null;
  last_role: 'user' | 'agent' | null;
  has_failed: boolean | null;
  /** Microseconds since 1970; a Date would truncate them to milliseconds. */
  active_at: number;
}

interface Filter {
  agent_id?: string | undefined;
  search?: string | undefined;
  only?: 'paused' | 'failed' | undefined;
}

const previewChars = 160;

function rowsOf(db: Database, organizationId: string) {
  return db
    .knex('conversations as c')
    .join('agents as a', 'a.id', 'c.agent_id')
    .joinRaw(
      `left join lateral (select left(m.text, ${previewChars}) as last_text, m.role as last_role from messages m
         where m.conversation_id = c.id order by m.seq desc limit 1) last on true`,
    )
    .joinRaw(
      `left join lateral (select r.state = 'failed' as has_failed from runs r
         where r.conversation_id = c.id order by r.ordinal desc limit 1) run on true`,
    )
    .where('c.organization_id', organizationId)
    .select<Row[]>(
      ...['c.*', 'a.name as agent_name', 'last.last_text', 'last.last_role', 'run.has_failed'],
      db.knex.raw('(extract(epoch from c.updated_at) * 1000000)::bigint as active_at'),
    );
}

const cursorForm = /^\d{1,16} [0-9a-f]{8}-(?:[0-9a-f]{4}-){3}[0-9a-f]{12}$/;

/**
 * Lists conversations, most recent activity first. A conversation that becomes active during paging moves to the first
 * page, so it may be missing from later ones; all others appear exactly once.
 */
export async function listConversationRows(
  db: Database,
  organizationId: string,
  query: Filter & { limit: number; cursor?: string | undefined },
): Promise<Page<ConversationRow>> {
  const rows = rowsOf(db, organizationId);
  const [activeAt, id] = decodeCursor(query.cursor, cursorForm)?.split(' ') ?? [];
  if (activeAt !== undefined && id !== undefined) {
    const before = "(to_timestamp(0) + ?::bigint * interval '1 microsecond', ?::uuid)";
    void rows.whereRaw(`(c.updated_at, c.id) < ${before}`, [activeAt, id]);
  }
  const { agent_id, search, only } = query;
  if (agent_id !== undefined) void rows.where('c.agent_id', agent_id);
  if (search !== undefined && search !== '') {
    const like = `%${search.replaceAll(/[\\%_]/g, String.raw`\$&`).replaceAll('\0', '')}%`;
    void rows.where((either) => {
      void either.whereILike('c.contact_id', like).orWhereILike('c.contact_name', like);
      if (uuidForm.test(search)) void either.orWhere('c.id', search);
    });
  }
  if (only === 'paused') void rows.whereRaw('c.paused_until > clock_timestamp()');
  if (only === 'failed') void rows.where('run.has_failed', true);
  const found = await rows
    .orderBy([
      { column: 'c.updated_at', order: 'desc' },
      { column: 'c.id', order: 'desc' },
    ])
    .limit(query.limit + 1);
  return pageFrom(found, query.limit, (row) => `${row.active_at} ${row.id}`, viewOf);
}

/**
 * @param id a UUID
 * @returns undefined if the organization has no such conversation
 */
export async function findConversationRow(
  db: Database,
  organizationId: string,
  id: string,
): Promise<ConversationRow | undefined> {
  const [row] = await rowsOf(db, organizationId).where('c.id', id).limit(1);
  return row && viewOf(row);
}

function viewOf(row: Row): ConversationRow {
  const isPaused = row.paused_until !== null && row.paused_until.getTime() > Date.now();
  return {
    id: row.id,
    agent_id: row.agent_id,
    agent_name: row.agent_name,
    target_id: row.target_id,
    channel: row.channel,
    ...(row.contact_id !== null && {
      contact: { id: row.contact_id, ...(row.contact_name !== null && { name: row.contact_name }) },
    }),
    ...(isPaused && {
      paused_until: row.paused_until?.toISOString(),
      ...(row.paused_by !== null && { paused_by: row.paused_by }),
      ...(row.paused_by_name !== null && { paused_by_name: row.paused_by_name }),
    }),
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
    messages: row.last_seq,
    last_text: row.last_text,
    last_role: row.last_role,
    has_failed: row.has_failed === true,
  };
}
