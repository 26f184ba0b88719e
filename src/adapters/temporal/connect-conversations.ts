/** Temporal, and in it the conversations' workflows by the names that src/contract/workflows.ts gives them. */
import type { Client } from '@temporalio/client';
import {
  connectTemporal,
  conversationWorkflows,
  type ConversationWorkflows,
} from './conversation-workflows.ts';
import { conversationWorkflow, conversationWorkflowId, nudgeSignal } from '../../contract/workflows.ts';

/** @param deadlineMs what a nudge may take before it counts as refused */
export function connectConversations(
  settings: { TASK_QUEUE: string; IDLE_SECONDS: number },
  deadlineMs: number,
): { client: Client; namespace: string; workflows: ConversationWorkflows } {
  const { client, namespace } = connectTemporal();
  const workflows = conversationWorkflows({
    client,
    namespace,
    taskQueue: settings.TASK_QUEUE,
    workflowType: conversationWorkflow,
    workflowId: conversationWorkflowId,
    signal: nudgeSignal,
    idleMs: settings.IDLE_SECONDS * 1000,
    deadlineMs,
  });
  return { client, namespace, workflows };
}
