/** The payloads that Parley posts to a caller's webhook_url. */
import { z } from 'zod';
import { metadata, output } from './chat.ts';
import { flag, timestamp } from '../page.ts';

/** The error codes of failed runs. A run that fails for any other reason has none. */
export const runErrorCode = z.enum(['credit_cap_reached', 'output_invalid']);

export type RunErrorCode = z.infer<typeof runErrorCode>;

export const messageCompleted = z
  .object({
    event: z.literal('message.completed').describe('Kind of the event'),
    agent_id: z.uuid().describe('The agent that wrote the message, or for which a person wrote it'),
    success: z.literal(true).describe('Always true'),
    conversation_id: z
      .uuid()
      .describe('The conversation; GET /conversations/{conversationId}/messages returns the message'),
    message_id: z
      .uuid()
      .optional()
      .describe(
        "Id of the agent's message: use it to process each callback once. Absent if there is no message, as for an empty response",
      ),
    response: z.string().describe('The text of the message'),
    output: output.optional().describe('The answer as JSON; absent if the agent has no output schema'),
    model: z.string().optional().describe('The model that the provider reports'),
    credits_used: z.number().optional().describe('Cost of the run'),
    attachments_processed: z.int().optional().describe('Number of files in the answered messages'),
    responding_agent_name: z.string().describe('Name of the agent or the person that wrote the message'),
    metadata: metadata.optional().describe("The caller's metadata, unchanged"),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
    pre_transfer: flag(
      'True for the first of the two callbacks of a transfer; the agent that took over sends the second',
    ),
    followup: flag('True for a follow-up, which no user message asked for'),
    followup_attempt: z.int().optional().describe('Number of the follow-up, from 1'),
    by_person: flag('True if a person who has taken over the conversation wrote it'),
  })
  .meta({
    id: 'MessageCompleted',
    description: 'Posted to webhook_url when an agent, or a person who has taken over, has answered',
  });

export const messageError = z
  .object({
    event: z.literal('message.error').describe('Kind of the event'),
    agent_id: z.uuid().describe('The agent whose run failed'),
    conversation_id: z.uuid().describe('The conversation of the unanswered messages'),
    error: z.string().describe('The reason, as a sentence for people'),
    code: runErrorCode
      .optional()
      .describe(
        'credit_cap_reached: a cap on credits left no room for a call of the run. output_invalid: the answer does not fit the output schema of the agent. Absent if the run failed for another reason',
      ),
    metadata: metadata.optional().describe("The caller's metadata, unchanged"),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
  })
  .meta({ id: 'MessageError', description: 'Posted to webhook_url when a run has failed permanently' });

export const approvalRequested = z
  .object({
    event: z.literal('approval.requested').describe('Kind of the event'),
    approval_id: z.uuid().describe('The approval; POST /approvals/{id} decides it'),
    agent_id: z.uuid().describe('The agent whose model called the tool'),
    conversation_id: z.uuid().describe('The conversation, whose run waits'),
    tool: z.string().describe('Name of the tool'),
    arguments: z.json().describe('The arguments of the call. If it is approved, it is executed with these'),
    arguments_hash: z.string().describe('SHA-256 of the tool and the arguments'),
    expires_at: timestamp.describe('Until when it can be decided'),
    on_expiry: z.enum(['refuse', 'approve']).describe('What happens if nobody decides in time'),
    metadata: metadata.optional().describe("The caller's metadata, unchanged"),
    timestamp: timestamp.describe('When the payload was assembled, ISO 8601 in UTC'),
  })
  .meta({
    id: 'ApprovalRequested',
    description: 'Posted to webhook_url when a tool call waits for the approval of a person',
  });

/** The payload that reports an agent's message or a failed run. */
export type Callback = z.infer<typeof messageCompleted> | z.infer<typeof messageError>;
export type ApprovalRequested = z.infer<typeof approvalRequested>;
