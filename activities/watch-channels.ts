/** Looks at the sessions of connected channels that are due, and tells of those that are down for long. */
import {
  claimDueAlerts,
  findDueChannels,
  hasWaitingReplies,
  noteRefusedCredentials,
  recordSeen,
} from '../src/adapters/db/channel-watch.ts';
import { openAccess, type ChannelRow } from '../src/adapters/db/channels.ts';
import { forgetOldEvents } from '../src/adapters/db/gateway-inbox.ts';
import type { StatusOutcome } from '../src/adapters/gateway.ts';
import type { ChannelError } from '../src/contract/channel.ts';
import type { ActivityDeps } from './deps.ts';

const batch = 200;
const atOnce = 8;
const calmMs = 5 * 60_000;
const uneasyMs = 60_000;
const alertAnswerBytes = 4096;

export function watchChannelsActivity({
  db,
  http,
  callbackTimeoutMs,
  channel: { gateway, encryption },
}: ActivityDeps) {
  return {
    async watchChannels(): Promise<{ looked: number; told: number }> {
      await forgetOldEvents(db);
      const due = await findDueChannels(db, batch);
      const left = [...due];
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          for (let row = left.pop(); row !== undefined; row = left.pop()) await look(row);
        }),
      );
      const alerts = await claimDueAlerts(db);
      for (const { agent_id, alert_url, down_since, live_status, live_reason } of alerts) {
        const body = {
          event: 'channel.session_down',
          agent_id,
          status: live_status ?? 'unknown',
          ...(live_reason !== null && { reason: live_reason }),
          down_since: down_since.toISOString(),
          timestamp: new Date().toISOString(),
        };
        await http.request({
          method: 'POST',
          url: alert_url,
          headers: { 'Content-Type': 'application/json' },
          body: JSON.stringify(body),
          timeoutMs: callbackTimeoutMs,
          maxBytes: alertAnswerBytes,
        });
      }
      return { looked: due.length, told: alerts.length };
    },
  };

  async function look(row: ChannelRow): Promise<void> {
    const access = openAccess(encryption, row);
    if (access === undefined) return;
    const status = await gateway.status(access);
    if (status.outcome === 'invalid_credentials') {
      await noteRefusedCredentials(db, row.agent_id);
      return;
    }
    const live = status.outcome === 'ok' && status.connected;
    const uneasy = !live || (await hasWaitingReplies(db, row.agent_id));
    // A tenth more or less, so that channels connected together are not all asked together.
    const spread = 0.9 + Math.random() * 0.2;
    await recordSeen(db, row, {
      status: status.outcome === 'ok' ? status.status : status.outcome,
      reason: status.outcome === 'ok' ? status.lastDisconnectReason : null,
      error: errorOf(row, status),
      number: null,
      live,
      nextCheckMs: (uneasy ? uneasyMs : calmMs) * spread,
    });
  }
}

function errorOf(row: ChannelRow, status: StatusOutcome): ChannelError | null {
  const at = new Date().toISOString();
  if (status.outcome !== 'ok') {
    return { code: 'gateway_unreachable', message: 'The gateway could not be reached at the last look.', at };
  }
  if (!status.connected) {
    const gone = /401|logged out/i.test(status.lastDisconnectReason ?? '');
    const what = gone ? "Scan the QR code in the gateway's dashboard again." : 'It may come back by itself.';
    return { code: 'session_down', message: `The WhatsApp session is ${status.status}. ${what}`, at };
  }
  if (status.number !== null && row.connected_number !== null && status.number !== row.connected_number) {
    return {
      code: 'other_number',
      message: `The instance is paired with another phone now: ${status.number}.`,
      at,
    };
  }
  return null;
}
