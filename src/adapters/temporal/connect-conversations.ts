/** The client of Temporal and, with it, the conversations' workflows. */
import type { Client } from '@temporalio/client';
import {
  connectTemporal,
  conversationWorkflows,
  type ConversationWorkflows,
} from './conversation-workflows.ts';

/** @param deadlineMs how long a nudge may take before it counts as refused */
export function connectConversations(
  settings: { TASK_QUEUE: string; IDLE_SECONDS: number },
  deadlineMs: number,
): { client: Client; namespace: string; workflows: ConversationWorkflows } {
  const { client, namespace } = connectTemporal();
  const workflows = conversationWorkflows({
    client,
    namespace,
    taskQueue: settings.TASK_QUEUE,
    idleMs: settings.IDLE_SECONDS * 1000,
    deadlineMs,
  });
  return { client, namespace, workflows };
}
