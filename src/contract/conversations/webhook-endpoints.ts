/**
 * Requests and responses for webhook endpoints (whose secrets sign callbacks), test callbacks, resends of callbacks,
 * and receivers on Parley's own machine.
 */
import { z } from 'zod';
import { flag, overlapSeconds, timestamp } from '../page.ts';
import { asUri } from '../text.ts';
import { webhookUrl } from './chat.ts';

/** Maximum number of endpoints of an organization. Chosen: each callback reads all of them. */
export const maxWebhookEndpoints = 20;
/** Maximum number of resends of one callback, by all users and API tokens together. Chosen. */
export const maxResends = 5;

export const webhookEndpoint = z
  .object({
    id: z.uuid().describe('Identifier of the endpoint'),
    url: z
      .string()
      .describe(
        'Callbacks to this URL and below its path are signed; the endpoint with the longest path counts',
      ),
    created_at: timestamp,
    rotated_at: timestamp.optional().describe('When its secret was last rotated'),
    previous_until: timestamp
      .optional()
      .describe('Until this time, callbacks also carry a signature of the previous secret'),
    waiting_alerts: flag(
      'It also gets `conversation.waiting`, for agents whose channel has no alert_url or that have no channel',
    ),
    secret_lost: flag('The secret can no longer be decrypted. Callbacks fail until it is rotated'),
  })
  .meta({ id: 'WebhookEndpoint', description: 'A receiver whose callbacks are signed' });
export type WebhookEndpoint = z.infer<typeof webhookEndpoint>;

/** The response to a creation or a rotation. No other response contains the secret. */
export const createdWebhookEndpoint = webhookEndpoint
  .extend({ secret: z.string().describe('The secret that signs: whsec_…. No other response contains it') })
  .meta({ id: 'CreatedWebhookEndpoint', description: 'An endpoint with its new secret' });
export type CreatedWebhookEndpoint = z.infer<typeof createdWebhookEndpoint>;

const receiverUrl = z.string().min(1).max(2048);

export const addWebhookEndpointForm = z
  .strictObject({
    url: receiverUrl.meta(asUri('http or https, without credentials, query and fragment')),
  })
  .meta({ id: 'AddWebhookEndpoint', description: 'The receiver' });

export const changeWebhookEndpointForm = z
  .strictObject({
    waiting_alerts: z
      .boolean()
      .describe(
        'True: the endpoint also gets `conversation.waiting`, once for each wait, when a conversation of an agent without an alert_url begins to wait for a person',
      ),
  })
  .meta({ id: 'ChangeWebhookEndpoint', description: 'What the endpoint gets besides callbacks' });

export const rotateWebhookSecretForm = z
  .strictObject({
    overlap_seconds: overlapSeconds.describe(
      'How long callbacks also carry the signature of the previous secret',
    ),
  })
  .meta({ id: 'RotateWebhookSecret', description: 'How the secret is rotated' });

export const resentDelivery = z
  .object({
    id: z.uuid().describe('Identifier of the new delivery'),
    resend_of: z.uuid().describe('The delivery that is sent again'),
    status: z.literal('pending').describe('The new delivery waits to be sent'),
  })
  .meta({ id: 'ResentDelivery', description: 'A delivery that sends a callback again' });
export type ResentDelivery = z.infer<typeof resentDelivery>;

export const testCallbackForm = z
  .strictObject({ url: webhookUrl.meta(asUri('The receiver, as a webhook_url')) })
  .meta({ id: 'SendTestCallback', description: 'Where the test callback goes' });

export const testCallback = z
  .object({
    id: z.uuid().describe('Identifier of the request; if it is signed, its webhook-id'),
    url: z.string().describe('The address that was called'),
    outcome: z
      .enum(['delivered', 'failed', 'blocked'])
      .describe('delivered: answered with 2xx; failed: any other outcome; blocked: nothing was sent'),
    signed: z.boolean().describe('True if the URL belongs to an endpoint'),
    attempted_at: timestamp,
    duration_ms: z
      .int()
      .optional()
      .describe('Milliseconds from the look-up to the last byte of the response'),
    http_status: z.int().optional().describe('Status of the response; absent if there was none'),
    headers: z
      .array(
        z
          .object({
            name: z.string().describe('In lower case'),
            value: z.string().describe('At most 300 characters'),
          })
          .meta({ id: 'ReceivedHeader', description: 'A header of the response' }),
      )
      .optional()
      .describe('The first 50 headers of the response'),
    response_body: z.string().optional().describe('Body of the response, cut to 1,000 characters'),
    error: z.string().optional().describe('Why it failed or was blocked'),
    request_body: z.string().describe('The body that was sent, or would have been'),
  })
  .meta({ id: 'TestCallback', description: 'A sample callback and its outcome' });
export type TestCallback = z.infer<typeof testCallback>;

/** Maximum number of receivers on Parley's own machine that an organization can allow, in local mode. Chosen. */
export const maxLoopbackReceivers = 20;

export const loopbackReceivers = z.object({
  offered: z
    .boolean()
    .describe('True in local mode, the only one in which receivers on this machine can be allowed'),
  host: z.string().optional().describe('Host and port of the URL of the query, if it names this machine'),
  data: z.array(z.object({ host: z.string().describe('With its port') })),
});
export type LoopbackReceivers = z.infer<typeof loopbackReceivers>;

export const loopbackQuery = z.strictObject({ url: receiverUrl.optional() });

export const allowLoopbackForm = z.strictObject({
  url: receiverUrl.describe('A URL of the receiver, or its host and port'),
});
