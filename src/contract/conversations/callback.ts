/** What is posted to a caller's webhook_url. */
import { z } from 'zod';
import { metadata } from './chat.ts';
import { timestamp } from '../page.ts';

export const messageCompleted = z
  .object({
    event: z.literal('message.completed').describe('What has happened'),
    agent_id: z.uuid().describe('The agent that wrote the message'),
    success: z.literal(true).describe('Always true'),
    conversation_id: z
      .uuid()
      .describe('Where to read the message: GET /conversations/{conversationId}/messages'),
    message_id: z
      .uuid()
      .optional()
      .describe(
        "The agent message's id: the key to process a callback once. Absent where there is no message, as for an empty response",
      ),
    response: z.string().describe('The text of the message'),
    model: z.string().optional().describe('The one that the provider says it used'),
    credits_used: z.number().optional().describe('What the run cost'),
    attachments_processed: z.int().optional().describe('Files of the messages that were answered'),
    responding_agent_name: z.string().describe('Name of the agent that wrote the message'),
    metadata: metadata.optional().describe('Free-form correlation data, as the caller gave it'),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
    pre_transfer: z
      .literal(true)
      .optional()
      .describe('The first of two callbacks of a transfer; the next is of the agent that took over'),
    followup: z.literal(true).optional().describe('The user was silent: nobody asked for this message'),
    followup_attempt: z.int().optional().describe('Number of the follow-up, from 1'),
  })
  .meta({ id: 'MessageCompleted', description: 'An answer of an agent, posted to webhook_url' });

export const messageError = z
  .object({
    event: z.literal('message.error').describe('What has happened'),
    agent_id: z.uuid().describe('The agent whose run failed'),
    conversation_id: z.uuid().describe('The conversation of the messages that have no answer'),
    error: z.string().describe('Why, readable'),
    metadata: metadata.optional().describe('Free-form correlation data, as the caller gave it'),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
  })
  .meta({ id: 'MessageError', description: 'A run has failed for good, posted to webhook_url' });

export type Callback = z.infer<typeof messageCompleted> | z.infer<typeof messageError>;
