/**
 * Checks the sessions and webhooks of connected channels, posts due alerts, fetches remaining files, and checks
 * refused connections to workspaces again.
 */
import { isDatabaseUnavailable } from '../../adapters/postgres/database.ts';
import { findPendingAlerts, writeDownAlerts } from '../../adapters/postgres/whatsapp/alerts.ts';
import { findDueChannels } from '../../adapters/postgres/whatsapp/channel-watch.ts';
import type { ChannelRow } from '../../adapters/postgres/whatsapp/channels.ts';
import { checkChannelHealth } from './check-health.ts';
import type { ActivityDeps } from '../deps.ts';
import { fetchRemainingFiles } from './fetch-remaining-files.ts';
import { recheckRefusedConnections } from '../workspace/recheck-refused-connections.ts';
import { postCallback } from '../conversations/post-callback.ts';

const batch = 1000;
const atOnce = 32;
/**
 * Maximum checks in progress per organization, so that gateways that do not answer do not delay the checks of other
 * organizations. Chosen.
 */
const atOncePerOrganization = 4;
const alertBatch = 200;
/**
 * Milliseconds after which a round starts no further check. Chosen: well below the activity's timeout. The next round
 * checks the channels that are still due.
 */
const maxMs = 180_000;

/**
 * Runs one round: checks the channels that are due, fetches remaining files, checks refused connections to workspaces
 * again, and posts alerts. Safe to repeat, because only channels that are due are checked.
 * @returns the number of channels that were due, at most `batch`, and the number of alerts that it tried to post, at
 * most `alertBatch`
 * @throws a database error if Postgres is unavailable
 */
export async function watchChannels(
  deps: ActivityDeps,
  signal: AbortSignal,
): Promise<{ checked: number; alerts: number }> {
  const { db, outbox } = deps;
  // This work runs at the same time as the checks, so that a gateway that serves files slowly does not delay them.
  const others = [fetchRemainingFiles(deps, signal), recheckRefusedConnections(deps.docs)];
  const [checked] = await Promise.all([checkDue(deps), ...others]);
  await writeDownAlerts(db);
  const alerts = await findPendingAlerts(db, alertBatch);
  // If the post of an alert fails, either `postCallback` has recorded the failure, or the next round tries again.
  await Promise.allSettled(alerts.map((id) => outbox.post(id, () => postCallback(deps, id))));
  return { checked, alerts: alerts.length };
}

async function checkDue({ db, channel, warn }: ActivityDeps): Promise<number> {
  const due = await findDueChannels(db, batch);
  const left = [...due];
  const inProgress = new Map<string, number>();
  const until = performance.now() + maxMs;
  const take = (): ChannelRow | undefined => {
    if (performance.now() > until) return undefined;
    const next = left.findIndex((row) => (inProgress.get(row.organization_id) ?? 0) < atOncePerOrganization);
    return next < 0 ? undefined : left.splice(next, 1)[0];
  };
  const lane = async (): Promise<void> => {
    for (let row = take(); row !== undefined; row = take()) {
      const of = row.organization_id;
      inProgress.set(of, (inProgress.get(of) ?? 0) + 1);
      // Makes the channel due again after half an interval, so that it is certainly due in the next round, which
      // begins a whole interval later.
      try {
        await checkChannelHealth({ ...channel, db }, row, channel.times.sessionCheckMs / 2);
      } catch (err) {
        if (isDatabaseUnavailable(err)) throw err;
        // A channel cannot be checked if, for example, its token was encrypted with a lost key. This must not prevent
        // the checks of the other channels.
        warn({ agent_id: row.agent_id, err }, 'a channel could not be checked');
      } finally {
        inProgress.set(of, (inProgress.get(of) ?? 1) - 1);
      }
    }
  };
  await Promise.all(Array.from({ length: atOnce }, lane));
  return due.length;
}
