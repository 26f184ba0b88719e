/** Temporal client of conversation workflows: nudges a workflow, reads its state, erases its history. */
import {
  Client,
  Connection,
  ServiceError,
  WorkflowNotFoundError,
  isGrpcServiceError,
} from '@temporalio/client';
import { NamespaceNotFoundError } from '@temporalio/common';
import { loadClientConnectConfig } from '@temporalio/envconfig';
import type { ChannelName } from '../../contract/conversations/channel-name.ts';
import { inSpan } from '../../observability/spans.ts';
import {
  conversationWorkflow,
  conversationWorkflowId,
  nudgeSignal,
  searchAttributes,
  type Nudge,
  type Workflows,
} from '../../contract/workflows.ts';
import { workflowTaskTimeout } from './workflow-task-timeout.ts';

/**
 * Connects with the SDK's own settings (TEMPORAL_ADDRESS, TEMPORAL_API_KEY, TEMPORAL_TLS_…, a profile). The connection
 * opens at the first call, so the process can start while Temporal is unavailable.
 */
function connectTemporal(): { client: Client; namespace: string } {
  const { connectionOptions, namespace = 'default' } = loadClientConnectConfig();
  const connection = Connection.lazy({
    ...connectionOptions,
    // By default, gRPC waits up to two minutes between attempts to connect, so calls could still fail two minutes after
    // Temporal is available again.
    channelArgs: { 'grpc.initial_reconnect_backoff_ms': 200, 'grpc.max_reconnect_backoff_ms': 2000 },
  });
  return { client: new Client({ connection, namespace }), namespace };
}

export interface ConversationAddress {
  id: string;
  organizationId: string;
  agentId: string;
  channel: ChannelName;
}

/**
 * State of the last run of a conversation's workflow. `running` also if it is paused; `stopped_by_operator` if it was
 * terminated or cancelled, or failed; `none` if it completed, timed out, or does not exist.
 */
export type WorkflowState =
  | {
      kind: 'running';
      /** True if its last workflow task failed, or was lost with its worker. */
      failing: boolean;
      /** True if the workflow has no pending task or activity, so it waits for a timer or a signal. */
      idle: boolean;
    }
  | { kind: 'stopped_by_operator' | 'none' };

export type ConversationWorkflows = ReturnType<typeof conversationWorkflows>;

interface Options {
  client: Client;
  namespace: string;
  taskQueue: string;
  idleMs: number;
  /** True if one activity may execute several runs of a conversation (WARM_TURNS above 1). */
  warm?: boolean;
  /** Timeout of a nudge. */
  deadlineMs: number;
}

/**
 * Connects to Temporal.
 * @param deadlineMs timeout of a nudge
 * @returns `workflows`, the client of conversation workflows; `client` and `namespace`, for all other calls
 */
export function connectConversations(
  settings: { TASK_QUEUE: string; IDLE_SECONDS: number; WARM_TURNS: number },
  deadlineMs: number,
): { client: Client; namespace: string; workflows: ConversationWorkflows } {
  const { client, namespace } = connectTemporal();
  const workflows = conversationWorkflows({
    client,
    namespace,
    taskQueue: settings.TASK_QUEUE,
    idleMs: settings.IDLE_SECONDS * 1000,
    warm: settings.WARM_TURNS > 1,
    deadlineMs,
  });
  return { client, namespace, workflows };
}

/**
 * Creates the client of conversation workflows. Its functions throw Temporal's errors, but do not fail if the workflow
 * is missing. `deadlineMs` limits only `nudge`.
 */
export function conversationWorkflows(options: Options) {
  const { client, namespace, taskQueue, idleMs, warm = false, deadlineMs } = options;
  return {
    /**
     * Signals the workflow, and starts it if it is not running.
     * @param at when the workflow must check for due work (epoch ms)
     * @param replace true: terminates a running workflow first; the new one starts from the rows in Postgres
     */
    async nudge(conversation: ConversationAddress, at: number, replace = false): Promise<void> {
      const { id, organizationId, agentId, channel } = conversation;
      const workflowId = conversationWorkflowId(id);
      const attributes = { 'temporal.workflow_id': workflowId };
      const span = `SignalWithStartWorkflow:${conversationWorkflow}`;
      const signalWithStart = async () => {
        await client.workflow.signalWithStart<Workflows['conversation'], [Nudge]>(conversationWorkflow, {
          workflowId,
          taskQueue,
          workflowTaskTimeout,
          workflowIdConflictPolicy: replace ? 'TERMINATE_EXISTING' : 'USE_EXISTING',
          args: [{ conversationId: id, idleMs, ...(warm && { isKeptWarm: true }) }],
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

    /**
     * @returns the state of the workflow's last run: `running` also if it is paused; `stopped_by_operator` if it was
     * terminated or cancelled, or failed; `none` if it completed, timed out, or does not exist
     */
    async state(conversationId: string): Promise<WorkflowState> {
      try {
        const { status, raw } = await client.workflow
          .getHandle(conversationWorkflowId(conversationId))
          .describe();
        if (status.name === 'RUNNING' || status.name === 'PAUSED') {
          const { pendingWorkflowTask: task, pendingActivities } = raw;
          return {
            kind: 'running',
            // Each signal resets the number of attempts, so `failing` may be false although the tasks fail.
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

    /**
     * Terminates the workflow and deletes all of its histories.
     * @returns false if there was none
     */
    async erase(conversationId: string): Promise<boolean> {
      const id = conversationWorkflowId(conversationId);
      // The list may not contain a workflow that started a moment ago, so it is also looked up by its id.
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

    /**
     * Terminates the organization's workflows and deletes their histories.
     * @param hasTime returns false once there is no time left
     * @returns true if the call found any, so it must be repeated; false if none was left
     */
    async eraseOfOrganization(organizationId: string, hasTime: () => boolean): Promise<boolean> {
      return await deleteListed(`${searchAttributes.organization.name} = '${organizationId}'`, hasTime);
    },
  };

  async function deleteListed(query: string, hasTime: () => boolean): Promise<boolean> {
    let found = false;
    for await (const { workflowId: id, runId } of client.workflow.list({ query })) {
      found = true;
      if (!hasTime()) break;
      await deleteExecution(id, runId);
    }
    return found;
  }

  /** Deletes one execution, which Temporal terminates first if it is running. Does nothing if there is none. */
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
/** The gRPC codes CANCELLED, DEADLINE_EXCEEDED, RESOURCE_EXHAUSTED and UNAVAILABLE. */
const grpcUnreachable = new Set([1, 4, 8, 14]);

/**
 * True if the same call may succeed later, because Temporal did not answer, was too busy, or does not know the
 * namespace yet. False for all other errors, for example if Temporal refused the call.
 */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause)
    ? grpcUnreachable.has(cause.code)
    : error instanceof NamespaceNotFoundError;
}
