/** A run's details for the console: the texts that the models received, the model and tool calls, and their times. */
import { z } from 'zod';
import { channelName } from './channel-name.ts';
import { deliveryStatus } from './conversations.ts';
import { deliveryKind, messageOrigin, runMode, runState, toolCallStatus } from './timeline.ts';
import { timestamp } from '../page.ts';
import { text } from '../text.ts';

/**
 * Parts of the time from a run's first message to the end of its delivery, in the order in which the console shows
 * them.
 */
export const timePart = z.enum(['grouping', 'queue', 'model', 'retries', 'tools', 'other', 'delivery']);
export type TimePart = z.infer<typeof timePart>;

const cutText = z.object({
  text: z.string(),
  is_cut: z.boolean().describe('True if the text is longer than shown'),
});

const input = cutText.extend({
  id: z.uuid(),
  at: timestamp,
  files: z.array(z.string()).describe('Names of its files'),
});

const answer = cutText.extend({
  id: z.uuid(),
  at: timestamp,
  agent_name: z.string(),
  pre_transfer: z.boolean(),
  truncated: z.boolean().describe('True if the model was cut off'),
  replaced: z.boolean().describe('A later run has replaced this answer'),
});

/** One version of an agent for which a run called a model, with the settings of this version. */
const agentRead = z.object({
  agent_id: z.uuid(),
  name: z.string(),
  version: z.int().nullable().describe('Null if it was not recorded: the present texts are shown'),
  is_current: z.boolean().describe('True if the agent has not changed since'),
  is_deleted: z.boolean(),
  is_draft: z.boolean().describe('True if it was a draft, which a member tried'),
  is_trial: z.boolean().describe('True if the run had instructions of its own, which a member tried'),
  instructions: z.string().nullable().describe('As they were. Null if this version is no longer kept'),
  tools: z.array(z.string()).describe('Tools that the agent had'),
  transfers_to: z.array(z.string()).describe('Names of the agents that it could transfer to'),
});

const modelFailure = z.object({
  at: timestamp,
  ms: z.int().nullable().describe('Duration in milliseconds; null if it was not recorded'),
  error: z.string(),
  provider_message: z.string().nullable().describe("The provider's text, shortened and without keys"),
  model: z
    .string()
    .nullable()
    .describe('provider/name of the model that failed; null if it was not recorded'),
});

const toolCall = z.object({
  position: z.int(),
  name: z.string(),
  does: z.string().nullable().describe('What the tool does; null for a tool that no longer exists'),
  arguments: cutText.describe('As JSON text'),
  result: cutText.nullable(),
  status: toolCallStatus,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});

const modelStep = z.object({
  step: z.int(),
  kind: z
    .enum(['tools', 'transfer', 'answer', 'failed'])
    .describe('What the call led to; failed: no call of this step has succeeded'),
  agent_id: z.uuid().nullable(),
  agent_name: z.string().nullable(),
  agent_version: z.int().nullable(),
  model: z.string().nullable().describe('The name that the provider reported'),
  model_id: z.string().nullable().describe('provider/name, as the agent or its organization chose it'),
  fallback: z
    .object({ failed_model: z.string(), reason: z.string() })
    .nullable()
    .describe("Why the agent's fallback model made the call; null if its model did"),
  at: timestamp.describe('When the call ended'),
  model_ms: z.int().nullable().describe('Duration in milliseconds; null if it was not recorded'),
  input_tokens: z.int(),
  output_tokens: z.int(),
  credits: z.number(),
  has_price: z.boolean().describe('False if the model has no price of its own, and the default one applied'),
  history_turns: z.int().nullable().describe('Earlier messages that the model received'),
  was_cut: z.boolean().describe("True if a text was cut to fit the model's context window"),
  text: cutText.describe('Text that the model wrote in addition to its tool calls'),
  failures: z.array(modelFailure).describe('Failed calls of this step, oldest first'),
  failure_count: z.int().describe('Number of failed calls, which may be more than are kept'),
  calls: z.array(toolCall),
});
export type ModelStepDetail = z.infer<typeof modelStep>;

export const runDetail = z.object({
  id: z.uuid(),
  conversation_id: z.uuid(),
  mode: runMode,
  state: runState,
  channel: channelName,
  is_test: z.boolean(),
  follow_up_attempt: z.int().nullable(),
  follow_up_instructions: z.string().nullable().describe('As they were; null if the run is no follow-up'),
  error: z.string().nullable(),
  opened_at: timestamp,
  finished_at: timestamp.nullable(),
  times: z.array(z.object({ part: timePart, ms: z.int() })).describe('Parts that took time'),
  total_ms: z.int().describe('Sum of the parts, in milliseconds'),
  input_tokens: z.int(),
  output_tokens: z.int(),
  credits: z.number(),
  model_calls: z.int().describe('Successful model calls'),
  failed_model_calls: z.int(),
  tool_calls: z.int(),
  inputs: z.array(input).describe('The newest 20 messages that the run answers, oldest first'),
  input_count: z.int(),
  answers: z.array(answer).describe('Oldest first; those before a transfer are among them'),
  deliveries: z.array(
    z.object({
      id: z.uuid(),
      kind: deliveryKind,
      status: deliveryStatus,
      host: z.string().nullable(),
      error: z.string().nullable(),
      ms: z.int().nullable().describe('From its creation to its end'),
    }),
  ),
  agents: z.array(agentRead).describe('One per agent and version, in the order of their first model call'),
  steps: z.array(modelStep),
  next_cursor: z.string().nullable().describe('Reads further steps; null if there are none'),
});
export type RunDetail = z.infer<typeof runDetail>;

/** The body of a request that answers the messages of a run again, as a trial. */
export const trialForm = z.strictObject({
  instructions: text(100_000).describe("Used instead of the agent's instructions, in this trial only"),
  draft: z
    .boolean()
    .optional()
    .describe("true: the rest is as in the agent's draft; otherwise as in the published version"),
});

export const startedTrial = z.object({
  conversation_id: z.uuid().describe('The test conversation that was created for it'),
  run_id: z.uuid(),
});
export type StartedTrial = z.infer<typeof startedTrial>;

export const runDetailQuery = z.strictObject({
  cursor: z.string().max(200).optional().describe('The next_cursor of the previous page of steps'),
});

const historyTurn = cutText.extend({
  id: z.uuid(),
  origin: messageOrigin,
  at: timestamp,
  agent_name: z.string().nullable(),
});

/**
 * A page of the earlier messages that the model received in the run's first call, newest first. If their number was
 * not recorded: those that the model could have received.
 */
export const runHistory = z.object({
  data: z.array(historyTurn),
  next_cursor: z.string().nullable(),
});
export type RunHistory = z.infer<typeof runHistory>;
