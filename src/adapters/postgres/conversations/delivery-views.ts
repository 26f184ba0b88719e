/** Reads deliveries with their request bodies and the names of their agents. */
import { z } from 'zod';
import type { DeliveriesFilter, DeliveryView } from '../../../contract/conversations/timeline.ts';
import { bytesRow, firstIdAt, idBelow, newestFirst, pageFrom, rowsThatFit, type Page } from '../cursor.ts';
import { firstRowOf, rowsOf, type Database } from '../database.ts';
import { byStatus, deliveryFrom, deliveryRow, versionOfDelivery } from './deliveries.ts';

const viewRow = deliveryRow.extend({
  run_id: z.string().nullable(),
  created_at: z.date(),
  request_body: z.string().nullable(),
  agent_name: z.string().nullable(),
  contact: z.string().nullable(),
  host: z.string().nullable(),
});

const views = (db: Database) =>
  db
    .knex('deliveries as d')
    .leftJoin('messages as m', 'm.id', 'd.message_id')
    .leftJoin('agents as a', 'a.id', 'd.agent_id')
    .leftJoin('conversations as c', 'c.id', 'd.conversation_id')
    .select(
      'd.*',
      db.knex.raw(versionOfDelivery('d')),
      db.knex.raw('coalesce(m.agent_name, a.name) as agent_name'),
      db.knex.raw('coalesce(c.contact_name, c.contact_id) as contact'),
    );

/**
 * Lists deliveries, newest first. A page has fewer than `limit` deliveries if their bodies are large. If `message_id`
 * is given, the order is undefined, and `to` and the cursor are ignored.
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listDeliveryViews(
  db: Database,
  organizationId: string,
  query: Pick<DeliveriesFilter, 'limit'> & Partial<DeliveriesFilter>,
): Promise<Page<DeliveryView>> {
  const { status, agent_id, host, message_id, from, to } = query;
  const cursor = idBelow(query.cursor);
  // An id begins with the time at which it was created, so `from` and `to` are converted to ids.
  const end = to === undefined ? cursor : firstIdAt(Date.parse(to));
  const before = end < cursor ? end : cursor;
  const rows = views(db);
  if (status !== undefined) void rows.where('d.status', status);
  if (agent_id !== undefined) void rows.where('d.of_agent_id', agent_id);
  if (host !== undefined) void rows.where('d.host', host.toLowerCase());
  if (from !== undefined) void rows.where('d.id', '>=', firstIdAt(Date.parse(from)));
  const listed =
    message_id === undefined
      ? newestFirst(rows, 'd', rarest(organizationId, query), before)
      : rows.where({ 'd.organization_id': organizationId, 'd.message_id': message_id });
  const bytes =
    'coalesce(octet_length(d.request_body), 0) + coalesce(octet_length(d.response_body), 0) as bytes';
  const sizes = await rowsOf(
    bytesRow,
    listed.clone().clearSelect().limit(query.limit).select(db.knex.raw(bytes)),
  );
  const limit = rowsThatFit(sizes, query.limit);
  const found = await rowsOf(viewRow, listed.limit(limit + 1));
  return pageFrom(found, limit, (row) => row.id, viewOf);
}

/** Returns the columns and values of the index with which newestFirst() reads the fewest rows. */
function rarest(
  organizationId: string,
  { status, agent_id, host }: Partial<DeliveriesFilter>,
): Record<string, string> {
  const organization = { organization_id: organizationId };
  if (status !== undefined && status !== 'delivered') return byStatus(status, organizationId);
  if (host !== undefined) return { ...organization, host: host.toLowerCase() };
  return agent_id === undefined ? organization : { of_agent_id: agent_id, ...organization };
}

/**
 * Finds a delivery with its request body and the name of its agent.
 * @param id a UUID
 * @returns undefined if the organization has no such delivery
 */
export async function findDeliveryView(
  db: Database,
  organizationId: string,
  id: string,
): Promise<DeliveryView | undefined> {
  const row = await firstRowOf(viewRow, views(db).where({ 'd.id': id, 'd.organization_id': organizationId }));
  return row && viewOf(row);
}

/**
 * Reads the deliveries of several runs or messages.
 * @returns the deliveries of each id, oldest first; ids without deliveries are omitted
 */
export async function deliveriesBy(
  db: Database,
  column: 'run_id' | 'message_id',
  ids: readonly string[],
): Promise<Map<string | null, DeliveryView[]>> {
  const rows =
    ids.length === 0 ? [] : await rowsOf(viewRow, views(db).whereIn(`d.${column}`, ids).orderBy('d.id'));
  const found = Map.groupBy(rows, (row) => row[column]);
  return new Map([...found].map(([id, those]) => [id, those.map(viewOf)]));
}

function viewOf(row: z.infer<typeof viewRow>): DeliveryView {
  return {
    ...deliveryFrom(row),
    kind: row.kind,
    created_at: row.created_at.toISOString(),
    request_body: row.request_body,
    agent_name: row.agent_name,
    contact: row.contact,
    host: row.host,
  };
}
