/** An action that was asked for by itself, over the API or MCP. */
import { cancellationSignal, heartbeat } from '@temporalio/activity';
import type { ActivityDeps } from './deps.ts';
import { executeAction } from './execute-action.ts';

const heartbeatMs = 4000;

export function runToolActionActivity(deps: Pick<ActivityDeps, 'docs'>) {
  return {
    /** Its result stands in tool_executions. */
    async runToolAction(executionId: string): Promise<void> {
      const beats = setInterval(heartbeat, heartbeatMs);
      try {
        await executeAction(deps.docs, executionId, cancellationSignal());
      } finally {
        clearInterval(beats);
      }
    },
  };
}
