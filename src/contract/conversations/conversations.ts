import { z } from 'zod';
import { metadata } from './chat.ts';
import { pageQuery, timestamp } from '../page.ts';

export const conversation = z
  .object({
    id: z.uuid().describe('Identifier of the conversation'),
    agent_id: z.uuid().describe('The agent that answers now, after any transfer'),
    target_id: z.uuid().describe('The agent or inbox identifier it was begun with'),
    channel: z.enum(['api', 'whatsapp']).describe('The channel of its messages'),
    contact: z
      .object({
        id: z
          .string()
          .describe(
            "The caller's own key, or the channel's: `whatsapp:` and a number or LID that is theirs now",
          ),
        name: z.string().optional().describe('How people call them'),
      })
      .optional()
      .describe('The end user'),
    continued_by: z
      .uuid()
      .optional()
      .describe(
        'The conversation in which the same contact writes now: their number and their LID turned out to be one person',
      ),
    paused_until: timestamp
      .optional()
      .describe('A person has taken over: the agent does not answer before this'),
    paused_by: z
      .enum(['phone', 'console', 'api', 'loop'])
      .optional()
      .describe('Where the human agent took over; loop: the contact answered like another bot'),
    paused_by_name: z
      .string()
      .optional()
      .describe('The human agent, if the takeover was made in the console'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Conversation', description: 'What an end user and agents write to each other' });
export type Conversation = z.infer<typeof conversation>;

/** A filter that names nothing of this organization gives an empty list. */
export const conversationsQuery = pageQuery.extend({
  agent_id: z.string().max(64).optional().describe('Only those that this agent answers now'),
  contact_id: z.string().max(255).optional().describe('Only those of this contact'),
});

export const deliveryStatus = z.enum(['pending', 'attempting', 'delivered', 'failed', 'blocked', 'unknown']);

const statusMeaning =
  'pending: not begun; attempting: under way; delivered: answered with 2xx; failed: another answer, or none in time; blocked: the address may not be called; unknown: a process died meanwhile, so it may have arrived. It is never attempted again';

const attachment = z
  .object({
    id: z.uuid().describe('Identifier of the file'),
    filename: z.string().nullable().describe('As it was given, or as its server named it'),
    content_type: z.string().nullable().describe('Media type, such as image/png'),
    size: z.int().nullable().describe('Bytes; null while a URL has not been fetched'),
    url: z
      .url()
      .optional()
      .describe(
        'Link to download the file without a token, valid for at least a day; absent if the file is not stored',
      ),
  })
  .meta({ id: 'MessageAttachment', description: 'A file of a message' });
const shared = {
  id: z.uuid().describe("Identifier of the message; of an agent's also the message_id of its callback"),
  conversation_id: z.uuid().describe('The conversation that it is in'),
  text: z.string().describe('What was written'),
  attachments: z.array(attachment).describe('Files that go with it'),
  created_at: timestamp,
};
export const unanswered = z.enum(['paused', 'stale', 'contact_day', 'channel_day', 'loop']);

export const message = z
  .discriminatedUnion('role', [
    z
      .object({
        ...shared,
        role: z.literal('user').describe('Who wrote it'),
        status: z
          .enum(['queued', 'processing', 'answered', 'failed', 'cancelled'])
          .describe('What has become of it'),
        unanswered: unanswered
          .optional()
          .describe(
            'Why the agent does not answer it: a person has taken over, it was a day old when it came, a limit of the channel',
          ),
        group_id: z.uuid().optional().describe('Messages with the same one are answered together'),
        metadata: metadata.optional().describe('Free-form correlation data, as the caller gave it'),
      })
      .meta({ id: 'UserMessage', description: 'A message of the end user' }),
    z
      .object({
        ...shared,
        role: z.literal('agent').describe('Who wrote it'),
        agent_id: z.uuid().describe('The agent that wrote it'),
        responding_agent_name: z.string().describe('Its name, as it was then'),
        model: z.string().optional().describe('The one that the provider says it used'),
        credits_used: z.number().optional().describe('What the run cost'),
        in_reply_to: z.array(z.uuid()).describe('The user messages that it answers'),
        pre_transfer: z.literal(true).optional().describe('Said before the conversation was handed over'),
        followup: z.literal(true).optional().describe('The user was silent: nobody asked for this message'),
        followup_attempt: z.int().optional().describe('Number of the follow-up, from 1'),
        replaced: z.literal(true).optional().describe('Another answer was made in its place'),
        truncated: z
          .literal(true)
          .optional()
          .describe('The model was cut off: it reached its limit of tokens, or a filter of its provider'),
        by_person: z.literal(true).optional().describe('Written by a person, not by the agent'),
        delivery: z
          .object({
            status: deliveryStatus.describe(statusMeaning),
            attempted_at: timestamp.optional().describe('When its one attempt began'),
          })
          .optional()
          .describe('Outcome of its callback or of its channel reply; absent if it has neither'),
      })
      .meta({ id: 'AgentMessage', description: 'A message of an agent, or of a person in its place' }),
  ])
  .meta({ id: 'Message', description: 'A message of a conversation; role tells who wrote it' });
export type Message = z.infer<typeof message>;

export const messagesQuery = pageQuery.extend({
  order: z.enum(['asc', 'desc']).default('asc').describe('asc: the oldest first'),
});

export const delivery = z
  .object({
    id: z.uuid().describe('Identifier of the delivery'),
    event: z
      .enum(['message.completed', 'message.error', 'channel.session_down', 'channel.timelocked'])
      .describe('What it tells'),
    url: z.string().describe('The address that it is posted to'),
    status: deliveryStatus.describe(statusMeaning),
    http_status: z.int().optional().describe('Of the answer; absent where none came'),
    response_body: z.string().optional().describe('At most 5,000 characters'),
    error: z
      .string()
      .optional()
      .describe('Why it failed or was blocked; of a pending one, what it waits for'),
    conversation_id: z.uuid().optional().describe("Absent for a channel's alert"),
    agent_id: z.uuid().optional().describe("Of a channel's alert: the agent whose channel it is"),
    message_id: z.uuid().optional().describe('The message that it carries'),
    attempted_at: timestamp.optional().describe('When its one attempt began'),
    duration_ms: z.int().optional().describe('From look-up to the last byte of the answer'),
  })
  .meta({
    id: 'Delivery',
    description: 'A callback or an alert, and what became of it; there is one attempt',
  });
export type Delivery = z.infer<typeof delivery>;

export const deliveriesQuery = pageQuery.extend({
  conversation_id: z.string().max(64).optional().describe('Only those of this conversation'),
  status: deliveryStatus.optional().describe('Only those in this state'),
});
