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
 * Creates a client with the SDK's own settings (TEMPORAL_ADDRESS, TEMPORAL_API_KEY, TEMPORAL_TLS_…, a profile). It
 * connects at the first call, so the process can start while Temporal is unavailable.
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
 * State of the last run of a conversation's workflow. `running`: the run has not ended, even if it is paused.
 * `stopped_by_operator`: it was terminated or cancelled, or failed. `none`: it completed, timed out, or does not exist.
 */
export type WorkflowState =
  | {
      kind: 'running';
      /** True if the last workflow task failed or timed out, for example because its worker ended. */
      failing: boolean;
      /** True if the workflow only waits for a timer or a signal: no task or activity is pending. False if paused. */
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
 * Creates the Temporal clients of a process. They connect at the first call.
 * @param deadlineMs timeout of a nudge
 * @returns `workflows` (the client of conversation workflows), and `client` and `namespace` for all other calls
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
 * Creates the client of conversation workflows. Its functions throw Temporal's errors. A missing workflow is not an
 * error. `deadlineMs` limits only `nudge`.
 */
export function conversationWorkflows(options: Options) {
  const { client, namespace, taskQueue, idleMs, warm = false, deadlineMs } = options;
  return {
    /**
     * Signals the workflow, and starts it if it is not running.
     * @param at when the workflow must check for due work (epoch ms)
     * @param replace true: terminates a running workflow first; the new one continues from the rows in Postgres
     * @throws Temporal's error if the call fails or takes longer than `deadlineMs`; the signal may still arrive
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

    /** Reads the state of the conversation's last workflow run (see `WorkflowState`). */
    async state(conversationId: string): Promise<WorkflowState> {
      try {
        const { status, raw } = await client.workflow
          .getHandle(conversationWorkflowId(conversationId))
          .describe();
        if (status.name === 'RUNNING' || status.name === 'PAUSED') {
          const { pendingWorkflowTask: task, pendingActivities } = raw;
          return {
            kind: 'running',
            // A signal resets the number of attempts. `failing` may then be false although the tasks fail.
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
     * Terminates the conversation's workflow and deletes the histories of all its runs.
     * @returns true if there was a workflow; false if there was none
     */
    async erase(conversationId: string): Promise<boolean> {
      const id = conversationWorkflowId(conversationId);
      // The list below may lag behind and miss a workflow that has just started, so it is also looked up by its id.
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
     * @param hasTime checked before each deletion; if it returns false, the call ends
     * @returns true if the call found workflows: repeat it until it returns false, because some may be left
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

  /** Deletes one execution; Temporal terminates it first if it is running. Does nothing if it does not exist. */
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
/** gRPC codes of `isUnreachable`: CANCELLED (1), DEADLINE_EXCEEDED (4), RESOURCE_EXHAUSTED (8), UNAVAILABLE (14). */
const grpcUnreachable = new Set([1, 4, 8, 14]);

/**
 * True if the same call may succeed later: it was aborted or timed out, Temporal was unreachable or too busy, or the
 * namespace does not exist yet. False for all other errors, for example if Temporal refused the call.
 */
export function isUnreachable(error: unknown): boolean {
  const cause = error instanceof ServiceError ? error.cause : error;
  return isGrpcServiceError(cause)
    ? grpcUnreachable.has(cause.code)
    : error instanceof NamespaceNotFoundError;
}
