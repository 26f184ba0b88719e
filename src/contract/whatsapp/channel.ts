/** The WhatsApp channel of an agent: its states, the forms that change it, and its responses. */
import { z } from 'zod';
import { webhookUrl } from '../conversations/chat.ts';
import { timestamp } from '../page.ts';
import { asUri } from '../text.ts';

export const channelState = z.enum(['not_connected', 'awaiting_webhook', 'connected', 'inactive']);
export type ChannelState = z.infer<typeof channelState>;

const baseUrl = z
  .string()
  .trim()
  .min(1)
  .max(2048)
  .meta(asUri('Address of the gateway instance: https, usually without a path; a trailing slash is removed'));
const instanceToken = z
  .string()
  .trim()
  .min(1)
  .max(512)
  .regex(/^[\x21-\x7e]+$/, 'must contain only visible ASCII characters, because it is sent in a header')
  .describe("Token of the instance, from the gateway's dashboard");

const takeOver = z
  .boolean()
  .optional()
  .describe(
    'True to move the number from the agents that use it to this one. Without it, the call is refused with number_in_use',
  );

/** The body of the request that connects a channel ("Validate and continue" in the console). */
export const channelConnectForm = z
  .strictObject({ base_url: baseUrl, instance_token: instanceToken, take_over: takeOver })
  .meta({ id: 'ConnectChannel', description: 'The gateway instance to connect' });

const upTo = (min: number, max: number) => z.int().min(min).max(max).nullable().optional();
const limits = {
  contact_messages_per_minute: upTo(1, 1000).describe(
    'Messages of one contact per minute. Further messages are answered together once the minute is over. Null: no limit',
  ),
  channel_messages_per_minute: upTo(1, 10_000).describe(
    'Messages of all contacts together per minute, with the same effect. Null: no limit',
  ),
  contact_answers_per_day: upTo(1, 10_000).describe(
    'Answers to one contact per day (UTC). Further messages are stored without an answer. Null: no limit',
  ),
  channel_answers_per_day: upTo(1, 1_000_000).describe(
    'Answers to all contacts together per day (UTC), with the same effect. Null: no limit',
  ),
  loop_rounds: upTo(3, 50).describe(
    'Pauses the agent for a contact that wrote this many times in a row within loop_seconds of an answer, because it is probably a bot. Null: never',
  ),
  loop_seconds: z
    .int()
    .min(1)
    .max(60)
    .optional()
    .describe('Seconds after an answer within which a message counts for loop_rounds'),
};

/**
 * The body of the request that edits a channel. A new `base_url` requires `instance_token` too, so that no editor can
 * make Parley send the stored token to another server.
 */
export const channelEditForm = z
  .strictObject({
    base_url: baseUrl.optional(),
    instance_token: instanceToken.optional(),
    take_over: takeOver,
    pause_minutes: z
      .int()
      .min(1)
      .max(43_200)
      .optional()
      .describe('How long the agent does not answer a contact after a human agent wrote to them, in minutes'),
    alert_url: webhookUrl
      .nullable()
      .optional()
      .describe(
        'Receives a POST when the session has been down for long, WhatsApp forbids new chats (463), or a conversation waits for a person',
      ),
    alert_after_minutes: z
      .int()
      .min(1)
      .max(1440)
      .optional()
      .describe('Minutes that the session is down before Parley posts to alert_url'),
    ...limits,
  })
  .meta({ id: 'EditChannel', description: 'The fields to change; absent fields stay as they are' });

/** The query of the request that verifies a channel. */
export const verifyQuery = z.object({
  take_over: z
    .enum(['true', 'false'])
    .optional()
    .describe(
      'true moves the number from the agents that use it to this one. Without it, the call is refused with number_in_use',
    ),
});

/** The webhook settings that Parley requires at a gateway, under the gateway's names. */
export const webhookSettings = z.object({
  url: z.string().describe("The agent's webhook URL"),
  method: z.literal('POST').describe('HTTP method of the webhook'),
  enabled: z.literal(true).describe('The webhook is enabled'),
  addUrlEvents: z.literal(false).describe('Nothing is appended to the URL'),
  addUrlTypesMessages: z.literal(false).describe('Nothing is appended to the URL'),
  events: z.array(z.string()).describe('The events that the gateway sends'),
  excludeMessages: z.array(z.string()).describe('The messages that the gateway does not send'),
});
export type WebhookSettings = z.infer<typeof webhookSettings>;

export const webhookDifference = z
  .object({
    setting: z.string().describe('Name of the setting at the gateway'),
    expected: z.string().describe('Required value'),
    actual: z.string().describe('Current value'),
  })
  .meta({
    id: 'WebhookDifference',
    description: 'A setting at the gateway that differs from the required value',
  });
export type WebhookDifference = z.infer<typeof webhookDifference>;

export const channelSetup = z.object({
  webhook_url: z
    .string()
    .describe(
      'The URL to which the gateway must post its events. It is secret, and stays the same until it is renewed',
    ),
  steps: z.array(z.string()).describe("Steps to carry out in the gateway's dashboard, in order"),
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
    .describe('A stable code for programs'),
  message: z.string().describe('A sentence for people'),
  at: timestamp.describe('When the error occurred'),
});
export type ChannelError = z.infer<typeof channelError>;

export const channel = z
  .object({
    state: channelState.describe('Messages are received and sent only while the state is connected'),
    base_url: z.string().optional().describe('Address of the gateway instance'),
    webhook_url: channelSetup.shape.webhook_url.optional(),
    connected_number: z.string().optional().describe('The connected phone number: digits with country code'),
    setup: channelSetup.optional().describe("The webhook's set-up at the gateway"),
    last_error: channelError.optional().describe('The current problem; absent if there is none'),
    session: z
      .object({
        status: z.string().describe("The session's status, as the gateway last reported it"),
        reason: z.string().optional().describe('Why the session is down, if the gateway gives a reason'),
        checked_at: timestamp.describe('When the session was last checked'),
        down_since: timestamp
          .optional()
          .describe('When the session was first found down; absent while it is up'),
        webhook: z
          .enum(['right', 'wrong', 'unread'])
          .optional()
          .describe(
            'State of the webhook at the gateway. right: messages arrive; wrong: they do not; unread: the gateway does not report it',
          ),
      })
      .optional()
      .describe('The WhatsApp session at the gateway'),
    shared_with: z
      .array(
        z
          .object({
            agent_id: z.uuid().describe('The other agent'),
            agent_name: z.string().describe('Name of the other agent'),
          })
          .meta({
            id: 'ChannelSharedWith',
            description: 'Another agent that is connected with the same number',
          }),
      )
      .optional()
      .describe(
        'Other agents that are connected with the same number. Messages reach only the agent whose URL the webhook has',
      ),
    timelocked_until: timestamp
      .optional()
      .describe('The number may not start new chats before this time (WhatsApp error 463)'),
    last_inbound_at: timestamp.optional().describe('When the gateway last delivered an event'),
    pause_minutes: z
      .int()
      .optional()
      .describe('How long the agent does not answer a contact after a human agent wrote to them, in minutes'),
    alert_url: z
      .string()
      .optional()
      .describe(
        'Receives a POST when the session is down, the number is locked, or a conversation waits for a person',
      ),
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
              .describe(
                'Name of the limit: contact_minute, channel_minute, contact_day, channel_day or loop',
              ),
            messages: z.int().describe('Number of messages that the limit affected; counted up to 1,000'),
            last_at: timestamp.describe('When the limit last took effect'),
          })
          .meta({ id: 'ChannelLimited', description: 'A limit that took effect' }),
      )
      .optional()
      .describe('The limits that took effect within the last day; absent if none did'),
  })
  .meta({ id: 'Channel', description: "An agent's WhatsApp channel" });
export type Channel = z.infer<typeof channel>;

export const webhookCheck = z
  .object({
    matches: z.boolean().describe('True if the webhook has every required setting'),
    differences: z.array(webhookDifference).describe('Each setting that differs from the required value'),
  })
  .meta({ id: 'WebhookCheck', description: "The webhook's set-up at the gateway" });

export const renewedWebhook = z
  .object({
    webhook_url: z.string().describe('The new URL to which the gateway must post its events'),
    previous_until: timestamp.describe('Events at the previous URL are also accepted until this time'),
    is_set: z
      .boolean()
      .describe(
        'True if Parley has set the new URL at the gateway; otherwise set it there before previous_until',
      ),
  })
  .meta({ id: 'RenewedWebhook', description: 'A new webhook secret' });

export const channelEvent = z
  .object({
    id: z.uuid().describe('Identifier of the event'),
    outcome: z
      .enum(['accepted', 'stored', 'edited', 'takeover', 'approval', 'ignored'])
      .describe(
        'accepted: will be answered; stored: stored without an answer; edited: changed an earlier message; takeover: a human agent wrote on the phone; approval: a reply about a tool call that waits for approval; ignored: not stored in any conversation',
      ),
    reason: z
      .string()
      .optional()
      .describe('Why it was ignored or stored without an answer, or which limit delayed its answer'),
    gateway_message_id: z.string().optional().describe("The message's id at WhatsApp"),
    conversation_id: z.uuid().optional().describe('The conversation that it was stored in'),
    repeats: z.int().describe('How often the gateway delivered it again'),
    received_at: timestamp,
  })
  .meta({ id: 'ChannelEvent', description: 'A message that the gateway delivered, and its outcome' });
