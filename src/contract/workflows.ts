/**
 * Definitions that workflows and their clients share: types, ids, signals, queries, updates, schedules and search
 * attributes. Arguments and results contain only ids, numbers and codes, because histories must not contain
 * conversation text. Workflows validate the data of signals and updates, and ids of rows, because a person or another
 * version may have sent them.
 */
import { defineSearchAttributeKey, SearchAttributeType } from '@temporalio/common';
import { defineQuery, defineSignal, defineUpdate } from '@temporalio/workflow';

/** The registered workflows by name. test/workflows/registered.test.ts compares them with workflows/index.ts. */
export interface Workflows {
  conversation: (start: ConversationStart) => Promise<void>;
  channel: (start?: ChannelStart) => Promise<void>;
  toolAction: (executionId: string) => Promise<void>;
  rehearsal: (rehearsalId: string) => Promise<void>;
  sweep: (plan: RoundsPlan) => Promise<void>;
  watch: (plan: RoundsPlan) => Promise<void>;
}

export const conversationWorkflow = 'conversation';
export const channelWorkflow = 'channel';
export const toolActionWorkflow = 'toolAction';
export const rehearsalWorkflow = 'rehearsal';
export const recoveryWorkflow = 'sweep';
export const watchWorkflow = 'watch';

export interface ConversationStart {
  conversationId: string;
  /** Milliseconds without a run or a nudge after which the workflow completes, if nothing is planned. */
  idleMs: number;
  /** True if a run's activity may wait for the conversation's next message; see src/app/conversations/stay-warm.ts. */
  isKeptWarm?: true;
}

export interface ChannelStart {
  /**
   * Milliseconds without a check after which the workflow completes; the next check starts it again. Default: ten
   * minutes.
   */
  idleMs?: number;
}

/**
 * The plan of a periodic workflow: it makes `times` rounds, with a pause of `everyMs` milliseconds between them. Its
 * Schedule then starts the next workflow.
 */
export interface RoundsPlan {
  everyMs: number;
  times: number;
}

const conversationPrefix = 'conversation/';

/** @returns `conversation/<uuid>`. A conversation has at most one running workflow. */
export function conversationWorkflowId(conversationId: string): string {
  return `${conversationPrefix}${conversationId}`;
}

/** @returns the id of the conversation; undefined if `workflowId` is absent or is not that of a conversation workflow */
export function conversationOfWorkflow(workflowId: string | undefined): string | undefined {
  return workflowId?.startsWith(conversationPrefix) ? workflowId.slice(conversationPrefix.length) : undefined;
}

/** @returns `channel/<agent id>`. The WhatsApp channel of an agent has at most one running workflow. */
export function channelWorkflowId(agentId: string): string {
  return `channel/${agentId}`;
}

/** @returns `tool/<uuid>`. Each call of a tool through the API, the console or MCP has a workflow of its own. */
export function toolActionWorkflowId(executionId: string): string {
  return `tool/${executionId}`;
}

/** @returns `rehearsal/<uuid>`. A rehearsal has at most one running workflow. */
export function rehearsalWorkflowId(rehearsalId: string): string {
  return `rehearsal/${rehearsalId}`;
}

export type PeriodicWorkflow = typeof recoveryWorkflow | typeof watchWorkflow;

/** Ids of the Schedules that start the periodic workflows. */
export const scheduleIds = { sweep: 'sweep-stalled', watch: 'watch-channels' } as const satisfies Record<
  PeriodicWorkflow,
  string
>;

/** @returns the workflow id in the Schedule's action. Temporal appends the start time to this id. */
export function periodicWorkflowId(workflow: PeriodicWorkflow): string {
  return `housekeeping/${workflow}`;
}

export interface Nudge {
  /** When to check the rows in Postgres (epoch ms). */
  at: number;
}

/**
 * Signal that something may be due. A lost or repeated nudge does not change any answer, because the rows in Postgres
 * decide what is due.
 */
export const nudgeSignal = defineSignal<[Nudge]>('nudge');
/**
 * The value of `at` that makes the workflow check the rows at once. While a tool call waits for an approval, it only
 * makes the workflow check that call again. Recovery sends this value, and so does the API when an approval is decided
 * or ends. Such a nudge neither restarts the idle time nor cancels an operator's `close`.
 */
export const recoveryNudge = 0;

/** Maximum delay of a nudge, and maximum duration that `readMs` accepts: one day. Chosen: no group waits that long. */
const maxDelayMs = 24 * 60 * 60 * 1000;

/** @returns when to check the rows (epoch ms); undefined if the data has no time from 0 to one day after `now` */
export function readNudge(data: unknown, now: number): number | undefined {
  const at = timeIn(data);
  return typeof at === 'number' && at >= 0 && at <= now + maxDelayMs ? at : undefined;
}

/** @returns the field `at` of a signal's data, without validation; undefined if there is none */
export function timeIn(data: unknown): unknown {
  return typeof data === 'object' && data !== null && 'at' in data ? data.at : undefined;
}

const commands = ['flush', 'stopFollowUps', 'close'] as const;
export type Control = (typeof commands)[number];
/** Signal with which an operator sends a command to a conversation. */
export const controlSignal = defineSignal<[Control]>('control');

/** @returns the command; undefined for any other data */
export function readControl(data: unknown): Control | undefined {
  return commands.find((command) => command === data);
}

/**
 * Values of the search attribute ConversationState. `needs_attention`: the last run failed. `transferred`: the
 * conversation was transferred to another agent. `closed`: an operator closed it. `waiting_for_approval`: a tool call
 * waits for a person.
 */
export type ConversationLabel = 'needs_attention' | 'transferred' | 'closed' | 'waiting_for_approval';

export interface ConversationStatus {
  doing: string;
  since: string;
  turns: number;
  groupDueAt?: string;
  followUp?: { attempt: number; dueAt: string };
  followUpsStopped?: true;
  closing?: true;
  state?: ConversationLabel;
  /** The last signal that was refused because of invalid data. */
  refused?: { signal: string; at: string };
}
export const statusQuery = defineQuery<ConversationStatus>('status');

export interface RecentRun {
  runId: string;
  outcome: 'answer' | 'failed' | 'cancelled';
  /** When the run ended (epoch ms). */
  at: number;
  followUpAttempt?: number;
  /** The final status of the run's callback or channel reply; absent if it had neither. */
  callback?: string;
}
export const recentRunsQuery = defineQuery<RecentRun[]>('recentRuns');

/**
 * Update that runs one channel check: a step that connects, verifies, edits or disconnects a channel. Takes the id of a
 * row in channel_checks, and returns the check's result.
 */
export const channelCheckUpdate = defineUpdate<string, [checkId: string]>('check');

const uuid = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}$/i;

/** True if the data is a UUID, as the ids of rows are. */
export function isRowId(data: unknown): data is string {
  return typeof data === 'string' && uuid.test(data);
}

/** @returns the data if it is a number from 0 to a day in milliseconds, else `otherwise` */
export function readMs(data: unknown, otherwise: number): number {
  return typeof data === 'number' && data >= 0 && data <= maxDelayMs ? data : otherwise;
}

const { KEYWORD } = SearchAttributeType;

export const searchAttributes = {
  organization: defineSearchAttributeKey('OrganizationId', KEYWORD),
  agent: defineSearchAttributeKey('AgentId', KEYWORD),
  conversation: defineSearchAttributeKey('ConversationId', KEYWORD),
  channel: defineSearchAttributeKey('Channel', KEYWORD),
  /** Set only while the conversation has a ConversationLabel. */
  state: defineSearchAttributeKey('ConversationState', KEYWORD),
} as const;

/**
 * Search attributes that the namespace must have. Temporal refuses to start a workflow that sets an attribute that its
 * namespace does not have.
 */
export const searchAttributeNames = Object.values(searchAttributes).map((key) => key.name);
