/**
 * The request to an external agent, which runs elsewhere behind an HTTP endpoint, and its answer. See
 * docs/external-agents.md.
 */
import { z } from 'zod';

/** Maximum bytes of an answer. Chosen: a `text` of maximum length takes 600,000 bytes if each character is escaped. */
export const maxExternalAnswerBytes = 1024 * 1024;

/** Maximum tokens that one answer can report. Chosen: more than any model uses in one call. */
const maxTokens = 10_000_000;
const tokens = z.int().min(0).max(maxTokens);

export const externalAgentRequest = z.strictObject({
  version: z.literal(1),
  idempotency_key: z.string().describe('The same in each attempt of one step with the same messages'),
  conversation_id: z.uuid(),
  run_id: z.uuid().nullable().describe('Null in a test call'),
  kind: z.enum(['message', 'follow_up']),
  agent: z.strictObject({ id: z.uuid(), name: z.string(), instructions: z.string() }),
  model: z.string().describe("The part of the model's id after the slash"),
  messages: z
    .array(z.strictObject({ role: z.enum(['user', 'assistant', 'system']), text: z.string() }))
    .describe('Oldest first; `system` is the result of a refused transfer'),
  transfers: z
    .array(z.strictObject({ name: z.string(), description: z.string() }))
    .describe('Agents that `transfer_to` may name'),
  may_hand_over: z.literal(true).optional().describe('True if `hand_over` may be set; otherwise absent'),
});
export type ExternalAgentRequest = z.infer<typeof externalAgentRequest>;

/** The answer of an external agent. Unknown fields are ignored, so that an agent can add its own. */
export const externalAgentAnswer = z
  .object({
    text: z.string().max(100_000).default(''),
    transfer_to: z.string().min(1).max(200).nullish(),
    hand_over: z.string().min(1).max(500).nullish().describe('The reason for which a person must take over'),
    usage: z.object({ input_tokens: tokens, output_tokens: tokens }).nullish(),
  })
  .refine(({ text, transfer_to, hand_over }) => text.trim() !== '' || (transfer_to ?? hand_over) != null, {
    path: ['text'],
    message: 'must not be empty without transfer_to and hand_over',
  });
