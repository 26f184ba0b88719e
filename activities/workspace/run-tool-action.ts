import { cancellationSignal } from '@temporalio/activity';
import { endAction } from '../../src/app/workspace/end-action.ts';
import { givenUp } from '../../src/app/workspace/execute-action.ts';
import { executeTool } from '../../src/app/execute-tool.ts';
import type { ActivityDeps } from '../../src/app/deps.ts';

/**
 * Makes one attempt at a recorded execution of a document action, an HTTP tool or an MCP server's tool that was called
 * through the API, the console or MCP, and stores its result. Does nothing if the execution has a result or was
 * erased. If too many workers were lost, stores a failed result.
 * @throws a retryable failure if the attempt must be repeated later
 */
export function runToolActionActivity(deps: Pick<ActivityDeps, 'docs' | 'httpTools' | 'attempts'>) {
  return async (executionId: string): Promise<void> => {
    await deps.attempts.guarded<unknown>(`action/${executionId}`, {
      work: () => executeTool(deps, executionId, cancellationSignal()),
      giveUp: async (why) => {
        await endAction(deps.docs.db, { id: executionId }, givenUp(why));
      },
    });
  };
}
