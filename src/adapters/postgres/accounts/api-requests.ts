/** Reads the log of API requests. tokens.ts writes it. */
import {
  apiRequest,
  apiRequestList,
  type ApiRequestList,
  type ApiRequestsQuery,
} from '../../../contract/accounts/api-requests.ts';
import { firstIdAt, idBelow, newestFirst, pageFrom, smallerId } from '../cursor.ts';
import { isoDate, rowsOf, type Database } from '../database.ts';

const row = apiRequest.extend({ at: isoDate });

/** The token's name or, for the grant of an MCP client, `MCP client` and the client's name. */
const tokenName = `coalesce((select t.name from api_tokens t where t.id = r.token_id),
  (select 'MCP client ' || c.name from mcp_grants g join mcp_clients c on c.id = g.client_id where g.id = r.token_id))`;

/**
 * Lists the requests of an organization that match the filters, newest first, and counts by status
 * those that match the other filters.
 * @throws PublicError validation_failed if the cursor is malformed
 */
export async function listRequests(
  db: Database,
  organizationId: string,
  query: ApiRequestsQuery,
): Promise<ApiRequestList> {
  const { limit, cursor, status } = query;
  const rows = matching(db, organizationId, query, idBelow(cursor));
  if (status !== undefined) void rows.whereRaw(ofStatus[status]);
  const [found, [counts]] = await Promise.all([
    rowsOf(
      row,
      rows
        .limit(limit + 1)
        .select(
          'r.id',
          'r.at',
          'r.method',
          'r.route',
          'r.path',
          'r.status',
          'r.code',
          'r.field',
          'r.reason',
          'r.duration_ms',
        )
        .select('r.token_id', db.knex.raw(`${tokenName} as token_name`)),
    ),
    rowsOf(
      apiRequestList.shape.counts,
      db
        .knex(
          matching(db, organizationId, query, idBelow(undefined))
            .clearOrder()
            .select('r.status')
            .limit(maxCounted)
            .as('r'),
        )
        .select(
          countedStatuses.map((name) =>
            db.knex.raw(`count(*) filter (where ${ofStatus[name]})::int as ??`, [name]),
          ),
        ),
    ),
  ]);
  if (counts === undefined) throw new Error('no counts');
  return { ...pageFrom(found, limit, ({ id }) => id), counts };
}

const countedStatuses = ['2xx', '4xx', '5xx', 'cut'] as const;
/** Maximum number of requests that are counted: more than the 2,000 that the log keeps of an organization. */
const maxCounted = 3000;

/** The requests that match the filters, except that of the status, newest first. @param below only smaller ids */
function matching(db: Database, organizationId: string, query: ApiRequestsQuery, below: string) {
  const { code, method, route, token_id, request_id, from, to } = query;
  // Ids begin with the time, so the filters by time are conditions on the id.
  const end = to === undefined ? below : smallerId(below, firstIdAt(Date.parse(to)));
  const rows = newestFirst(db.knex({ r: 'api_requests' }), 'r', { organization_id: organizationId }, end);
  if (from !== undefined) void rows.where('r.id', '>=', firstIdAt(Date.parse(from)));
  if (route !== undefined) void rows.whereRaw('starts_with(r.route, ?)', [route]);
  const exact = { code, method, token_id, id: request_id };
  for (const [column, value] of Object.entries(exact))
    if (value !== undefined) void rows.where(`r.${column}`, value);
  return rows;
}

const ofStatus: Readonly<Record<NonNullable<ApiRequestsQuery['status']>, string>> = {
  '2xx': 'r.status between 200 and 299',
  error: 'r.status >= 400',
  '4xx': 'r.status between 400 and 499',
  '5xx': 'r.status >= 500',
  cut: 'r.status is null',
};
