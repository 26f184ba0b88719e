import type { ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import type { Channel } from '../../contract/whatsapp/channel.ts';
import { channelSetup } from '../../domain/whatsapp/webhook-settings.ts';

/**
 * Converts a channel's row to the API's form, without credentials. In the state `not_connected`, the result has only
 * the state and the last error, if there is one.
 */
export function channelView(
  row: ChannelRow,
  webhookUrl: string,
  sharedWith: { agent_id: string; agent_name: string }[],
  limited: { limit: string; messages: number; last_at: Date }[],
): Channel {
  if (row.state === 'not_connected') {
    return { state: row.state, ...(row.last_error && { last_error: row.last_error }) };
  }
  return {
    state: row.state,
    ...(row.base_url !== null && { base_url: row.base_url }),
    webhook_url: webhookUrl,
    ...(row.connected_number !== null && { connected_number: row.connected_number }),
    setup: channelSetup(webhookUrl),
    ...(row.last_error && { last_error: row.last_error }),
    ...(row.live_status !== null &&
      row.live_checked_at && {
        session: {
          status: row.live_status,
          ...(row.live_reason !== null && { reason: row.live_reason }),
          checked_at: row.live_checked_at.toISOString(),
          ...(row.down_since && { down_since: row.down_since.toISOString() }),
          ...(row.webhook_state !== null && !row.down_since && { webhook: row.webhook_state }),
        },
      }),
    ...(sharedWith.length > 0 && { shared_with: sharedWith }),
    ...(row.timelocked_until &&
      row.timelocked_until.getTime() > Date.now() && {
        timelocked_until: row.timelocked_until.toISOString(),
      }),
    ...(row.last_inbound_at && { last_inbound_at: row.last_inbound_at.toISOString() }),
    pause_minutes: row.pause_minutes,
    ...(row.alert_url !== null && { alert_url: row.alert_url }),
    alert_after_minutes: row.alert_after_minutes,
    contact_messages_per_minute: row.contact_messages_per_minute,
    channel_messages_per_minute: row.channel_messages_per_minute,
    contact_answers_per_day: row.contact_answers_per_day,
    channel_answers_per_day: row.channel_answers_per_day,
    loop_rounds: row.loop_rounds,
    loop_seconds: row.loop_seconds,
    ...(limited.length > 0 && {
      limited: limited.map(({ last_at, ...one }) => ({ ...one, last_at: last_at.toISOString() })),
    }),
  };
}
