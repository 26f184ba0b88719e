/** Conversations and deliveries as the console shows them, with names, steps and times. */
import { z } from 'zod';
import { approval } from './approvals.ts';
import { channelName } from './channel-name.ts';
import { earlierTurn } from './earlier-turns.ts';
import { conversation, delivery, deliveryStatus, edits, unanswered } from './conversations.ts';
import { pageOf, pageQuery, timestamp } from '../page.ts';
import { text } from '../text.ts';
import { colleague } from './teamwork.ts';

export const conversationRow = conversation.extend({
  agent_name: z.string(),
  assignee: colleague.nullable().describe('The member to whom it is assigned; null: nobody'),
  messages: z.int(),
  last_text: z.string().nullable().describe('Beginning of the newest message'),
  last_role: z.enum(['user', 'agent']).nullable(),
  has_failed: z.boolean().describe('True if the newest run failed, and no message without a run is newer'),
  waits_for_approval: z.boolean().describe('True if a tool call waits for approval'),
  is_test: z.boolean().describe('True if a member began it in the console to try an agent'),
  waiting_since: timestamp
    .nullable()
    .describe('Since when a message has had no answer, and no agent will answer it'),
  done: z
    .object({
      at: timestamp,
      by: z.string().nullable().describe('Name of the member; null: nothing happened in it for 7 days'),
    })
    .nullable()
    .describe('When and by whom it was marked as done; null: it is open'),
  has_webhook: z.boolean().describe('True if a message named a webhook_url, to which replies are posted'),
  unread: z
    .int()
    .describe('Messages of the contact that the member has not seen, among the newest 10 messages'),
  match: z.string().optional().describe('Excerpt of the newest message that matches the search'),
});
export type ConversationRow = z.infer<typeof conversationRow>;

export const conversationsFilter = pageQuery.extend({
  agent_id: z.uuid().optional(),
  contact_id: z.string().max(255).optional().describe('Only conversations of the contact with this id'),
  channel: channelName.optional(),
  active_from: timestamp
    .optional()
    .describe('Only conversations with their last activity at or after this time'),
  active_to: timestamp.optional().describe('Only conversations with their last activity before this time'),
  search: z
    .string()
    .max(255)
    .optional()
    .describe("Words of a message, part of a contact's id or name, or a conversation's identifier"),
  only: z
    .enum(['unread', 'waiting', 'approval', 'failed', 'paused', 'test'])
    .optional()
    .describe(
      'waiting: for a person; approval: with a tool call that waits for approval; test: only tests; without it, tests are left out',
    ),
  status: z.enum(['open', 'done']).optional().describe('Default: both'),
  assignee: z
    .enum(['me', 'nobody'])
    .optional()
    .describe(
      'me: only conversations that are assigned to the caller; nobody: only those that are assigned to nobody',
    ),
  sort: z
    .enum(['latest', 'oldest'])
    .optional()
    .describe('Which are first: those whose last activity is the latest (default), or the oldest'),
  tool: text(255).min(1).optional().describe('Only conversations in which a tool of this name was called'),
});
export type ConversationsFilter = z.infer<typeof conversationsFilter>;

export const conversationsPage = pageOf(conversationRow).extend({
  is_partial: z
    .boolean()
    .describe('True if the words are so frequent that only the newest messages were searched'),
});

/** Maximum names of called tools that are listed. Chosen. */
export const maxCalledTools = 200;
export const calledTools = z.object({
  data: z.array(z.string()).describe(`The first names in alphabetical order, at most ${maxCalledTools}`),
});

/** The body of a request that records how many messages a member has seen. */
export const seenForm = z.strictObject({
  messages: z.int().min(0).max(2_147_483_647).describe('Number of messages, from the first, that were seen'),
});

export const toolCallStatus = z.enum(['waiting', 'pending', 'attempting', 'succeeded', 'failed', 'unknown']);
const toolCall = z.object({
  name: z.string(),
  input: z.json(),
  status: toolCallStatus,
  result: z.string().nullable(),
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
  approval: approval
    .pick({
      id: true,
      status: true,
      requested_at: true,
      expires_at: true,
      on_expiry: true,
      argument_schemas: true,
    })
    .extend({
      decided_at: timestamp.nullable(),
      decided_by: z.string().nullable(),
      note: z.string().nullable(),
    })
    .nullable()
    .describe('Null if the call needs no approval'),
});
export type CallApproval = NonNullable<z.infer<typeof toolCall>['approval']>;

/**
 * The author of a message. `user`: the contact. `agent`: the agent. `human_agent`: a human agent, in Parley. `phone`: a
 * human agent, on the business's phone.
 */
export const messageOrigin = z.enum(['user', 'agent', 'human_agent', 'phone']);

const timelineMessage = z.object({
  id: z.uuid(),
  origin: messageOrigin,
  text: z.string(),
  at: timestamp,
  agent_name: z.string().nullable(),
  agent_version: z.int().nullable().describe('Of the agent that wrote it; null if it was not recorded'),
  of_draft: z.boolean().describe("True if the agent's draft, which a member tried, wrote it"),
  model: z.string().nullable(),
  credits_used: z.number().nullable(),
  pre_transfer: z.boolean(),
  replaced: z.boolean().describe('A later run has replaced this answer'),
  truncated: z.boolean().describe('True if the model was cut off'),
  unanswered: unanswered.nullable().describe('Why the agent does not answer it'),
  edits: edits.describe('Earlier texts, oldest first'),
  earlier_turns: z.array(earlierTurn).describe('Turns that the caller gave with it, oldest first'),
  attachments: z.array(z.object({ name: z.string(), url: z.url().optional() })),
});

const step = z.object({
  step: z.int(),
  kind: z.enum(['tools', 'transfer', 'answer']),
  agent_name: z.string(),
  model: z.string(),
  at: timestamp,
  tools: z.array(toolCall),
});

const modelFailure = z.object({
  step: z.int(),
  count: z.int().describe('Failed calls of this step'),
  error: z.string().describe('Error of the last failed call'),
  provider_message: z.string().nullable().describe("The provider's text, shortened and without keys"),
  at: timestamp,
});

export const deliveryKind = z.enum(['callback', 'channel_reply', 'alert']);

export const deliveryView = delivery.extend({
  kind: deliveryKind,
  created_at: timestamp,
  request_body: z.string().nullable().describe('Body of the request, unchanged'),
  agent_id: z.uuid().optional().describe('The agent that `agent_name` names'),
  agent_name: z.string().nullable(),
  contact: z.string().nullable().describe('Null also if the member may not view conversations'),
  host: z.string().nullable().describe('Host and port of the URL; null for a reply on WhatsApp'),
});
export type DeliveryView = z.infer<typeof deliveryView>;

export const deliveriesFilter = pageQuery.extend({
  status: z
    .enum([...deliveryStatus.options, 'failed_or_blocked'])
    .optional()
    .describe('failed_or_blocked: both of these states'),
  agent_id: z.uuid().optional(),
  host: z.string().min(1).max(255).optional().describe('Host of the URL, with its port if the URL has one'),
  message_id: z.uuid().optional(),
  from: timestamp.optional().describe('Only deliveries created at or after this time'),
  to: timestamp.optional().describe('Only deliveries created before this time'),
});
export type DeliveriesFilter = z.infer<typeof deliveriesFilter>;

const outcomes = { attempts: z.int(), failed: z.int(), blocked: z.int() };

/**
 * Counts of the ended callbacks and alerts to one host, among the organization's newest 1,000 deliveries of the last
 * day. `failed` includes those with an unknown outcome.
 */
export const deliveryHost = z.object({ host: z.string(), ...outcomes });
export type DeliveryHost = z.infer<typeof deliveryHost>;

/** Maximum deliveries that `deliveryHosts` counts as failed or blocked, because consoles poll the count. Chosen. */
export const maxFailedOrBlocked = 100;

export const deliveryHosts = z.object({
  data: z.array(deliveryHost),
  failed_or_blocked: z
    .int()
    .describe(`Failed and blocked deliveries of all time, at most ${maxFailedOrBlocked}`),
});
export type DeliveryHosts = z.infer<typeof deliveryHosts>;

/** Maximum deliveries of a day that `deliveryReceivers` counts, newest first. Chosen: consoles poll the answer. */
export const maxCountedDeliveries = 500;

/**
 * The ended callbacks and alerts of the last 7 days (UTC), including today: of each day the newest
 * `maxCountedDeliveries` deliveries. `failed` includes those with an unknown outcome.
 */
const receiverCounts = {
  ...outcomes,
  median_ms: z.number().nullable().describe('Of the responses; null if there was none'),
  last: z.object({
    at: timestamp.describe('When the newest one was created'),
    status: z.enum(['delivered', 'failed', 'blocked', 'unknown']),
    http_status: z.int().nullable(),
    error: z.string().nullable(),
  }),
  days: z
    .array(z.object({ day: z.iso.date(), attempts: z.int(), delivered: z.int() }))
    .describe('Oldest first, including days without callbacks'),
};

/**
 * Counts by webhook endpoint (`endpoints`: those that cover at least one URL with a delivery), and by URL without query
 * and fragment for URLs that no endpoint covers (`data`, at most 50; those with a delivery that did not arrive first).
 */
export const deliveryReceivers = z.object({
  data: z.array(z.object({ url: z.string(), host: z.string(), ...receiverCounts })),
  endpoints: z.array(z.object({ id: z.uuid(), ...receiverCounts })),
});
export type DeliveryReceivers = z.infer<typeof deliveryReceivers>;

const shared = {
  id: z.uuid(),
  ordinal: z.int().describe('Place among the entries of the conversation'),
  opened_at: timestamp.describe('When the run was opened, or the message was stored'),
  messages: z.array(timelineMessage),
  deliveries: z.array(deliveryView),
};
export const runMode = z.enum(['single', 'window', 'sync', 'follow_up']);
export const runState = z.enum([
  'collecting',
  'ready',
  'running',
  'answered',
  'handed_over',
  'failed',
  'cancelled',
]);
export const timelineRun = z.object({
  kind: z.literal('run'),
  ...shared,
  mode: runMode,
  state: runState,
  agent_name: z.string().nullable(),
  closes_at: timestamp,
  finished_at: timestamp.nullable(),
  error: z.string().nullable(),
  follow_up_attempt: z.int().nullable(),
  steps: z.array(step),
  model_failures: z.array(modelFailure),
});
export type TimelineRun = z.infer<typeof timelineRun>;

const timelineEntry = z.discriminatedUnion('kind', [
  timelineRun,
  z.object({ kind: z.literal('message'), ...shared }).describe('One message that no run answers'),
]);
export type TimelineEntry = z.infer<typeof timelineEntry>;

export const timelineQuery = z.strictObject({
  before: z.coerce
    .number()
    .int()
    .min(1)
    .max(2_147_483_647)
    .optional()
    .describe('Entries older than this ordinal'),
  since: z.coerce
    .number()
    .int()
    .min(0)
    .max(2_147_483_647)
    .optional()
    .describe('Entries from this ordinal on, for callers that have the earlier ones'),
});
export const timeline = z.object({
  conversation: conversationRow,
  workflow_id: z.string(),
  entries: z.array(timelineEntry).describe('Oldest first'),
  older: z.boolean().describe('True if there are earlier entries'),
  notes: z.string().describe('Changes when a note is written or deleted'),
});
export type Timeline = z.infer<typeof timeline>;
