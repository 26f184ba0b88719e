/** Temporal client of the workflow that executes one action of a tool: starts it and waits for its end. */
import { ServiceError, WorkflowFailedError, isGrpcServiceError, type Client } from '@temporalio/client';
import { WorkflowExecutionAlreadyStartedError } from '@temporalio/common';
import {
  searchAttributes,
  toolActionWorkflow,
  toolActionWorkflowId,
  type Workflows,
} from '../../contract/workflows.ts';
import { workflowTaskTimeout } from './workflow-task-timeout.ts';

export type ToolWorkflows = ReturnType<typeof toolWorkflows>;

/** Creates the client of action workflows. @param options.deadlineMs timeout of a start */
export function toolWorkflows(options: { client: Client; taskQueue: string; deadlineMs: number }) {
  const { client, taskQueue, deadlineMs } = options;
  return {
    /** Starts the workflow. Does nothing if it is running already. @throws Temporal's error if the start fails */
    async start(executionId: string, organizationId: string, action: string): Promise<void> {
      try {
        await client.withDeadline(Date.now() + deadlineMs, async () => {
          await client.workflow.start<Workflows['toolAction']>(toolActionWorkflow, {
            workflowId: toolActionWorkflowId(executionId),
            taskQueue,
            workflowTaskTimeout,
            args: [executionId],
            staticSummary: action,
            typedSearchAttributes: [{ key: searchAttributes.organization, value: organizationId }],
            priority: { fairnessKey: organizationId },
          });
        });
      } catch (error) {
        if (!(error instanceof WorkflowExecutionAlreadyStartedError)) throw error;
      }
    },

    /**
     * Waits until the action's workflow has ended. A timeout of the wait does not stop the action.
     * @returns true if the workflow has ended, even if it failed; false if it has not ended within `timeoutMs`, or if
     * the call to Temporal fails
     * @throws WorkflowNotFoundError if there is no such workflow
     */
    async ended(executionId: string, timeoutMs: number): Promise<boolean> {
      try {
        await client.withDeadline(Date.now() + timeoutMs, async () => {
          await client.workflow
            .getHandle<Workflows['toolAction']>(toolActionWorkflowId(executionId))
            .result();
        });
        return true;
      } catch (error) {
        if (error instanceof WorkflowFailedError) return true;
        if (isGrpcServiceError(error) || error instanceof ServiceError) return false;
        throw error;
      }
    },
  };
}
