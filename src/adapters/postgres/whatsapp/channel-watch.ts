/** Finds connected channels whose session is due for a check, and records the results. */
import type { ChannelError } from '../../../contract/whatsapp/channel.ts';
import { channelRow, type ChannelRow } from './channels.ts';
import { queryRows, statement, type Database } from '../database.ts';

/**
 * Finds at most `limit` connected channels whose check is due, round-robin over the organizations, so that many channels
 * of one organization do not delay the others. Does not claim them, so two workers may check the same channel.
 */
export const findDueChannels = statement('channels-to-check', channelRow).rows<[limit: number]>`
  select * from channels where next_check_at <= clock_timestamp() and state = 'connected'
    order by row_number() over (partition by organization_id order by next_check_at), next_check_at limit $1`;

const seen = statement('channel-seen')`
  update channels set live_status = $2, live_reason = $3, live_checked_at = clock_timestamp(),
    last_error = case when $4::jsonb is null and (timelocked_until > clock_timestamp()
      or last_error->>'code' in ('other_number', 'other_token')
        and (last_error->>'at')::timestamptz > clock_timestamp() - interval '10 minutes')
      then last_error else $4 end,
    down_since = case when $5 then null else coalesce(down_since, clock_timestamp()) end,
    alerted_at = case when $5 then null else alerted_at end,
    credentials_refused_at = case when $6 then null else credentials_refused_at end,
    webhook_state = case when $5 then $7 else webhook_state end,
    webhook_wrong_since = case $7 when 'wrong' then coalesce(webhook_wrong_since, clock_timestamp())
      when 'right' then null else webhook_wrong_since end,
    instance_key = $8, connected_number = coalesce(connected_number, $9),
    next_check_at = clock_timestamp() + make_interval(secs => $10::double precision / 1000)
  where agent_id = $1 and state = 'connected' and date_trunc('milliseconds', updated_at) = $11`;
export interface SeenChannel {
  status: string;
  reason: string | null;
  error: ChannelError | null;
  /** True if the session is connected. */
  live: boolean;
  /** True if the gateway accepted the token. */
  answered: boolean;
  webhook: 'right' | 'wrong' | 'unread';
  instanceKey: string;
  /** Stored only if the channel has no number yet. */
  number: string | null;
  nextCheckMs: number;
}
/**
 * Records the result of a check. Does nothing if the channel is no longer connected, or if its `updated_at` has changed
 * since it was read. A result without an error clears the last error, except while WhatsApp's lock of the number
 * (`timelocked_until`) lasts, and except an error `other_number` or `other_token` of the last ten minutes.
 * @param channel as it was read before the check
 */
export async function recordSeen(
  db: Database,
  channel: { agent_id: string; updated_at: Date },
  view: SeenChannel,
): Promise<void> {
  await queryRows(db, seen, [
    channel.agent_id,
    view.status,
    view.reason,
    view.error === null ? null : JSON.stringify(view.error),
    view.live,
    view.answered,
    view.webhook,
    view.instanceKey,
    view.number,
    view.nextCheckMs,
    channel.updated_at,
  ]);
}

/**
 * Claims a check that a caller has requested. The requests of all callers, in all processes together, get at most one
 * check per channel in `everyMs` milliseconds.
 * @returns false if the channel's last claim is less than `everyMs` old, or if there is no such channel
 */
export const claimCheck = statement('claim-webhook-check').hasRow<[agentId: string, everyMs: number]>`
  update channels set check_claimed_at = clock_timestamp()
    where agent_id = $1 and coalesce(check_claimed_at < clock_timestamp() - make_interval(secs => $2::double precision / 1000), true)
    returning agent_id`;

const webhookSeen = statement('channel-webhook-seen')`
  update channels set webhook_state = $2,
    webhook_wrong_since = case $2 when 'right' then null else coalesce(webhook_wrong_since, clock_timestamp()) end,
    last_error = case when $3::jsonb is not null then $3
      when last_error->>'code' in ('webhook_wrong', 'webhook_suffix') then null else last_error end
  where agent_id = $1 and state = 'connected' and date_trunc('milliseconds', updated_at) = $4`;
/**
 * Records the webhook that the gateway reported after Parley set it. Does nothing if the channel is no longer
 * connected, or if its `updated_at` has changed since the channel was read.
 * @param error what is wrong with the webhook; null if it is right
 */
export async function recordWebhookSeen(
  db: Database,
  channel: { agent_id: string; updated_at: Date },
  error: ChannelError | null,
): Promise<void> {
  const state = error === null ? 'right' : 'wrong';
  const values = [channel.agent_id, state, error === null ? null : JSON.stringify(error), channel.updated_at];
  await queryRows(db, webhookSeen, values);
}

const refused = statement('channel-credentials-refused')`
  update channels set credentials_refused_at = coalesce(credentials_refused_at, clock_timestamp()), last_error = $2,
    next_check_at = null, down_since = coalesce(down_since, clock_timestamp())
  where agent_id = $1 and instance_token = $3`;
/**
 * Records that the gateway refused the token. Replies then wait, and workers no longer check the channel, until a user
 * edits or checks the channel and the gateway accepts its token. Does nothing if the stored token has changed since the
 * channel was read.
 * @param channel as it was read before the call to the gateway
 */
export async function recordRefusedCredentials(
  db: Database,
  channel: Pick<ChannelRow, 'agent_id' | 'instance_token'>,
): Promise<void> {
  const error: ChannelError = {
    code: 'invalid_credentials',
    message: 'The gateway refused the instance token. Edit the channel.',
    at: new Date().toISOString(),
  };
  await queryRows(db, refused, [channel.agent_id, JSON.stringify(error), channel.instance_token]);
}

const noted = statement('channel-error')`update channels set last_error = $2 where agent_id = $1`;
/** Sets the channel's last error, which the console shows. The error's time is that of this process's clock. */
export async function recordChannelError(
  db: Database,
  agentId: string,
  code: ChannelError['code'],
  message: string,
): Promise<void> {
  await queryRows(db, noted, [agentId, JSON.stringify({ code, message, at: new Date().toISOString() })]);
}
