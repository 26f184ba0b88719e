import { cancellationSignal } from '@temporalio/activity';
import { endAction } from '../../src/app/workspace/end-action.ts';
import { executeAction, givenUp } from '../../src/app/workspace/execute-action.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/** Runs an action that was called over the API or MCP. Its result is stored in tool_executions. */
export function runToolActionActivity({ docs, attempts }: Pick<ActivityDeps, 'docs' | 'attempts'>) {
  return async (executionId: string): Promise<void> => {
    await attempts.guarded(`action/${executionId}`, {
      work: () => executeAction(docs, executionId, cancellationSignal()),
      giveUp: async (why) => {
        const result = givenUp(why);
        await endAction(docs.db, { id: executionId }, result);
        return result;
      },
    });
  };
}
