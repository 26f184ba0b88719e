import { z } from 'zod';
import { text, timestamp } from './page.ts';

const rule = z
  .strictObject({
    on: z
      .enum(['message', 'follow_up', 'tool_result'])
      .optional()
      .describe('What the rule answers; default message'),
    when: text(1000).optional().describe('Regular expression (RE2 syntax, linear time) over the input text'),
    reply: text(32_000).optional().describe('$1… are filled in from the match'),
    transfer_to: text(200).optional().describe('Name of the destination agent'),
    tool: z.strictObject({ action: text(100), input: z.record(z.string(), z.json()) }).optional(),
    delay_ms: z.number().min(0).max(600_000).optional(),
    word_ms: z.number().min(0).max(10_000).optional().describe('Time before each word of the reply'),
    fail: z
      .strictObject({
        message: text(1000),
        retryable: z.boolean(),
        times: z
          .number()
          .int()
          .min(1)
          .optional()
          .describe('Only the first so many calls of a conversation; default always'),
      })
      .optional(),
  })
  .meta({ id: 'ScriptRule' });

const followUp = z.strictObject({
  after_seconds: z
    .number()
    .int()
    .min(1)
    .max(2_592_000)
    .describe('Silence after the last agent message, in seconds'),
  instructions: text(32_000),
});

const windowSeconds = z
  .number()
  .min(0)
  .max(60)
  .describe('Sliding grouping window in seconds; 0 answers each message on its own');
const fields = {
  name: text(200).min(1).describe('Unique in the organization'),
  description: text(2000),
  instructions: text(100_000),
  model: text(200)
    .regex(/^[^/\s]+\/\S+$/, 'must be provider/name')
    .describe('provider/name; the configured default when absent'),
  script: z.array(rule).max(200).describe('Read by scripted/default only; the first match wins'),
  active: z.boolean(),
  grouping_window_seconds: windowSeconds,
  grouping_max_seconds: z.number().min(0).max(3600).describe('Closes a group anyway; default five windows'),
  grouping_max_messages: z.number().int().min(1).max(1000).describe('Closes a group anyway; default 20'),
  input_during_run: z
    .enum(['next_group', 'cancel_and_merge'])
    .describe(
      'What becomes of a message that arrives during a run. next_group (default): it is answered after it. cancel_and_merge: the model call under way is cancelled and both are answered together, at once and once, as one group; tools that have been called are not called again. A run that has said something already, as before a transfer, or holds grouping_max_messages, is not cancelled; nor is a synchronous one, or a follow-up. The tokens of a cancelled model call are not in credits_used.',
    ),
  follow_ups: z.array(followUp).max(50),
  transfers_to: z.array(z.uuid()).max(100).describe('Agents that this one may transfer to'),
  tools: z.array(text(100)).max(200).describe('Action identifiers, for instance DOCS_FETCH_DATA'),
};

const example = { name: 'Support', instructions: 'Answer in one sentence.', grouping_window_seconds: 2 };

export const createAgent = z
  .strictObject({ ...fields })
  .partial()
  .required({ name: true })
  .meta({ id: 'CreateAgent', example });
export type CreateAgent = z.infer<typeof createAgent>;

/** Null takes an optional setting back to its default. */
export const updateAgent = z
  .strictObject({
    ...fields,
    model: fields.model.nullable(),
    script: fields.script.nullable(),
    grouping_max_seconds: fields.grouping_max_seconds.nullable(),
    grouping_max_messages: fields.grouping_max_messages.nullable(),
  })
  .partial()
  .meta({ id: 'UpdateAgent', example: { active: false } });
export type UpdateAgent = z.infer<typeof updateAgent>;

export const agent = z
  .object({
    id: z.uuid(),
    ...fields,
    script: fields.script.optional(),
    grouping_max_seconds: fields.grouping_max_seconds.optional(),
    grouping_max_messages: fields.grouping_max_messages.optional(),
    inbox_id: z.uuid().describe('The API inbox that is bound to this agent from the start'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Agent' });
export type Agent = z.infer<typeof agent>;
export type ScriptRule = z.infer<typeof rule>;

export const bindInbox = z.strictObject({ agent_id: z.uuid() });
export const inbox = z.object({ id: z.uuid(), agent_id: z.uuid() }).meta({ id: 'Inbox' });
