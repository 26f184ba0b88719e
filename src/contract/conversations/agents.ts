import { z } from 'zod';
import { storableJson, text, textLike, timestamp } from '../page.ts';

const rule = z
  .strictObject({
    on: z
      .enum(['message', 'follow_up', 'tool_result'])
      .optional()
      .describe('What the rule answers; default message'),
    when: text(1000)
      .optional()
      .describe(
        'Regular expression (RE2 syntax, linear time) over the input text; over its beginning if the expressions of the script are large. At most 1,000 instructions when compiled, 5,000 in all of a script: a{500} has 500',
      ),
    reply: text(32_000).optional().describe('$1… are filled in from the match'),
    transfer_to: text(200).optional().describe('Name of the destination agent'),
    tool: z
      .strictObject({
        action: text(100).describe('Such as DOCS_FETCH_DATA'),
        input: z
          .record(z.string(), z.json())
          .refine(...storableJson)
          .describe("The action's parameters"),
      })
      .optional()
      .describe('Calls this tool; the model is asked again with its result'),
    delay_ms: z
      .number()
      .min(0)
      .max(60_000)
      .optional()
      .describe('Time before the answer, in milliseconds; with word_ms a minute at most'),
    word_ms: z
      .number()
      .min(0)
      .max(10_000)
      .optional()
      .describe('Time before each word of the reply, in milliseconds'),
    fail: z
      .strictObject({
        message: text(1000).describe('What the failure says'),
        retryable: z.boolean().describe('true: tried 3 times in all, after 1 s and 2 s'),
        times: z
          .number()
          .int()
          .min(1)
          .optional()
          .describe('Only the first so many calls of a conversation; default always'),
      })
      .optional()
      .describe('Fails the model call'),
  })
  .meta({ id: 'ScriptRule', description: 'What scripted/default does where the rule matches' });

const followUp = z
  .strictObject({
    after_seconds: z
      .number()
      .int()
      .min(1)
      .max(2_592_000)
      .describe('Silence after the last agent message, in seconds'),
    instructions: text(32_000).describe('Instructions for the model in this follow-up'),
  })
  .meta({ id: 'FollowUp', description: 'What the agent does after a silence' });

const windowSeconds = z
  .number()
  .min(0)
  .max(60)
  .describe('Sliding grouping window in seconds; 0 answers each message on its own');
const fields = {
  name: text(200).min(1).describe('Unique in the organization'),
  description: text(2000).describe('For people, and for agents that may transfer to this one'),
  instructions: text(100_000).describe('What the agent is to do and how: its system prompt'),
  model: textLike(200, /^[^/\s\x00]+\/[^\s\x00]+$/, 'must be provider/name').describe(
    'provider/name; without one the agent follows the configured default, whatever it is then',
  ),
  script: z.array(rule).max(200).describe('Read by scripted/default only; the first match wins'),
  active: z.boolean().describe('false: the agent takes no messages (409 agent_inactive)'),
  grouping_window_seconds: windowSeconds,
  grouping_max_seconds: z.number().min(0).max(3600).describe('Closes a group anyway; default five windows'),
  grouping_max_messages: z.number().int().min(1).max(1000).describe('Closes a group anyway; default 20'),
  input_during_run: z
    .enum(['next_group', 'cancel_and_merge'])
    .describe(
      'What becomes of a message that arrives during a run. next_group (default): it is answered after it. cancel_and_merge: the model call under way is cancelled and both are answered together, at once and once, as one group; tools that have been called are not called again. A run that has said something already, as before a transfer, or holds grouping_max_messages, is not cancelled; nor is a synchronous one, or a follow-up. The tokens of a cancelled model call are not in credits_used.',
    ),
  follow_ups: z
    .array(followUp)
    .max(50)
    .describe('What it does while the user stays silent, one after the other; any message ends that'),
  transfers_to: z.array(z.uuid()).max(100).describe('Agents that this one may transfer to'),
  tools: z.array(text(100)).max(200).describe('Action identifiers, for instance DOCS_FETCH_DATA'),
};

const example = { name: 'Support', instructions: 'Answer in one sentence.', grouping_window_seconds: 2 };

/** Null takes an optional setting back to its default. */
function orDefault<S extends z.ZodType>(field: S) {
  return field.nullable().describe(`${field.description ?? ''}. Null: the default`);
}

const settable = {
  ...fields,
  model: orDefault(fields.model),
  script: orDefault(fields.script),
  grouping_max_seconds: orDefault(fields.grouping_max_seconds),
  grouping_max_messages: orDefault(fields.grouping_max_messages),
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
    description: 'What is to change; absent fields stay',
    example: { active: false },
  });
export type UpdateAgent = z.infer<typeof updateAgent>;

export const agent = z
  .object({
    id: z.uuid().describe('Identifier of the agent'),
    ...fields,
    model: fields.model.describe('provider/name of the model that it uses'),
    uses_default_model: z
      .boolean()
      .describe('Nobody has chosen a model for it: `model` is the configured default, and changes with it'),
    script: fields.script.optional(),
    grouping_max_seconds: fields.grouping_max_seconds.optional(),
    grouping_max_messages: fields.grouping_max_messages.optional(),
    inbox_id: z.uuid().describe('The API inbox that is bound to this agent from the start'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Agent', description: 'An agent, with its defaults filled in' });
export type Agent = z.infer<typeof agent>;
export type ScriptRule = z.infer<typeof rule>;

export const bindInbox = z
  .strictObject({ agent_id: z.uuid().describe('The agent that is to answer') })
  .meta({ id: 'BindInbox', description: 'The agent that an inbox is bound to' });
export const inbox = z
  .object({
    id: z.uuid().describe('Identifier of the inbox'),
    agent_id: z.uuid().describe('The agent that answers'),
  })
  .meta({ id: 'Inbox', description: 'An address for messages that is bound to an agent' });
