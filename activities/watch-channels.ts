/** Looks at the sessions of connected channels that are due, and tells of those that are down for long. */
import { findUntoldAlerts, writeDownAlerts } from '../src/adapters/db/channel-alerts.ts';
import {
  findDueChannels,
  hasWaitingReplies,
  noteRefusedCredentials,
  recordSeen,
} from '../src/adapters/db/channel-watch.ts';
import { openAccess, type ChannelRow } from '../src/adapters/db/channels.ts';
import type { StatusOutcome } from '../src/adapters/gateway.ts';
import type { ChannelError } from '../src/contract/channel.ts';
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';
import { keepFiles } from './keep-files.ts';
import { lookAtRefusedConnections } from './look-at-refused-connections.ts';
import { postCallback } from './post-callback.ts';

const batch = 200;
const atOnce = 8;
const calmMs = 5 * 60_000;
const uneasyMs = 60_000;

export function watchChannelsActivity(deps: ActivityDeps) {
  const {
    db,
    outbox,
    channel: { gateway, encryption },
  } = deps;
  return {
    async watchChannels(): Promise<{ looked: number; told: number }> {
      return await beating(watch);
    },
  };

  async function watch() {
    await keepFiles(deps);
    await lookAtRefusedConnections(deps.docs);
    const due = await findDueChannels(db, batch);
    const left = [...due];
    await Promise.all(
      Array.from({ length: atOnce }, async () => {
        for (let row = left.pop(); row !== undefined; row = left.pop()) await look(row);
      }),
    );
    await writeDownAlerts(db);
    const alerts = await findUntoldAlerts(db, batch);
    // One that cannot be told now stands in the log as it is, or is taken up at the next look.
    await Promise.allSettled(alerts.map((id) => outbox.post(id, () => postCallback(deps, id))));
    return { looked: due.length, told: alerts.length };
  }

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
