/** An action that was asked for by itself, over the API or MCP. */
import { cancellationSignal } from '@temporalio/activity';
import { beating } from './beating.ts';
import type { ActivityDeps } from './deps.ts';
import { executeAction } from './execute-action.ts';

export function runToolActionActivity(deps: Pick<ActivityDeps, 'docs'>) {
  return {
    /** Its result stands in tool_executions. */
    async runToolAction(executionId: string): Promise<void> {
      await beating(() => executeAction(deps.docs, executionId, cancellationSignal()));
    },
  };
}
