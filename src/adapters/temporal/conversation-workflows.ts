/** The client's side of Temporal: nudging a conversation's workflow, asking for its state, erasing its history. */
import { Client, Connection, WorkflowNotFoundError, isGrpcServiceError } from '@temporalio/client';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import { inSpan } from '../../observability/spans.ts';
import {
  conversationWorkflow,
  conversationWorkflowId,
  nudgeSignal,
  searchAttributes,
  type Nudge,
  type Workflows,
} from '../../contract/workflows.ts';

/** The SDK's own settings (TEMPORAL_ADDRESS, TEMPORAL_API_KEY, TEMPORAL_TLS_…, a profile) decide where it is.
 *  The connection is made at the first call: an API starts, and says 503, while Temporal is away. */
export function connectTemporal(): { client: Client; namespace: string } {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = Connection.lazy({
    ...connectionOptions,
    // gRPC waits up to two minutes between tries otherwise, and so would callers once Temporal is back.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2000 },
  });
  return { client: new Client({ connection, namespace }), namespace };
}

export interface ConversationAddress {
  id: string;
  organizationId: string;
  agentId: string;
  channel: string;
}

/** What Temporal says of a conversation's workflow. */
export type WorkflowState =
  | {
      kind: 'running';
      /** Its last task failed, or was lost with its worker. */
      failing: boolean;
      /** It waits for a timer or a signal, and does nothing meanwhile. */
      idle: boolean;
    }
  | { kind: 'stopped_by_operator' | 'none' };

export interface ConversationWorkflows {
  /**
   * Starts the workflow where it does not run.
   * @param at when to look (epoch ms)
   * @param anew terminates a running workflow first; the new one starts from the rows in Postgres
   */
  nudge(conversation: ConversationAddress, at: number, anew?: boolean): Promise<void>;
  state(conversationId: string): Promise<WorkflowState>;
  /** Ends the workflow and deletes every history of it. @returns false when there was none */
  erase(conversationId: string): Promise<boolean>;
  /** The same for all that was ever started for an organization. @param goOn false once there is no more time */
  eraseOfOrganization(organizationId: string, goOn: () => boolean): Promise<boolean>;
}

interface Options {
  client: Client;
  namespace: string;
  taskQueue: string;
  idleMs: number;
  /** What a call may take before it counts as refused. */
  deadlineMs: number;
}

/** @returns the client; its methods throw Temporal's errors, also after `deadlineMs` without an answer */
export function conversationWorkflows(options: Options): ConversationWorkflows {
  const { client, namespace, taskQueue, idleMs, deadlineMs } = options;
  return {
    async nudge({ id, organizationId, agentId, channel }, at, anew = false) {
      const workflowId = conversationWorkflowId(id);
      const attributes = { 'temporal.workflow_id': workflowId };
      const span = `SignalWithStartWorkflow:${conversationWorkflow}`;
      const signalWithStart = async () => {
        await client.workflow.signalWithStart<Workflows['conversation'], [Nudge]>(conversationWorkflow, {
          workflowId,
          taskQueue,
          workflowIdConflictPolicy: anew ? 'TERMINATE_EXISTING' : 'USE_EXISTING',
          args: [{ conversationId: id, idleMs }],
          signal: nudgeSignal,
          signalArgs: [{ at }],
          staticSummary: `${channel} conversation`,
          staticDetails: `Organization ${organizationId}, first agent ${agentId}. The texts are in the console, never here.`,
          typedSearchAttributes: [
            { key: searchAttributes.organization, value: organizationId },
            { key: searchAttributes.agent, value: agentId },
            { key: searchAttributes.conversation, value: id },
            { key: searchAttributes.channel, value: channel },
          ],
          priority: { fairnessKey: organizationId },
        });
      };
      await inSpan(span, { kind: 'PRODUCER', attributes }, () =>
        client.withDeadline(Date.now() + deadlineMs, signalWithStart),
      );
    },

    async state(conversationId) {
      try {
        const { status, raw } = await client.workflow
          .getHandle(conversationWorkflowId(conversationId))
          .describe();
        if (status.name === 'RUNNING' || status.name === 'PAUSED') {
          const { pendingWorkflowTask: task, pendingActivities } = raw;
          return {
            kind: 'running',
            // Each signal begins the count anew.
            failing: (task?.attempt ?? 1) > 1,
            idle: status.name === 'RUNNING' && !task && !pendingActivities?.length,
          };
        }
        const stopped =
          status.name === 'TERMINATED' || status.name === 'CANCELLED' || status.name === 'FAILED';
        return { kind: stopped ? 'stopped_by_operator' : 'none' };
      } catch (error) {
        if (error instanceof WorkflowNotFoundError) return { kind: 'none' };
        throw error;
      }
    },

    async erase(conversationId) {
      const id = conversationWorkflowId(conversationId);
      // What was started a moment ago may not be listed yet.
      const current = await client.workflow
        .getHandle(id)
        .describe()
        .catch((error: unknown) => {
          if (!(error instanceof WorkflowNotFoundError)) throw error;
        });
      if (current) await deleteExecution(id, current.runId);
      const listed = await deleteListed(`WorkflowId = '${id}'`, () => true);
      return listed || current !== undefined;
    },

    async eraseOfOrganization(organizationId, goOn) {
      return await deleteListed(`${searchAttributes.organization.name} = '${organizationId}'`, goOn);
    },
  };

  async function deleteListed(query: string, goOn: () => boolean): Promise<boolean> {
    let found = false;
    for await (const { workflowId: id, runId } of client.workflow.list({ query })) {
      found = true;
      if (!goOn()) break;
      await deleteExecution(id, runId);
    }
    return found;
  }

  /** Of a workflow that runs, this ends it. */
  async function deleteExecution(id: string, runId: string): Promise<void> {
    try {
      await client.workflowService.deleteWorkflowExecution({
        namespace,
        workflowExecution: { workflowId: id, runId },
      });
    } catch (error) {
      const code: number | undefined = isGrpcServiceError(error) ? error.code : undefined;
      if (code !== grpcNotFound) throw error;
    }
  }
}

const grpcNotFound = 5;
