/**
 * Recovers work that has stalled, for example after a crash: groups of inputs whose nudge was lost, runs and deliveries
 * whose workflow no longer runs, and conversations whose workflow ignores due work.
 */
import {
  findStalled,
  recordLostAttempts,
  recordReplacedWorkflow,
  type StalledConversation,
} from '../../adapters/postgres/conversations/stalled.ts';
import {
  countCallback,
  countRun,
  countRecovered,
  recoveryCompleted,
} from '../../observability/worker-metrics.ts';
import type { ActivityDeps } from '../deps.ts';
import { inParallel } from '../in-parallel.ts';

const batch = 1000;
const atOnce = 16;
/**
 * A workflow that ignores due work is replaced once more than this many nudges have had no effect and `patienceMs`
 * have passed. With each replacement for the same work, this time doubles, at most `maxDoublings` times. Chosen.
 */
const nudges = 3;
const patienceMs = 60_000;
const maxDoublings = 6;
/**
 * Maximum conversations whose recovery may fail in one round. More failures suggest that Temporal or Postgres is
 * unavailable, so the round ends; the next round finds the other conversations. Chosen.
 */
const maxFailures = 20;

type Recovery = 'nudged' | 'failed' | 'replaced';
/** The counts of one round: conversations nudged, runs failed, and workflows replaced. */
export type Recovered = Record<Recovery, number>;

/**
 * Runs one round of recovery, and sets callbacks whose attempt was lost to `unknown`. May run at any time,
 * concurrently with workflows, because it handles only groups that are more than 5 s overdue, runs that were claimed
 * more than 20 s ago, and deliveries that have been pending for more than 20 s.
 * @throws the error of a conversation once more than `maxFailures` conversations have failed
 */
export async function recoverStalled(deps: ActivityDeps): Promise<Recovered> {
  const done = { nudged: 0, failed: 0, replaced: 0 };
  let failures = 0;
  await inParallel(await findStalled(deps.db, batch), atOnce, async (stalled) => {
    try {
      for (const what of await recover(deps, stalled)) {
        countRecovered({ action: what });
        done[what] += 1;
      }
    } catch (err) {
      // A failing conversation must not delay the others. The next round finds it again.
      failures += 1;
      if (failures > maxFailures) throw err;
      deps.warn({ conversation_id: stalled.id, err }, 'a conversation could not be recovered');
    }
  });
  const unknown = await recordLostAttempts(deps.db, deps.callbackTimeoutMs + 20_000, batch);
  countCallback({ outcome: 'unknown' }, unknown);
  recoveryCompleted();
  return done;
}

async function recover(deps: ActivityDeps, stalled: StalledConversation): Promise<Recovery[]> {
  const { id, organization_id: organizationId, agent_id: agentId, channel, running_run: run } = stalled;
  const address = { id, organizationId, agentId, channel };
  const ignoresNudges = stalled.times_found > nudges && stalled.stalled_ms >= patienceWith(stalled.replaced);
  const state = run !== null || ignoresNudges ? await deps.workflows.state(id) : undefined;
  if (ignoresNudges && state?.kind === 'running' && (state.failing || (state.idle && !stalled.delivers))) {
    const { failing, idle } = state;
    deps.warn({ conversation_id: id, failing, idle }, 'a workflow ignored what is due; it is replaced');
    await deps.workflows.nudge(address, true);
    await recordReplacedWorkflow(deps.db, id);
    return ['replaced'];
  }
  // If the workflow runs, does nothing for a run in progress: the workflow is working on it, or must first send a
  // delivery of the conversation. Only an idle workflow without a delivery is nudged.
  if (run !== null && state?.kind === 'running' && !(state.idle && !stalled.delivers)) return [];
  const stopped = run !== null && state?.kind === 'stopped_by_operator';
  if (stopped) {
    // Fails this run only; the nudge below starts a workflow for the conversation's other inputs.
    await deps.runs.fail(run, 'The run was stopped by an operator.');
    countRun({ outcome: 'failed' });
  }
  await deps.workflows.nudge(address);
  return stopped ? ['failed', 'nudged'] : ['nudged'];
}

function patienceWith(replaced: number): number {
  return patienceMs * 2 ** Math.min(replaced, maxDoublings);
}
