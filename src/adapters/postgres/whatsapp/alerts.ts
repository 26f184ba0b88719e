/** Writes alerts about channels as deliveries, one per outage or lock, and finds pending alerts. */
import { v7 as newId } from 'uuid';
import { z } from 'zod';
import type { ChannelAlert } from '../../../contract/whatsapp/channel-alert.ts';
import type { ChannelError } from '../../../contract/whatsapp/channel.ts';
import { idRow, queryIds, queryRows, statement, type Database } from '../database.ts';

const downChannel = z.object({
  agent_id: z.string(),
  down_since: z.date(),
  live_status: z.string().nullable(),
  live_reason: z.string().nullable(),
  credentials_refused_at: z.date().nullable(),
});
const longDown = `state = 'connected' and alert_url is not null and alerted_at is null
  and down_since <= clock_timestamp() - make_interval(mins => alert_after_minutes)`;
const findDown = statement('channels-long-down', downChannel)`
  select agent_id, down_since, live_status, live_reason, credentials_refused_at from channels where ${longDown}`;
/** Sets `alerted_at` and writes the alert in one statement, so that concurrent workers write only one alert. */
const writeDown = statement('write-down-alert')`
  with taken as (update channels set alerted_at = clock_timestamp() where agent_id = $1 and ${longDown} returning *)
  insert into deliveries (id, organization_id, agent_id, of_agent_id, event, kind, url, request_body)
    select $2, organization_id, agent_id, agent_id, 'channel.session_down', 'alert', alert_url, $3 from taken`;

/**
 * Writes an alert for each connected channel that has an alert URL, has been down for at least `alert_after_minutes`,
 * and has no alert about this outage.
 */
export async function writeDownAlerts(db: Database): Promise<void> {
  const down = await queryRows(db, findDown, []);
  for (const { agent_id, down_since, live_status, live_reason, credentials_refused_at } of down) {
    const alert: ChannelAlert = {
      event: 'channel.session_down',
      agent_id,
      status: credentials_refused_at ? 'credentials refused' : (live_status ?? 'unknown'),
      ...(live_reason !== null && { reason: live_reason }),
      down_since: down_since.toISOString(),
      timestamp: new Date().toISOString(),
    };
    await queryRows(db, writeDown, [agent_id, newId(), JSON.stringify(alert)]);
  }
}

const writeTimelock = statement('write-timelock-alert', idRow)`
  with before as (select agent_id, timelocked_until from channels where agent_id = $1 for update),
  taken as (update channels c set last_error = $2, timelocked_until = greatest(c.timelocked_until, $3) from before b
    where c.agent_id = b.agent_id
    returning c.*, coalesce(b.timelocked_until <= clock_timestamp(), true) as is_new)
  insert into deliveries (id, organization_id, agent_id, of_agent_id, event, kind, url, request_body)
    select $4, organization_id, agent_id, agent_id, 'channel.timelocked', 'alert', alert_url, $5 from taken where is_new and alert_url is not null
    returning id`;
/** Assumed duration of a lock in milliseconds, if WhatsApp names no end or an end in the past. Chosen. */
const usualLockMs = 30 * 60_000;

/**
 * Records as the channel's last error that WhatsApp does not let its number start new chats, and stores until when this
 * lasts. Writes an alert if the channel has an alert URL and was not already locked.
 * @returns the id of the alert's delivery; undefined if no alert was written
 */
export async function recordTimelock(
  db: Database,
  agentId: string,
  { untilMs, reason }: { untilMs: number | null; reason: string },
): Promise<string | undefined> {
  const now = new Date();
  const future = untilMs !== null && untilMs > now.getTime() ? untilMs : undefined;
  const until = new Date(future ?? now.getTime() + usualLockMs);
  const error: ChannelError = { code: 'timelocked', message: reason, at: now.toISOString() };
  const alert: ChannelAlert = {
    event: 'channel.timelocked',
    agent_id: agentId,
    reason,
    until: until.toISOString(),
    timestamp: now.toISOString(),
  };
  const values = [agentId, JSON.stringify(error), until, newId(), JSON.stringify(alert)];
  return (await queryIds(db, writeTimelock, values))[0];
}

/**
 * Finds pending alerts, oldest first, round-robin over the organizations, so that many alerts of one organization do not
 * delay the others. Does not claim them: see `claimDelivery`.
 * @returns the ids of their deliveries
 */
export const findPendingAlerts = statement('pending-alerts', idRow).ids<[limit: number]>`
  select id from deliveries where kind = 'alert' and status = 'pending'
    order by row_number() over (partition by organization_id order by created_at), created_at limit $1`;
