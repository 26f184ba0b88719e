/** Runs one action for the API or MCP, as durably as one that an agent calls. */
import { ApplicationFailure } from '@temporalio/workflow';
import { isRowId } from '../../src/contract/workflows.ts';
import { toolActivities } from '../policies.ts';

export async function toolAction(executionId: string): Promise<void> {
  if (!isRowId(executionId))
    throw ApplicationFailure.nonRetryable('It takes the id of an execution.', 'NoExecution');
  await toolActivities.runToolAction.executeWithOptions({ summary: 'the action, at the workspace' }, [
    executionId,
  ]);
}
