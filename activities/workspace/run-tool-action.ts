/** Runs an action that was called over the API or MCP. */
import { cancellationSignal } from '@temporalio/activity';
import { finishToolExecution } from '../../src/adapters/postgres/workspace/tool-executions.ts';
import { withHeartbeat } from '../../src/worker/heartbeat.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';
import { executeAction, givenUp } from '../../src/app/workspace/execute-action.ts';

export function runToolActionActivity(deps: Pick<ActivityDeps, 'docs' | 'attempts'>) {
  return {
    /** Its result is stored in tool_executions. */
    async runToolAction(executionId: string): Promise<void> {
      await withHeartbeat(() =>
        deps.attempts.guarded(`action/${executionId}`, {
          work: () => executeAction(deps.docs, executionId, cancellationSignal()),
          giveUp: async (why) => {
            const result = givenUp(why);
            await finishToolExecution(deps.docs.db, executionId, result);
            return result;
          },
        }),
      );
    },
  };
}
