/** Reads deliveries with their request bodies and the names of their agents. */
import { z } from 'zod';
import {
  deliveryView,
  type DeliveriesFilter,
  type DeliveryView,
} from '../../../contract/conversations/timeline.ts';
import { bytesRow, firstIdAt, idBelow, newestFirst, pageFrom, rowsThatFit, type Page } from '../cursor.ts';
import { firstRowOf, isoDate, rowsOf, sparseRow, type Database } from '../database.ts';
import { byStatus, computedColumns } from './deliveries.ts';

const orNull = z.string().nullable().default(null);
const viewFields = deliveryView.extend({
  attempted_at: isoDate.optional(),
  created_at: isoDate,
  request_body: orNull,
  agent_name: orNull,
  contact: orNull,
  host: orNull,
});
const viewRow = sparseRow(viewFields);
const groupedRow = sparseRow(viewFields.extend({ run_id: z.string().optional() }));

const views = (db: Database) =>
  db
    .knex('deliveries as d')
    .leftJoin('messages as m', 'm.id', 'd.message_id')
    .leftJoin('agents as a', 'a.id', 'd.agent_id')
    .leftJoin('conversations as c', 'c.id', 'd.conversation_id')
    .select(
      'd.*',
      db.knex.raw(computedColumns('d')),
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
  return pageFrom(found, limit, (row) => row.id);
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
  return await firstRowOf(viewRow, views(db).where({ 'd.id': id, 'd.organization_id': organizationId }));
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
    ids.length === 0 ? [] : await rowsOf(groupedRow, views(db).whereIn(`d.${column}`, ids).orderBy('d.id'));
  const found = Map.groupBy(rows, (row) => row[column] ?? null);
  return new Map([...found].map(([id, those]) => [id, those.map(({ run_id: _, ...view }) => view)]));
}
