/** The WhatsApp channel of an agent: its states, the forms that change it, and what the API answers. */
import { z } from 'zod';

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
    'rate_limited',
    'refused',
  ]),
  message: z.string(),
  at: z.iso.datetime(),
});
export type ChannelError = z.infer<typeof channelError>;
