/** Takes up what a crash left behind: groups whose nudge was lost, runs and callbacks whose workflow is gone, and
 *  what is to be erased. */
import { findStalled, forgetOldAttempts } from '../src/adapters/db/stalled.ts';
import { forgetOldKeys } from '../src/adapters/db/inputs.ts';
import { forgetOldStreams } from '../src/adapters/db/stream-events.ts';
import { forgetOldToolExecutions } from '../src/adapters/db/tool-executions.ts';
import { countCallback, countRun, countSwept, sweepEnded } from '../src/observability/worker-metrics.ts';
import type { ActivityDeps } from './deps.ts';
import { eraseDue } from './erase-due.ts';
import { eraseExpired } from './erase-expired.ts';

export interface WorkflowLookup {
  /** What Temporal says of the conversation's workflow. */
  state(conversationId: string): Promise<'running' | 'stopped_by_operator' | 'none'>;
  nudge(conversation: {
    id: string;
    organizationId: string;
    agentId: string;
    channel: string;
  }): Promise<void>;
}

const batch = 1000;

export function sweepStalledActivity(deps: ActivityDeps) {
  return {
    async sweepStalled(): Promise<{
      nudged: number;
      failed: number;
      /** Looked at, whatever came of it. */
      erasures: number;
      expired: number;
    }> {
      await forgetOldKeys(deps.db);
      await forgetOldStreams(deps.db);
      await forgetOldToolExecutions(deps.db);
      const unknown = await forgetOldAttempts(deps.db, deps.callbackTimeoutMs + 20_000);
      countCallback({ outcome: 'unknown' }, unknown);
      let nudged = 0;
      let failed = 0;
      for (const stalled of await findStalled(deps.db, batch)) {
        if (stalled.running_run !== null) {
          const state = await deps.workflows.state(stalled.id);
          if (state === 'running') continue;
          // An operator has stopped it: the run ends, and says so. What waits behind it goes on.
          if (state === 'stopped_by_operator') {
            await deps.runs.fail(stalled.running_run, 'The run was stopped by an operator.');
            countRun({ outcome: 'failed' });
            countSwept({ action: 'failed' });
            failed += 1;
          }
        }
        const { id, organization_id: organizationId, agent_id: agentId, channel } = stalled;
        await deps.workflows.nudge({ id, organizationId, agentId, channel });
        countSwept({ action: 'nudged' });
        nudged += 1;
      }
      const ended = { nudged, failed, expired: await eraseExpired(deps.db), erasures: await eraseDue(deps) };
      sweepEnded();
      return ended;
    },
  };
}
