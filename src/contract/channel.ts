/** The WhatsApp channel of an agent: its states, the forms that change it, and what the API answers. */
import { z } from 'zod';
import { attachmentWithContent, webhookUrl } from './chat.ts';
import { text, timestamp } from './page.ts';

export const channelState = z.enum(['not_connected', 'awaiting_webhook', 'connected', 'inactive']);
export type ChannelState = z.infer<typeof channelState>;

const baseUrl = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .describe('Address of the gateway instance: https, no path needed, a trailing slash is trimmed');
const instanceToken = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .regex(/^[\x21-\x7e]+$/, 'Visible ASCII characters only: it travels in a header')
  .describe("Token generated in the gateway's own dashboard");

/** PUT: Validate and continue. */
export const channelConnectForm = z.strictObject({ base_url: baseUrl, instance_token: instanceToken });

/** PATCH: Edit. A changed address needs the token again, so that no editor can send a stored token elsewhere. */
export const channelEditForm = z.strictObject({
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
    .describe('Told by POST when the session is down for long, or WhatsApp forbids new chats (463)'),
  alert_after_minutes: z.int().min(1).max(1440).optional(),
});

/** The gateway's seven webhook settings, by the names they have there. */
export const webhookSettings = z.object({
  url: z.string(),
  method: z.literal('POST'),
  enabled: z.literal(true),
  addUrlEvents: z.literal(false),
  addUrlTypesMessages: z.literal(false),
  events: z.array(z.string()),
  excludeMessages: z.array(z.string()),
});
export type WebhookSettings = z.infer<typeof webhookSettings>;

export const webhookDifference = z.object({
  setting: z.string(),
  expected: z.string(),
  actual: z.string(),
});
export type WebhookDifference = z.infer<typeof webhookDifference>;

export const channelSetup = z.object({
  webhook_url: z.string(),
  steps: z.array(z.string()),
  settings: webhookSettings,
});
export type ChannelSetup = z.infer<typeof channelSetup>;

export const channelError = z.object({
  code: z.enum([
    'invalid_credentials',
    'gateway_unreachable',
    'gateway_busy',
    'not_a_gateway',
    'not_connected',
    'session_down',
    'timelocked',
    'other_number',
    'other_token',
    'webhook_suffix',
  ]),
  message: z.string(),
  at: z.iso.datetime(),
});
export type ChannelError = z.infer<typeof channelError>;

export const channel = z
  .object({
    state: channelState,
    base_url: z.string().optional(),
    webhook_url: z.string().optional(),
    connected_number: z.string().optional().describe('Digits, with country code'),
    setup: channelSetup.optional(),
    last_error: channelError.optional(),
    session: z
      .object({
        status: z.string().describe("The gateway's own word, as it was last seen"),
        reason: z.string().optional(),
        checked_at: timestamp,
        down_since: timestamp.optional(),
      })
      .optional(),
    timelocked_until: timestamp
      .optional()
      .describe('WhatsApp forbids the number to begin new chats before this (463)'),
    last_inbound_at: timestamp.optional(),
    pause_minutes: z.int().optional(),
    alert_url: z.string().optional(),
    alert_after_minutes: z.int().optional(),
  })
  .meta({ id: 'Channel' });
export type Channel = z.infer<typeof channel>;

export const webhookCheck = z.object({
  matches: z.boolean(),
  differences: z.array(webhookDifference).describe('Each setting at the gateway that is not as it must be'),
});

export const channelEvent = z
  .object({
    id: z.uuid(),
    outcome: z.enum(['accepted', 'stored', 'edited', 'takeover', 'ignored']),
    reason: z.string().optional().describe('Why it was ignored, or stored without an answer'),
    gateway_message_id: z.string().optional(),
    conversation_id: z.uuid().optional(),
    repeats: z.int().describe('How often the gateway delivered it again'),
    received_at: timestamp,
  })
  .meta({ id: 'ChannelEvent' });

const pauseMinutes = z.int().min(1).max(43_200).optional().describe("Default: the channel's pause_minutes");
export const pauseForm = z.strictObject({ minutes: pauseMinutes });

/** What a person writes to the contact, in the agent's place. */
export const personsMessageForm = z
  .strictObject({
    text: text(32_000).default(''),
    attachments: z.array(attachmentWithContent).max(10).default([]),
    pause_minutes: pauseMinutes,
  })
  .refine((body) => body.text.trim() !== '' || body.attachments.length > 0, {
    path: ['text'],
    error: 'must not be empty unless attachments are given',
  });
