/** The WhatsApp channel of an agent: its states, the forms that change it, and what the API answers. */
import { z } from 'zod';
import { attachmentWithContent, webhookUrl } from '../conversations/chat.ts';
import { asUri, text, timestamp } from '../page.ts';

export const channelState = z.enum(['not_connected', 'awaiting_webhook', 'connected', 'inactive']);
export type ChannelState = z.infer<typeof channelState>;

const baseUrl = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .meta(asUri('Address of the gateway instance: https, no path needed, a trailing slash is trimmed'));
const instanceToken = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .regex(/^[\x21-\x7e]+$/, 'Visible ASCII characters only: it travels in a header')
  .describe("Token generated in the gateway's own dashboard");

/** PUT: Validate and continue. */
export const channelConnectForm = z
  .strictObject({ base_url: baseUrl, instance_token: instanceToken })
  .meta({ id: 'ConnectChannel', description: 'The gateway instance that the channel goes through' });

const upTo = (min: number, max: number) => z.int().min(min).max(max).nullable().optional();
/** Null: no limit. */
const limits = {
  contact_messages_per_minute: upTo(1, 1000).describe(
    'What a contact writes beyond it is answered together when the minute is over; null: no limit',
  ),
  channel_messages_per_minute: upTo(1, 10_000).describe('The same, of all contacts together'),
  contact_answers_per_day: upTo(1, 10_000).describe(
    'Answers to a contact in a day (UTC); further messages are kept without an answer; null: no limit',
  ),
  channel_answers_per_day: upTo(1, 1_000_000).describe('The same, to all contacts together'),
  loop_rounds: upTo(3, 50).describe(
    'The agent is paused for a contact that wrote so often in a row within loop_seconds of an answer: a bot; null: never',
  ),
  loop_seconds: z.int().min(1).max(60).optional().describe('How soon after an answer a bot writes'),
};

/** PATCH: Edit. A changed address needs the token again, so that no editor can send a stored token elsewhere. */
export const channelEditForm = z
  .strictObject({
    base_url: baseUrl.optional(),
    instance_token: instanceToken.optional(),
    pause_minutes: z
      .int()
      .min(1)
      .max(43_200)
      .optional()
      .describe('How long the agent keeps silent towards a contact after a person wrote to them'),
    alert_url: webhookUrl
      .nullable()
      .optional()
      .describe(
        'Receives a POST when the session has been down for long, or WhatsApp forbids new chats (463)',
      ),
    alert_after_minutes: z
      .int()
      .min(1)
      .max(1440)
      .optional()
      .describe('Minutes that the session is down before Parley posts to alert_url'),
    ...limits,
  })
  .meta({ id: 'EditChannel', description: 'What is to change; absent fields stay' });

/** The gateway's seven webhook settings, by the names they have there. */
export const webhookSettings = z.object({
  url: z.string().describe("The agent's webhook URL"),
  method: z.literal('POST').describe('How events are sent'),
  enabled: z.literal(true).describe('Events are sent'),
  addUrlEvents: z.literal(false).describe('The URL is left as it is'),
  addUrlTypesMessages: z.literal(false).describe('The URL is left as it is'),
  events: z.array(z.string()).describe('The events that are sent'),
  excludeMessages: z.array(z.string()).describe('The messages that are not'),
});
export type WebhookSettings = z.infer<typeof webhookSettings>;

export const webhookDifference = z
  .object({
    setting: z.string().describe('By its name at the gateway'),
    expected: z.string().describe('What it must be'),
    actual: z.string().describe('What it is'),
  })
  .meta({ id: 'WebhookDifference', description: 'A setting at the gateway that is not as it must be' });
export type WebhookDifference = z.infer<typeof webhookDifference>;

export const channelSetup = z.object({
  webhook_url: z.string().describe('What the gateway must post its events to: secret, fixed per agent'),
  steps: z.array(z.string()).describe('What to do in the dashboard of the gateway, in this order'),
  settings: webhookSettings.describe("The gateway's seven webhook settings, by the names they have there"),
});
export type ChannelSetup = z.infer<typeof channelSetup>;

export const channelError = z.object({
  code: z
    .enum([
      'invalid_credentials',
      'gateway_unreachable',
      'gateway_busy',
      'not_a_gateway',
      'not_connected',
      'session_down',
      'timelocked',
      'webhook_wrong',
      'number_moved',
      'other_number',
      'other_token',
      'webhook_suffix',
    ])
    .describe('A stable word to program against'),
  message: z.string().describe('A readable sentence'),
  at: timestamp.describe('When it was seen'),
});
export type ChannelError = z.infer<typeof channelError>;

export const channel = z
  .object({
    state: channelState.describe('Messages pass while it is connected'),
    base_url: z.string().optional().describe('Address of the gateway instance'),
    webhook_url: z
      .string()
      .optional()
      .describe('What the gateway must post its events to: secret, fixed per agent'),
    connected_number: z.string().optional().describe('Digits, with country code'),
    setup: channelSetup.optional().describe('How the webhook is set up at the gateway'),
    last_error: channelError.optional().describe('What went wrong last; absent while all is well'),
    session: z
      .object({
        status: z.string().describe("The gateway's own word, as it was last seen"),
        reason: z.string().optional().describe('Why it is down, if the gateway gives a reason'),
        checked_at: timestamp.describe('When the gateway was asked last'),
        down_since: timestamp.optional().describe('Absent while the session is up'),
        webhook: z
          .enum(['right', 'wrong', 'unread'])
          .optional()
          .describe(
            'The webhook at the gateway: right, messages arrive; wrong, they do not; unread, the gateway does not show it',
          ),
      })
      .optional()
      .describe('The WhatsApp session at the gateway'),
    shared_with: z
      .array(
        z
          .object({
            agent_id: z.uuid().describe('The other agent'),
            agent_name: z.string().describe('Its name'),
          })
          .meta({ id: 'ChannelSharedWith', description: 'An agent that is connected with the same number' }),
      )
      .optional()
      .describe(
        'Other agents that are connected with the same number: messages reach only the one that the webhook leads to',
      ),
    timelocked_until: timestamp
      .optional()
      .describe('WhatsApp forbids the number to begin new chats before this (463)'),
    last_inbound_at: timestamp.optional().describe('When the gateway last delivered an event'),
    pause_minutes: z.int().optional().describe('How long the agent keeps silent after a person wrote'),
    alert_url: z
      .string()
      .optional()
      .describe('Receives a POST when the session is down or the number is locked'),
    alert_after_minutes: z
      .int()
      .optional()
      .describe('Minutes that the session is down before Parley posts to alert_url'),
    ...limits,
    limited: z
      .array(
        z
          .object({
            limit: z
              .string()
              .describe('Which one: contact_minute, channel_minute, contact_day, channel_day, loop'),
            messages: z.int().describe('How many messages it held back; at most 1,000 are counted'),
            last_at: timestamp.describe('When it acted last'),
          })
          .meta({ id: 'ChannelLimited', description: 'A limit that acted' }),
      )
      .optional()
      .describe('The limits that acted within the last day; absent if none did'),
  })
  .meta({ id: 'Channel', description: "An agent's WhatsApp channel" });
export type Channel = z.infer<typeof channel>;

export const webhookCheck = z
  .object({
    matches: z.boolean().describe('The webhook at the gateway is as it must be'),
    differences: z.array(webhookDifference).describe('Each setting at the gateway that is not as it must be'),
  })
  .meta({ id: 'WebhookCheck', description: 'How the webhook is set up at the gateway' });

export const channelEvent = z
  .object({
    id: z.uuid().describe('Identifier of the event'),
    outcome: z
      .enum(['accepted', 'stored', 'edited', 'takeover', 'ignored'])
      .describe(
        'accepted: to be answered; stored: kept without an answer; edited: an earlier message was changed; takeover: a person wrote on the phone',
      ),
    reason: z
      .string()
      .optional()
      .describe('Why it was ignored, or stored without an answer, or which limit put its answer off'),
    gateway_message_id: z.string().optional().describe("The message's id at WhatsApp"),
    conversation_id: z.uuid().optional().describe('The conversation that it was stored in'),
    repeats: z.int().describe('How often the gateway delivered it again'),
    received_at: timestamp,
  })
  .meta({ id: 'ChannelEvent', description: 'A message that the gateway delivered, and what became of it' });

const pauseMinutes = z.int().min(1).max(43_200).optional().describe("Default: the channel's pause_minutes");
export const pauseForm = z
  .strictObject({ minutes: pauseMinutes })
  .meta({ id: 'PauseConversation', description: 'How long the agent does not answer' });

/** What a person writes to the contact, in the agent's place. */
export const personsMessageForm = z
  .strictObject({
    text: text(32_000).default('').describe('May be empty only with attachments'),
    attachments: z.array(attachmentWithContent).max(10).default([]).describe('Files that go with it'),
    pause_minutes: pauseMinutes,
  })
  .refine((body) => body.text.trim() !== '' || body.attachments.length > 0, {
    path: ['text'],
    error: 'must not be empty unless attachments are given',
  })
  .meta({ id: 'WriteAsPerson', description: "A person's message to the contact" });
