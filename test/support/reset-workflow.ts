/**
 * Resets a workflow as an operator does with `temporal workflow reset --type FirstWorkflowTask` or `LastWorkflowTask`.
 */
import { randomUUID } from 'node:crypto';
import type { Client } from '@temporalio/client';

/** Ends the current run and begins another that has the history up to this task. @returns the new run's id */
export async function resetWorkflow(
  client: Client,
  namespace: string,
  workflowId: string,
  to: 'first' | 'last' = 'first',
): Promise<string> {
  const handle = client.workflow.getHandle(workflowId);
  const { runId } = await handle.describe();
  const { events } = await client.workflow.getHandle(workflowId, runId).fetchHistory();
  const tasks = (events ?? []).filter((event) => event.workflowTaskCompletedEventAttributes != null);
  const answer = await client.workflowService.resetWorkflowExecution({
    namespace,
    workflowExecution: { workflowId, runId },
    workflowTaskFinishEventId: tasks.at(to === 'first' ? 0 : -1)?.eventId ?? null,
    requestId: randomUUID(),
    reason: 'a test',
  });
  return answer.runId;
}
