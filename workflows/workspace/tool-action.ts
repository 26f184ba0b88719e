/** Runs one tool call from the API, the console or MCP, with the same timeouts and retries as an agent's tool call. */
import { ApplicationFailure } from '@temporalio/workflow';
import { isRowId } from '../../src/contract/workflows.ts';
import { toolActivities } from '../policies.ts';

/**
 * @throws ApplicationFailure NoExecution, not retryable, if the argument is not a row's id; the failures of the
 * activity
 */
export async function toolAction(executionId: string): Promise<void> {
  if (!isRowId(executionId))
    throw ApplicationFailure.nonRetryable('The argument must be the id of an execution.', 'NoExecution');
  await toolActivities.runToolAction.executeWithOptions({ summary: 'workspace action' }, [executionId]);
}
