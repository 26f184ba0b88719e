import { z } from 'zod';
import { channelName } from './channel-name.ts';
import { metadata, output } from './chat.ts';
import { earlierTurn } from './earlier-turns.ts';
import { flag, pageQuery, timestamp } from '../page.ts';

export const conversation = z
  .object({
    id: z.uuid().describe('Identifier of the conversation'),
    agent_id: z.uuid().describe('The agent that answers now, after any transfer'),
    target_id: z.uuid().describe('The agent or inbox identifier with which it was started'),
    channel: channelName.describe('The channel of its messages'),
    contact: z
      .object({
        id: z
          .string()
          .describe("Your own key; for a channel, `whatsapp:` and the contact's current number or LID"),
        name: z.string().optional().describe('Display name'),
      })
      .optional()
      .describe('The end user'),
    continued_by: z
      .uuid()
      .optional()
      .describe(
        'The conversation in which the same contact writes now, after their number and LID proved to be one person',
      ),
    paused_until: timestamp
      .optional()
      .describe('A takeover is active: the agent does not answer before this time'),
    paused_by: z
      .enum(['phone', 'console', 'api', 'loop', 'agent'])
      .optional()
      .describe(
        'Where the human agent took over; loop: the contact answered like a bot; agent: the agent handed over to a person',
      ),
    paused_by_name: z
      .string()
      .optional()
      .describe('Name of the human agent, if the takeover was made in the console'),
    created_at: timestamp,
    updated_at: timestamp,
  })
  .meta({ id: 'Conversation', description: 'A conversation between an end user and agents' });
export type Conversation = z.infer<typeof conversation>;

/** Filters of the list. An unknown agent or contact is valid, and results in an empty list. */
export const conversationsQuery = pageQuery.extend({
  agent_id: z.string().max(64).optional().describe('Only conversations that this agent answers now'),
  contact_id: z.string().max(255).optional().describe('Only conversations of this contact'),
});

export const deliveryStatus = z.enum(['pending', 'attempting', 'delivered', 'failed', 'blocked', 'unknown']);

const statusMeaning =
  'pending: not started; attempting: in progress; delivered: answered with 2xx; failed: any other response, or none in time; blocked: the address is not allowed; unknown: a process died during the attempt, so it may have arrived. Parley does not send it again, unless POST /deliveries/{id}/resend asks for it';
const attemptedAt = timestamp
  .optional()
  .describe(
    'When its only attempt started; for a channel reply, when the last attempt of its first part started',
  );

const attachment = z
  .object({
    id: z.uuid().describe('Identifier of the file'),
    filename: z.string().nullable().describe('The given name, or the name that its server sent'),
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
  id: z
    .uuid()
    .describe("Identifier of the message; for an agent's message also the message_id of its callback"),
  conversation_id: z.uuid().describe('The conversation of the message'),
  text: z.string().describe('Text of the message'),
  attachments: z.array(attachment).describe('Files of the message'),
  created_at: timestamp,
};
export const edits = z.array(
  z
    .object({
      text: z.string().describe('The text before the edit'),
      replaced_at: timestamp.describe('When Parley received the edit'),
    })
    .meta({ id: 'MessageEdit', description: 'An earlier text of a message' }),
);
export const unanswered = z.enum(['paused', 'stale', 'contact_day', 'channel_day', 'loop']);

export const message = z
  .discriminatedUnion('role', [
    z
      .object({
        ...shared,
        role: z.literal('user').describe('Author of the message'),
        status: z
          .enum(['queued', 'processing', 'answered', 'failed', 'cancelled'])
          .describe('State of the message'),
        unanswered: unanswered
          .optional()
          .describe(
            'Why the agent does not answer it. paused: a takeover was active; stale: it was a day old when it arrived; contact_day, channel_day, loop: a limit of the channel',
          ),
        edits: edits
          .optional()
          .describe('Earlier texts, oldest first, if the contact edited the message on WhatsApp; at most 20'),
        group_id: z
          .uuid()
          .optional()
          .describe('The group of the message; messages of one group are answered together'),
        metadata: metadata.optional().describe("The caller's metadata, unchanged"),
        earlier_turns: z
          .array(earlierTurn)
          .optional()
          .describe(
            'Turns before this message that the caller gave with it, oldest first: see POST /openai/chat/completions',
          ),
      })
      .meta({ id: 'UserMessage', description: 'A message of the end user' }),
    z
      .object({
        ...shared,
        role: z.literal('agent').describe('Author of the message'),
        agent_id: z.uuid().describe('The agent that wrote the message'),
        responding_agent_name: z.string().describe('Name of the agent at that time'),
        agent_version: z
          .int()
          .optional()
          .describe(
            'Version of the agent that wrote it; absent if a human agent did, or if it was not recorded',
          ),
        output: output.optional().describe('The answer as JSON; absent if the agent has no output schema'),
        model: z.string().optional().describe('The model that the provider reports'),
        fallback: z
          .object({
            model: z.string().describe('provider/name of the fallback model, which answered'),
            failed_model: z.string().describe("provider/name of the agent's model"),
            reason: z.string().describe("Why the agent's model did not answer, as a sentence for people"),
          })
          .meta({ id: 'FallbackUsed', description: "Why an agent's fallback model answered" })
          .optional()
          .describe('Present if the fallback model of the agent wrote it'),
        credits_used: z.number().optional().describe('Cost of the run'),
        in_reply_to: z.array(z.uuid()).describe('The user messages that it answers'),
        pre_transfer: flag('True if the message was written before a transfer'),
        followup: flag('True for a follow-up, which no user message asked for'),
        followup_attempt: z.int().optional().describe('Number of the follow-up, from 1'),
        replaced: flag('True if a regenerated answer has replaced it'),
        truncated: flag("True if the model was cut off by its token limit or its provider's filter"),
        by_person: flag('True if a human agent wrote it'),
        delivery: z
          .object({
            status: deliveryStatus.describe(statusMeaning),
            attempted_at: attemptedAt,
          })
          .optional()
          .describe('Outcome of its callback or channel reply; absent if it has neither'),
      })
      .meta({ id: 'AgentMessage', description: 'A message of an agent, or of a human agent who took over' }),
  ])
  .meta({ id: 'Message', description: 'A message of a conversation; `role` is its author' });
export type Message = z.infer<typeof message>;

export const messagesQuery = pageQuery.extend({
  order: z.enum(['asc', 'desc']).default('asc').describe('asc: oldest first'),
});

export const delivery = z
  .object({
    id: z.uuid().describe('Identifier of the delivery'),
    event: z
      .enum([
        'message.completed',
        'message.error',
        'approval.requested',
        'channel.session_down',
        'channel.timelocked',
        'conversation.waiting',
      ])
      .describe('Kind of the event'),
    url: z
      .string()
      .describe(
        "The URL to which it is posted; for a reply on WhatsApp, `whatsapp:` and the contact's number or LID",
      ),
    status: deliveryStatus.describe(statusMeaning),
    http_status: z.int().optional().describe('Status of the response; absent if there was none'),
    response_body: z.string().optional().describe('Body of the response, cut to 5,000 characters'),
    error: z
      .string()
      .optional()
      .describe('Why it failed or was blocked; for a pending delivery, the reason why it waits'),
    conversation_id: z.uuid().optional().describe('The conversation; absent for an alert'),
    agent_id: z.uuid().optional().describe('For an alert: its agent'),
    message_id: z.uuid().optional().describe('The delivered message'),
    agent_version: z
      .int()
      .optional()
      .describe('Version of the agent whose message or failure it reports; absent if it was not recorded'),
    attempted_at: attemptedAt,
    duration_ms: z
      .int()
      .optional()
      .describe('Milliseconds from the look-up of the host to the last byte of the response'),
    signed: flag('True if the request was signed'),
    resend_of: z
      .uuid()
      .optional()
      .describe('The delivery that this one sends again, on purpose; absent for all others'),
  })
  .meta({
    id: 'Delivery',
    description:
      'A callback, a channel reply or an alert, and its outcome. A callback or an alert is attempted once',
  });
export type Delivery = z.infer<typeof delivery>;

export const deliveriesQuery = pageQuery.extend({
  conversation_id: z.string().max(64).optional().describe('Only deliveries of this conversation'),
  status: deliveryStatus.optional().describe('Only deliveries in this state'),
});
