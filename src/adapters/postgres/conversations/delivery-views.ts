/** Reads deliveries with their request bodies and the names of their agents. */
import type { Knex } from 'knex';
import { z } from 'zod';
import {
  deliveryView,
  maxFailedOrBlocked,
  type DeliveriesFilter,
  type DeliveryView,
} from '../../../contract/conversations/timeline.ts';
import { bytesRow, firstIdAt, idBelow, newestFirst, pageFrom, rowsThatFit, type Page } from '../cursor.ts';
import { firstRowOf, isoDate, queryRow, rowsOf, sparseRow, statement, type Database } from '../database.ts';
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
    .leftJoin('agents as a', 'a.id', 'd.of_agent_id')
    .leftJoin('conversations as c', 'c.id', 'd.conversation_id')
    .select(
      'd.*',
      db.knex.raw(computedColumns('d')),
      // Replaces the agent of the computed columns, which only alerts have.
      db.knex.raw('coalesce(m.agent_id, d.of_agent_id) as agent_id'),
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
  const { status, message_id, to } = query;
  const cursor = idBelow(query.cursor);
  // An id begins with the time at which it was created, so `from` and `to` are converted to ids.
  const end = to === undefined ? cursor : firstIdAt(Date.parse(to));
  const before = end < cursor ? end : cursor;
  const rows = filtered(views(db), query);
  const ofStatus = (one: 'failed' | 'blocked') => {
    const that = { ...query, status: one };
    const ids = filtered(db.knex('deliveries as d').select('d.id'), that);
    return newestFirst(ids, 'd', rarest(organizationId, that), before).limit(query.limit + 1);
  };
  const listed =
    message_id !== undefined
      ? rows.where({ 'd.organization_id': organizationId, 'd.message_id': message_id })
      : status === 'failed_or_blocked'
        ? rows
            .whereIn('d.id', db.knex.unionAll([ofStatus('failed'), ofStatus('blocked')], true))
            .orderBy('d.id', 'desc')
        : newestFirst(rows, 'd', rarest(organizationId, query), before);
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

type Query = Partial<DeliveriesFilter>;

/** Adds the conditions of a filter, except those of the message, the end and the cursor. */
function filtered<Builder extends Knex.QueryBuilder>(rows: Builder, query: Query): Builder {
  const { status, agent_id, host, from } = query;
  if (status !== undefined)
    void rows.whereIn('d.status', status === 'failed_or_blocked' ? ['failed', 'blocked'] : [status]);
  if (agent_id !== undefined) void rows.where('d.of_agent_id', agent_id);
  if (host !== undefined) void rows.where('d.host', host.toLowerCase());
  if (from !== undefined) void rows.where('d.id', '>=', firstIdAt(Date.parse(from)));
  return rows;
}

/** Returns the columns and values of the index with which newestFirst() reads the fewest rows. */
function rarest(organizationId: string, { status, agent_id, host }: Query): Record<string, string> {
  const organization = { organization_id: organizationId };
  if (status !== undefined && status !== 'delivered') return byStatus(status, organizationId);
  if (host !== undefined) return { ...organization, host: host.toLowerCase() };
  return agent_id === undefined ? organization : { of_agent_id: agent_id, ...organization };
}

/** Both states in turn, because the index by status is read in the order of ids only for one of them. */
const failedOrBlocked = statement('count-failed-or-blocked', z.object({ count: z.number() }))`
  select count(*)::integer as count
    from (select from (values ('failed'), ('blocked')) s (status) cross join lateral (
            select from deliveries where status = s.status and organization_id = $1 and status <> 'delivered'
              limit ${maxFailedOrBlocked}) d
          limit ${maxFailedOrBlocked}) found`;

/** Counts the failed and the blocked deliveries of an organization together, at most `maxFailedOrBlocked`. */
export async function countFailedOrBlocked(db: Database, organizationId: string): Promise<number> {
  return (await queryRow(db, failedOrBlocked, [organizationId]))?.count ?? 0;
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
