/** Temporal client of rehearsal workflows: starts and cancels them. */
import { WorkflowNotFoundError, type Client } from '@temporalio/client';
import {
  rehearsalWorkflow,
  rehearsalWorkflowId,
  searchAttributes,
  type Workflows,
} from '../../contract/workflows.ts';
import { workflowTaskTimeout } from './workflow-task-timeout.ts';

export type RehearsalWorkflows = ReturnType<typeof rehearsalWorkflows>;

export interface RehearsalAddress {
  id: string;
  organizationId: string;
  agentId: string;
}

/**
 * Creates the client of rehearsal workflows. Its functions throw Temporal's errors.
 * @param options.deadlineMs timeout of each call
 */
export function rehearsalWorkflows(options: { client: Client; taskQueue: string; deadlineMs: number }) {
  const { client, taskQueue, deadlineMs } = options;
  return {
    /** Starts the workflow. Does nothing if it is running already. */
    async start({ id, organizationId, agentId }: RehearsalAddress): Promise<void> {
      await client.withDeadline(Date.now() + deadlineMs, async () => {
        await client.workflow.start<Workflows['rehearsal']>(rehearsalWorkflow, {
          workflowId: rehearsalWorkflowId(id),
          taskQueue,
          workflowTaskTimeout,
          workflowIdConflictPolicy: 'USE_EXISTING',
          args: [id],
          staticSummary: 'rehearsal',
          staticDetails: `Organization ${organizationId}, agent ${agentId}. The texts are in the console, never here.`,
          typedSearchAttributes: [
            { key: searchAttributes.organization, value: organizationId },
            { key: searchAttributes.agent, value: agentId },
          ],
          priority: { fairnessKey: organizationId },
        });
      });
    },

    /** Cancels the workflow, which aborts its model calls. Does nothing if it is not running. */
    async cancel(id: string): Promise<void> {
      try {
        await client.withDeadline(Date.now() + deadlineMs, async () => {
          await client.workflow.getHandle(rehearsalWorkflowId(id)).cancel();
        });
      } catch (error) {
        if (!(error instanceof WorkflowNotFoundError)) throw error;
      }
    },
  };
}
