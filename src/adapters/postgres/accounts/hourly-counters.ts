/** Counts equal events within an hour. The counters are rows of `rate_limits`; the cleanup deletes expired ones. */
import { createHash } from 'node:crypto';
import { z } from 'zod';
import { firstRow, queryRows, statement, type Transaction } from '../database.ts';

const count = statement('count-within-hour', z.object({ points: z.number() }))`
  with t as (select (extract(epoch from clock_timestamp()) * 1000)::bigint as now)
  insert into rate_limits as r (key, points, expire) select $1, 1, now + 3600000 from t
    on conflict (key) do update
      set points = case when r.expire > excluded.expire - 3600000 then r.points + 1 else 1 end,
          expire = case when r.expire > excluded.expire - 3600000 then r.expire else excluded.expire end
    returning points`;

/**
 * Counts one event. Concurrent transactions that count equal events wait for each other.
 * @param name the kind of event; events of different kinds are never equal
 * @param what a JSON value that is the same for equal events; only its hash is stored
 * @returns how many equal events were counted, including this one, in the hour that began with the first of them
 */
export async function countWithinHour(tx: Transaction, name: string, what: unknown): Promise<number> {
  const key = `${name}:${createHash('sha256').update(JSON.stringify(what)).digest('hex')}`;
  return firstRow(await queryRows(tx, count, [key])).points;
}
