/** Temporal client for channel workflows: requests a channel check and waits until it has ended. */
import { WithStartWorkflowOperation, type Client } from '@temporalio/client';
import {
  channelCheckUpdate,
  channelWorkflow,
  channelWorkflowId,
  searchAttributes,
  type Workflows,
} from '../../contract/workflows.ts';
import { workflowTaskTimeout } from './workflow-task-timeout.ts';

export type ChannelWorkflows = ReturnType<typeof channelWorkflows>;

/** Creates the client for channel workflows. @param options.deadlineMs maximum milliseconds that `check` waits */
export function channelWorkflows(options: { client: Client; taskQueue: string; deadlineMs: number }) {
  const { client, taskQueue, deadlineMs } = options;
  return {
    /**
     * Starts the channel's workflow if it is not running, requests the check, and waits until its outcome is recorded.
     * A repeated call with the same `checkId` waits for the same check.
     * @param checkId a check that `recordCheck` has stored
     * @throws Temporal's error if Temporal cannot be reached, if the check fails, or if the wait takes longer than
     * `deadlineMs`
     */
    async check(channel: { agentId: string; organizationId: string }, checkId: string): Promise<void> {
      const { agentId, organizationId } = channel;
      const startWorkflowOperation = new WithStartWorkflowOperation<Workflows['channel']>(channelWorkflow, {
        workflowId: channelWorkflowId(agentId),
        args: [],
        taskQueue,
        workflowTaskTimeout,
        workflowIdConflictPolicy: 'USE_EXISTING',
        staticSummary: 'WhatsApp channel',
        staticDetails: `Organization ${organizationId}, agent ${agentId}. Credentials are in the database, sealed; never here.`,
        typedSearchAttributes: [
          { key: searchAttributes.organization, value: organizationId },
          { key: searchAttributes.agent, value: agentId },
          { key: searchAttributes.channel, value: 'whatsapp' },
        ],
        priority: { fairnessKey: organizationId },
      });
      await client.withDeadline(Date.now() + deadlineMs, () =>
        client.workflow.executeUpdateWithStart(channelCheckUpdate, {
          args: [checkId],
          updateId: checkId,
          startWorkflowOperation,
        }),
      );
    },
  };
}
