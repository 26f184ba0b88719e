import { cancellationSignal } from '@temporalio/activity';
import { finishToolExecution } from '../../src/adapters/postgres/workspace/tool-executions.ts';
import { executeAction, givenUp } from '../../src/app/workspace/execute-action.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/** Runs an action that was called over the API or MCP. Its result is stored in tool_executions. */
export function runToolActionActivity({ docs, attempts }: Pick<ActivityDeps, 'docs' | 'attempts'>) {
  return async (executionId: string): Promise<void> => {
    await attempts.guarded(`action/${executionId}`, {
      work: () => executeAction(docs, executionId, cancellationSignal()),
      giveUp: async (why) => {
        const result = givenUp(why);
        await finishToolExecution(docs.db, executionId, result);
        return result;
      },
    });
  };
}
