/** Limits how many messages all processes together send through one gateway instance per minute. */
import { z } from 'zod';
import type { GatewayAccess } from '../../whatsapp/gateway-call.ts';
import { instanceKey } from './channels.ts';
import { queryRow, queryRows, statement, type Database } from '../database.ts';

const lastMinute = `unnest(r.sent_at) as moment where moment > clock_timestamp() - interval '1 minute'`;

const take = statement('take-gateway-slot')`
  insert into gateway_rates as r (instance, sent_at) values ($1, array[clock_timestamp()])
    on conflict (instance) do update
      set sent_at = array(select moment from ${lastMinute} order by moment) || clock_timestamp()
      where (select count(*) from ${lastMinute}) < $2
    returning instance`;
const next = statement('next-gateway-slot', z.object({ wait: z.number() }))`
  select extract(epoch from moment + interval '1 minute' - clock_timestamp())::double precision * 1000 as wait
    from gateway_rates r, unnest(r.sent_at) as moment where r.instance = $1 order by moment desc offset $2 - 1 limit 1`;

/**
 * Takes a slot for one message, if fewer than `perMinute` slots of the instance were taken in the last minute.
 * @returns undefined if a slot was taken; otherwise the milliseconds until a slot may be free, at least 50
 */
export async function takeGatewaySlot(
  db: Database,
  access: GatewayAccess,
  perMinute: number,
): Promise<number | undefined> {
  // Channels that use the same instance share its slots. The hash reveals neither the gateway's URL nor the token.
  const instance = instanceKey(access);
  if ((await queryRows(db, take, [instance, perMinute])).length === 1) return undefined;
  const place = await queryRow(db, next, [instance, perMinute]);
  return Math.max(50, Math.ceil(place?.wait ?? 0));
}
