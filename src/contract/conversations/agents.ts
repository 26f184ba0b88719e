import { z } from 'zod';
import { creditCaps } from '../data/credit-caps.ts';
import { timestamp } from '../page.ts';
import { storableJson, text, textLike } from '../text.ts';
import { maxApprovers, maxModelTimeoutSeconds, maxOutputTokensCap, maxTemperature } from './limits.ts';

const rule = z
  .strictObject({
    on: z
      .enum(['message', 'follow_up', 'tool_result'])
      .optional()
      .describe('The kind of input that the rule answers. Default: message'),
    when: text(1000)
      .optional()
      .describe(
        'Regular expression (RE2 syntax, linear time) over the input text; over its beginning if the expressions of the script are large. At most 1,000 instructions when compiled, 5,000 in all of a script: a{500} has 500',
      ),
    reply: text(32_000).optional().describe('Text of the reply; $1… are replaced by the groups of the match'),
    transfer_to: text(200).optional().describe('Name of the agent to transfer to'),
    tool: z
      .strictObject({
        action: text(100).describe('Identifier of the action, for example DOCS_FETCH_DATA'),
        input: z
          .record(z.string(), z.json())
          .refine(...storableJson)
          .describe("The action's parameters"),
      })
      .optional()
      .describe('Calls this tool; the model is then called again with its result'),
    delay_ms: z
      .number()
      .min(0)
      .max(60_000)
      .optional()
      .describe('Wait before the answer in milliseconds; together with word_ms at most a minute'),
    word_ms: z
      .number()
      .min(0)
      .max(10_000)
      .optional()
      .describe('Wait before each word of the reply in milliseconds'),
    fail: z
      .strictObject({
        message: text(1000).describe('Message of the failure'),
        retryable: z.boolean().describe('true: the call is tried three times in all, after 1 s and 2 s'),
        times: z
          .int()
          .min(1)
          .optional()
          .describe('Fails only this many calls of a conversation. Default: every call'),
      })
      .optional()
      .describe('Fails the model call'),
  })
  .meta({ id: 'ScriptRule', description: 'What scripted/default does if the rule matches' });

const followUp = z
  .strictObject({
    after_seconds: z
      .int()
      .min(1)
      .max(2_592_000)
      .describe("Seconds without a user message after the agent's last message"),
    instructions: text(32_000).describe('Instructions for the model in this follow-up'),
  })
  .meta({ id: 'FollowUp', description: 'A message that the agent sends to a silent user' });

export const toolPolicy = z
  .strictObject({
    tool: text(100).min(1).describe("Name of one of the agent's tools"),
    policy: z
      .enum(['always', 'ask', 'never'])
      .describe(
        'always: the agent calls it without asking, as without a policy. ask: a person must approve each call. never: each call is refused',
      ),
    unless: text(500)
      .min(1)
      .optional()
      .describe(
        'Condition on the arguments under which the call runs without asking, although the policy is ask or never: `amount <= 50 and currency in ["EUR", "USD"]`. Comparisons (=, !=, <, <=, >, >=, in) of arguments with numbers, texts in double quotes, true and false, joined by and, or; and binds closer. A comparison with a missing argument, or one of another type, does not hold',
      ),
    expires_after_seconds: z
      .int()
      .min(1)
      .max(2_592_000)
      .optional()
      .describe('How long an approval waits, in seconds. Default: 86,400, one day'),
    on_expiry: z
      .enum(['refuse', 'approve'])
      .optional()
      .describe('What happens to a call if nobody decides in time. Default: refuse'),
  })
  .meta({ id: 'ToolPolicy', description: 'What an agent may do with one of its tools' });
/** A rule for the calls that an agent makes to one of its tools. Calls of a tool without a policy always run. */
export type ToolPolicy = z.infer<typeof toolPolicy>;

export const approver = z
  .strictObject({
    name: text(100).min(1).describe('Name of the person, with which a decision is recorded'),
    phone: textLike(
      16,
      /^[+][1-9][0-9]{7,14}$/,
      'must be + and 8 to 15 digits, with the country code',
    ).describe('WhatsApp number of the person: + and 8 to 15 digits, with the country code'),
  })
  .meta({ id: 'Approver', description: 'A person who may decide on tool calls by a reply on WhatsApp' });
export type Approver = z.infer<typeof approver>;

const windowSeconds = z
  .number()
  .min(0)
  .max(60)
  .describe('Sliding grouping window in seconds; 0 answers each message separately');
const modelForm = /^[^/\s\x00]+\/[^\s\x00]+$/;
/** The settings of an agent. Requests and responses use the same schemas. */
export const agentFields = {
  name: text(200).min(1).describe('Unique in the organization'),
  description: text(2000).describe(
    'Purpose of the agent, for people and for agents that may transfer to this one',
  ),
  instructions: text(100_000).describe("The agent's system prompt"),
  model: textLike(200, modelForm, 'must be provider/name').describe(
    'provider/name of the model; if absent, the agent uses the configured default, and follows its changes',
  ),
  fallback_model: textLike(200, modelForm, 'must be provider/name').describe(
    'provider/name of the model that answers in its place if its model fails for good: it cannot be reached, fails or is overloaded, limits the rate, refuses the key, has no credit left, does not exist, or is not set up. Each such answer names the failure. If absent, the run fails',
  ),
  script: z
    .array(rule)
    .max(200)
    .describe('Rules for scripted/default; the first match wins. Other models ignore them'),
  active: z.boolean().describe('false: the agent accepts no messages (409 agent_inactive)'),
  grouping_window_seconds: windowSeconds,
  grouping_max_seconds: z
    .number()
    .min(0)
    .max(3600)
    .describe('Maximum age of a group in seconds. Default: five times grouping_window_seconds'),
  grouping_max_messages: z.int().min(1).max(1000).describe('Maximum messages of a group; default 20'),
  input_during_run: z
    .enum(['next_group', 'cancel_and_merge'])
    .describe(
      'What happens to a message that arrives during a run. next_group (default): it is answered after the run. cancel_and_merge: the model call in progress is cancelled, and all messages are answered together at once, as one group; tools that have been called are not called again. A run is not cancelled if it has already written a message (as before a transfer), has grouping_max_messages, is synchronous, or is a follow-up. The tokens of a cancelled model call are not in credits_used.',
    ),
  follow_ups: z
    .array(followUp)
    .max(50)
    .describe('Messages to send while the user stays silent, one after the other; any new message ends them'),
  transfers_to: z.array(z.uuid()).max(100).describe('Agents that this one may transfer to'),
  may_hand_over: z
    .boolean()
    .describe(
      'true: the model may hand the conversation over to a person, with the tool hand_over_to_person and a reason. The agent then no longer answers until a person resumes it, at most for 30 days. Default: false',
    ),
  tools: z
    .array(text(100))
    .max(200)
    .describe(
      'Identifiers of actions, for example DOCS_FETCH_DATA, names of HTTP tools, and of tools of MCP servers',
    ),
  tool_policies: z
    .array(toolPolicy)
    .max(200)
    .refine(
      (policies) => new Set(policies.map(({ tool }) => tool)).size === policies.length,
      'names a tool twice',
    )
    .describe(
      'Tools that a person must approve, or that the agent must not call. Other tools run without asking',
    ),
  approvers: z
    .array(approver)
    .max(maxApprovers)
    .refine(
      (people) => new Set(people.map(({ phone }) => phone)).size === people.length,
      'names a number twice',
    )
    .describe(
      'People who are asked on WhatsApp to approve a tool call, and may decide by a reply. Anybody with the right to do so decides in the console or over the API as well',
    ),
  connections: z
    .array(z.uuid())
    .max(100)
    .describe(
      "Connected workspaces that its tools may use, and no others. If absent, the organization's workspace while it has only one; an agent that relied on that keeps it when a second one is connected",
    ),
  model_timeout_seconds: z
    .int()
    .min(1)
    .max(maxModelTimeoutSeconds)
    .describe(
      'Time limit of one model call, or of one request to an agent that runs elsewhere, in seconds. A call that takes longer is tried three times in all; then the run fails. If absent, the limit of the installation. scripted/default has none',
    ),
  temperature: z
    .number()
    .min(0)
    .max(maxTemperature)
    .describe(
      'How much the answers vary: 0 to 2, at Anthropic to 1. If absent, the default of the provider. Some models have none: their provider refuses it or ignores it',
    ),
  max_output_tokens: z
    .int()
    .min(1)
    .max(maxOutputTokensCap)
    .describe(
      'Output cap: maximum tokens that the model writes in one call, at most providers with its reasoning. An answer that reaches it is cut off (`truncated`). If absent, the default of the provider',
    ),
  reasoning_effort: z
    .enum(['none', 'low', 'medium', 'high'])
    .describe(
      'How much the model reasons before it answers. If absent, the default of the provider. A model without reasoning refuses it or ignores it',
    ),
  output_schema: z
    .record(z.string(), z.json())
    .refine(...storableJson)
    .describe(
      'JSON Schema of an object. Each answer is then a JSON object that fits it, also in the field `output`, except a text with which the agent transfers or hands over; a run whose answer does not fit, even after the model was asked once more, fails with `output_invalid`. Without pattern, $ref and conditions; at most 16,000 characters and 8 levels. Answers have no fields that it does not name. If absent, answers are text',
    ),
  credit_caps: creditCaps.describe('Caps on the credits that its model calls may cost'),
  cap_message: text(2000)
    .min(1)
    .describe(
      'Text that the agent answers if a cap on credits leaves no room for a model call. If absent, the run fails',
    ),
  requires_rehearsal: z
    .boolean()
    .describe(
      'true: a change of what changes its answers is published only if a rehearsal of exactly that content has passed; otherwise 409 `invalid_state`. Rollbacks need none. Default: false',
    ),
};

const example = { name: 'Support', instructions: 'Answer in one sentence.', grouping_window_seconds: 2 };

/** Returns the schema of a setting that a request can reset to its default with null. */
function orDefault<S extends z.ZodType>(field: S) {
  return field.nullable().describe(`${field.description ?? ''}. Null: the default`);
}

const settable = {
  ...agentFields,
  model: orDefault(agentFields.model),
  fallback_model: agentFields.fallback_model
    .nullable()
    .describe(`${agentFields.fallback_model.description ?? ''}. Null: none`),
  script: orDefault(agentFields.script),
  grouping_max_seconds: orDefault(agentFields.grouping_max_seconds),
  grouping_max_messages: orDefault(agentFields.grouping_max_messages),
  connections: orDefault(agentFields.connections),
  model_timeout_seconds: orDefault(agentFields.model_timeout_seconds),
  temperature: orDefault(agentFields.temperature),
  max_output_tokens: orDefault(agentFields.max_output_tokens),
  reasoning_effort: orDefault(agentFields.reasoning_effort),
  output_schema: orDefault(agentFields.output_schema),
  credit_caps: orDefault(agentFields.credit_caps),
  cap_message: orDefault(agentFields.cap_message),
};

export const createAgent = z
  .strictObject(settable)
  .partial()
  .required({ name: true })
  .meta({ id: 'CreateAgent', description: 'A new agent; only name is required', example });
export type CreateAgent = z.infer<typeof createAgent>;

export const updateAgent = z
  .strictObject(settable)
  .partial()
  .meta({
    id: 'UpdateAgent',
    description: 'The fields to change; absent fields stay as they are',
    example: { active: false },
  });
export type UpdateAgent = z.infer<typeof updateAgent>;

export const agent = z
  .object({
    id: z.uuid().describe('Identifier of the agent'),
    ...agentFields,
    model: agentFields.model.describe('provider/name of the model that the agent uses'),
    uses_default_model: z
      .boolean()
      .describe('True if no model was set: `model` is the configured default, and changes with it'),
    fallback_model: agentFields.fallback_model.optional(),
    script: agentFields.script.optional(),
    grouping_max_seconds: agentFields.grouping_max_seconds.optional(),
    grouping_max_messages: agentFields.grouping_max_messages.optional(),
    connections: agentFields.connections.optional(),
    model_timeout_seconds: agentFields.model_timeout_seconds.optional(),
    temperature: agentFields.temperature.optional(),
    max_output_tokens: agentFields.max_output_tokens.optional(),
    reasoning_effort: agentFields.reasoning_effort.optional(),
    output_schema: agentFields.output_schema.optional(),
    credit_caps: agentFields.credit_caps.optional(),
    cap_message: agentFields.cap_message.optional(),
    inbox_id: z.uuid().describe('The API inbox that was created with the agent'),
    version: z
      .int()
      .describe(
        'Number of its version, which grows with each change of a setting that changes its answers (see /agents/{id}/versions)',
      ),
    candidate: z
      .object({
        version: z.int().describe('Number of the version'),
        percent: z.int().describe('Share of new conversations that get it, in percent'),
      })
      .optional()
      .describe('The version that is tried on a share of new conversations; absent if there is none'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({
    id: 'Agent',
    description: 'An agent. Settings that were never set have their default, or are absent if they have none',
  });
export type Agent = z.infer<typeof agent>;

export const deletedAgent = z
  .object({
    id: agent.shape.id,
    name: agentFields.name,
    deleted_at: timestamp,
    restorable_until: timestamp,
  })
  .meta({ id: 'DeletedAgent', description: 'A deleted agent that can still be restored' });
export type DeletedAgent = z.infer<typeof deletedAgent>;
export type ScriptRule = z.infer<typeof rule>;

export const bindInbox = z
  .strictObject({ agent_id: z.uuid().describe('The agent that answers new conversations') })
  .meta({ id: 'BindInbox', description: 'The agent to which an inbox is bound' });
export const inbox = z
  .object({
    id: z.uuid().describe('Identifier of the inbox'),
    agent_id: z.uuid().describe('The agent that answers new conversations'),
  })
  .meta({ id: 'Inbox', description: 'An address for messages that is bound to an agent' });
