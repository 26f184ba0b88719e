/** Counts the callbacks and alerts of the last days by the URL that received them. */
import { z } from 'zod';
import { maxCountedDeliveries } from '../../../contract/conversations/timeline.ts';
import type { ReceiverDay } from '../../../domain/conversations/receivers.ts';
import { firstIdAt } from '../cursor.ts';
import { queryRows, statement, type Database } from '../database.ts';

const dayMs = 24 * 60 * 60 * 1000;

const receiverDay: z.ZodType<ReceiverDay> = z.object({
  url: z.string(),
  host: z.string(),
  day: z.string(),
  attempts: z.number(),
  failed: z.number(),
  blocked: z.number(),
  durations_ms: z.array(z.number()),
  last: z.object({
    id: z.string(),
    at: z.string(),
    status: z.enum(['delivered', 'failed', 'blocked', 'unknown']),
    http_status: z.number().nullable(),
    error: z.string().nullable(),
  }),
});

/**
 * $2: the days, $3: the smallest id of each, and of the day after the last; ids of deliveries begin with the time of
 * their creation. Both bounds compare two columns at once. Otherwise, Postgres might read rows of other organizations.
 */
const byDay = statement('delivery-receivers', receiverDay)`
  select split_part(split_part(d.url, '#', 1), '?', 1) as url, d.host, ($2::text[])[n] as day, count(*)::integer as attempts,
      count(*) filter (where d.status in ('failed', 'unknown'))::integer as failed,
      count(*) filter (where d.status = 'blocked')::integer as blocked,
      coalesce(array_agg(d.duration_ms) filter (where d.http_status is not null and d.duration_ms is not null), '{}') as durations_ms,
      (array_agg(json_build_object('id', d.id, 'at', to_char(d.created_at at time zone 'utc', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"'),
        'status', d.status, 'http_status', d.http_status, 'error', d.error) order by d.id desc))[1] as last
    from generate_series(1, cardinality($2::text[])) n cross join lateral (
      select * from deliveries
        where (organization_id, id) >= ($1, ($3::uuid[])[n]) and (organization_id, id) < ($1, ($3::uuid[])[n + 1])
        order by organization_id desc, id desc limit ${maxCountedDeliveries}) d
    where d.host is not null and d.status in ('delivered', 'failed', 'unknown', 'blocked')
    group by 1, 2, 3`;

/**
 * Counts the ended callbacks and alerts by URL, without query and fragment, and by day. Reads of each day only the newest
 * `maxCountedDeliveries` deliveries.
 * @param days the days (UTC) in their order, without gaps, as YYYY-MM-DD
 * @returns a row for each URL and day with a callback or an alert
 */
export async function findReceiverDays(
  db: Database,
  organizationId: string,
  days: readonly string[],
): Promise<ReceiverDay[]> {
  const first = Date.parse(days[0] ?? '');
  const bounds = Array.from({ length: days.length + 1 }, (_, index) => firstIdAt(first + index * dayMs));
  return await queryRows(db, byDay, [organizationId, days, bounds]);
}
