/** Names and payloads that cross into workflows. Row ids and numbers only. */

export const conversationWorkflow = 'conversation';
/** `conversation/<uuid>`: one workflow a conversation. */
export function conversationWorkflowId(conversationId: string): string {
  return `conversation/${conversationId}`;
}

/** Something may be due: `{ at }` is the time (epoch ms) to look into Postgres. Lost or doubled, it changes no answer. */
export const nudgeSignal = 'nudge';
/** The time that the sweep gives: it has no news of the user, and changes nothing that an operator has said. */
export const sweepsNudge = 0;

/** What an operator can ask of a conversation. */
export const controlSignal = 'control';
export type Control = 'flush' | 'stopFollowUps' | 'close';

export const statusQuery = 'status';
export const recentRunsQuery = 'recentRuns';

export interface ConversationStatus {
  doing: string;
  since: string;
  turns: number;
  groupDueAt?: string;
  followUp?: { attempt: number; dueAt: string };
  followUpsStopped?: true;
  closing?: true;
  state?: string;
  /** The last signal whose data could not be read. */
  refused?: { signal: string; at: string };
}

export const sweepWorkflow = 'sweep';

export const watchWorkflow = 'watch';

export const channelWorkflow = 'channel';
/** `channel/<agent id>`: the steps of an agent's WhatsApp connection, one after the other. */
export function channelWorkflowId(agentId: string): string {
  return `channel/${agentId}`;
}
/** Takes the id of a check's row; answers with its result's name. */
export const channelCheckUpdate = 'check';

export const toolActionWorkflow = 'toolAction';
/** `tool/<uuid>`: one workflow for each action that is asked for by itself. */
export function toolActionWorkflowId(executionId: string): string {
  return `tool/${executionId}`;
}
