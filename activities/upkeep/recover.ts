/**
 * Recovers what a crash left behind: groups whose nudge was lost, runs and callbacks whose workflow is gone, and
 * conversations whose workflow ignores what is due.
 */
import { log } from '@temporalio/activity';
import {
  findStalled,
  forgetOldAttempts,
  noteReplacedWorkflow,
  type StalledConversation,
} from '../../src/adapters/postgres/conversations/stalled.ts';
import { countCallback, countRun, countSwept, sweepEnded } from '../../src/observability/worker-metrics.ts';
import { withHeartbeat } from '../../src/worker/heartbeat.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { inParallel } from '../../src/worker/in-parallel.ts';

const batch = 1000;
const atOnce = 16;
/** A workflow is replaced after this many nudges without effect. Each further replacement takes twice as many. */
const nudges = 3;
const patienceMs = 60_000;
const maxDoublings = 6;
/** More failures mean that Temporal or Postgres is unavailable; the next round finds the rest. */
const maxFailures = 20;

export function recoverActivities(deps: ActivityDeps) {
  const recover = async () => await withHeartbeat(look);
  return {
    recover,
    /** The activity's former name. Workflows that started before the rename still call it. */
    sweepStalled: recover,
  };

  async function look(): Promise<{ nudged: number; failed: number; replaced: number }> {
    const done = { nudged: 0, failed: 0, replaced: 0 };
    let failures = 0;
    await inParallel(await findStalled(deps.db, batch), atOnce, async (stalled) => {
      try {
        for (const what of await takeUp(stalled)) {
          countSwept({ action: what });
          done[what] += 1;
        }
      } catch (error) {
        // A failing conversation must not delay the others. The next round finds it again.
        failures += 1;
        if (failures > maxFailures) throw error;
        log.warn('a conversation could not be taken up', { conversationId: stalled.id, error });
      }
    });
    const unknown = await forgetOldAttempts(deps.db, deps.callbackTimeoutMs + 20_000, batch);
    countCallback({ outcome: 'unknown' }, unknown);
    sweepEnded();
    return done;
  }

  /** @returns what was done for this conversation */
  async function takeUp(stalled: StalledConversation): Promise<('nudged' | 'failed' | 'replaced')[]> {
    const { id, organization_id: organizationId, agent_id: agentId, channel, running_run: run } = stalled;
    const address = { id, organizationId, agentId, channel };
    const deaf = stalled.looks > nudges && stalled.stalled_ms >= patienceWith(stalled.replaced);
    const state = run !== null || deaf ? await deps.workflows.state(id) : undefined;
    if (deaf && state?.kind === 'running' && (state.failing || (state.idle && !stalled.delivers))) {
      log.warn('a workflow did nothing about what was due: it begins anew', { conversationId: id, ...state });
      await deps.workflows.nudge(address, true);
      await noteReplacedWorkflow(deps.db, id);
      return ['replaced'];
    }
    // The workflow is working, or one of its replies waits for the gateway.
    if (run !== null && state?.kind === 'running' && !(state.idle && !stalled.delivers)) return [];
    const stopped = run !== null && state?.kind === 'stopped_by_operator';
    if (stopped) {
      // The run fails with this reason; the runs after it continue.
      await deps.runs.fail(run, 'The run was stopped by an operator.');
      countRun({ outcome: 'failed' });
    }
    await deps.workflows.nudge(address);
    return stopped ? ['failed', 'nudged'] : ['nudged'];
  }
}

function patienceWith(replaced: number): number {
  return patienceMs * 2 ** Math.min(replaced, maxDoublings);
}
