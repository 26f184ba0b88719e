/** Reads deliveries with their request bodies and the names of their agents. */
import type { DeliveryView } from '../../../contract/conversations/timeline.ts';
import { idBelow, newestFirst, pageFrom, rowsThatFit, type Page } from '../cursor.ts';
import type { Database } from '../database.ts';
import { byStatus, deliveryFrom, type DeliveryRow } from './deliveries.ts';

interface Row extends DeliveryRow {
  run_id: string | null;
  request_body: string | null;
  created_at: Date;
  agent_name: string | null;
}

const rowsOf = (db: Database) =>
  db
    .knex('deliveries as d')
    .leftJoin('messages as m', 'm.id', 'd.message_id')
    .leftJoin('agents as a', 'a.id', 'd.agent_id')
    .select<Row[]>('d.*', db.knex.raw('coalesce(m.agent_name, a.name) as agent_name'));

/** Lists deliveries, newest first; fewer than `limit` if their bodies are large. */
export async function listDeliveryViews(
  db: Database,
  organizationId: string,
  query: {
    limit: number;
    cursor?: string | undefined;
    status?: string | undefined;
    agent_id?: string | undefined;
  },
): Promise<Page<DeliveryView>> {
  const before = idBelow(query.cursor);
  const rows = rowsOf(db);
  if (query.status !== undefined) void rows.where('d.status', query.status);
  const { agent_id } = query;
  const having =
    agent_id === undefined
      ? byStatus(query.status, organizationId)
      : { of_agent_id: agent_id, organization_id: organizationId };
  const listed = newestFirst(rows, 'd', having, before);
  const bytes =
    'coalesce(octet_length(d.request_body), 0) + coalesce(octet_length(d.response_body), 0) as bytes';
  const sizes: { bytes: number }[] = await listed
    .clone()
    .clearSelect()
    .limit(query.limit)
    .select(db.knex.raw(bytes));
  const limit = rowsThatFit(sizes, query.limit);
  const found = await listed.limit(limit + 1);
  return pageFrom(found, limit, (row) => row.id, viewOf);
}

/** @returns the deliveries of each run or message, oldest first; those without deliveries are omitted */
export async function deliveriesBy(
  db: Database,
  column: 'run_id' | 'message_id',
  ids: readonly string[],
): Promise<Map<string | null, DeliveryView[]>> {
  const rows = ids.length === 0 ? [] : await rowsOf(db).whereIn(`d.${column}`, ids).orderBy('d.id');
  const found = Map.groupBy(rows, (row) => row[column]);
  return new Map([...found].map(([id, those]) => [id, those.map(viewOf)]));
}

function viewOf(row: Row): DeliveryView {
  return {
    ...deliveryFrom(row),
    kind: row.kind,
    created_at: row.created_at.toISOString(),
    request_body: row.request_body,
    agent_name: row.agent_name,
  };
}
