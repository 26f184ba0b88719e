/** Endpoints that manage webhook endpoints and local receivers, send test callbacks, and send callbacks again. */
import { z } from 'zod';
import {
  addWebhookEndpointForm,
  allowLoopbackForm,
  changeWebhookEndpointForm,
  createdWebhookEndpoint,
  loopbackQuery,
  loopbackReceivers,
  maxResends,
  maxWebhookEndpoints,
  resentDelivery,
  rotateWebhookSecretForm,
  testCallback,
  testCallbackForm,
  webhookEndpoint,
} from '../../../contract/conversations/webhook-endpoints.ts';
import { pageOf } from '../../../contract/page.ts';
import { defineEndpoint } from '../../endpoint.ts';

const shared = { auth: 'token', scope: 'webhooks.manage', agents: 'organization', tag: 'Webhooks' } as const;
const params = z.object({ id: z.uuid().describe('Identifier of the endpoint') });

export const listWebhookEndpoints = defineEndpoint({
  ...shared,
  request: 'GET /webhook-endpoints',
  summary: 'List the endpoints whose callbacks are signed',
  description: `By URL. An organization has at most ${maxWebhookEndpoints}, so there is one page.`,
  answers: { 200: pageOf(webhookEndpoint) },
  handle: async ({ caller }, { webhooks }, respond) =>
    respond(200, { data: await webhooks.list(caller.organizationId), next_cursor: null }),
});

export const addWebhookEndpoint = defineEndpoint({
  ...shared,
  request: 'POST /webhook-endpoints',
  summary: 'Sign the callbacks of an endpoint',
  description:
    'From now on, callbacks and alerts to this URL, and to URLs below its path, carry the headers of Standard Webhooks: `webhook-id`, `webhook-timestamp` and `webhook-signature`. Other callbacks are not signed. Only this response contains the secret.',
  body: addWebhookEndpointForm,
  answers: { 201: createdWebhookEndpoint },
  errors: ['conflict'],
  handle: async ({ caller, body }, { webhooks }, respond) =>
    respond(201, await webhooks.add(caller, body.url)),
});

export const changeWebhookEndpoint = defineEndpoint({
  ...shared,
  request: 'PATCH /webhook-endpoints/{id}',
  summary: 'Post waiting conversations to an endpoint',
  description:
    'With `waiting_alerts`, Parley posts `conversation.waiting` to the endpoint when a conversation begins to wait for a person, once for each wait and signed: for agents whose channel has no `alert_url`, and for agents without a channel. Each endpoint with `waiting_alerts` gets it.',
  params,
  body: changeWebhookEndpointForm,
  answers: { 200: webhookEndpoint },
  handle: async ({ caller, params: { id }, body }, { webhooks }, respond) =>
    respond(200, await webhooks.change(caller, id, body)),
});

export const rotateWebhookSecret = defineEndpoint({
  ...shared,
  request: 'POST /webhook-endpoints/{id}/rotate',
  summary: "Rotate an endpoint's secret",
  description:
    'During the overlap, `webhook-signature` has two signatures: of the new secret, then of the previous one. A second rotation ends the overlap of the first. Only this response contains the new secret.',
  params,
  body: rotateWebhookSecretForm,
  answers: { 200: createdWebhookEndpoint },
  handle: async ({ caller, params: { id }, body }, { webhooks }, respond) =>
    respond(200, await webhooks.rotate(caller, id, body.overlap_seconds)),
});

export const removeWebhookEndpoint = defineEndpoint({
  ...shared,
  request: 'DELETE /webhook-endpoints/{id}',
  summary: 'Stop signing the callbacks of an endpoint',
  description: 'Its secrets are deleted at once.',
  params,
  handle: ({ caller, params: { id } }, { webhooks }) => webhooks.remove(caller, id),
});

export const resendCallback = defineEndpoint({
  ...shared,
  request: 'POST /deliveries/{id}/resend',
  summary: 'Send a callback again',
  description: `Writes a new delivery with an id of its own, the same address and the same body, and the header \`parley-resend-of\` with the id of the first delivery. It is attempted at most once, and the first delivery stays as it is. A receiver that has processed the \`message_id\` must ignore it. At most ${maxResends} times per callback. 409 \`invalid_state\` while it is being sent, after the maximum, for an answer that was replaced, and for what is not a callback.`,
  params: z.object({ id: z.uuid().describe('Identifier of the delivery') }),
  answers: { 202: resentDelivery },
  errors: ['invalid_state'],
  handle: async ({ caller, params: { id } }, { webhooks }, respond) =>
    respond(202, await webhooks.resend(caller, id)),
});

export const sendTestCallback = defineEndpoint({
  ...shared,
  request: 'POST /test-callbacks',
  summary: 'Send a test callback',
  description:
    'Posts one sample callback to a URL and returns what the receiver answered. It follows the rules of callbacks (public addresses, one attempt, the same time limit), is signed if the URL belongs to an endpoint, and has the header `parley-test: true` and ids that name nothing. At most 20 a minute.',
  body: testCallbackForm,
  answers: { 200: testCallback },
  errors: ['invalid_state'],
  handle: async ({ caller, body }, { webhooks }, respond) =>
    respond(200, await webhooks.test(caller, body.url)),
});

const ofConsole = { auth: 'session', capability: 'webhooks.manage' } as const;

export const listLoopback = defineEndpoint({
  ...ofConsole,
  request: 'GET /loopback-receivers',
  query: loopbackQuery,
  answers: { 200: loopbackReceivers },
  handle: async ({ caller, query }, { webhooks }, respond) =>
    respond(200, await webhooks.loopback(caller.organizationId, query.url)),
});

export const allowLoopback = defineEndpoint({
  ...ofConsole,
  request: 'POST /loopback-receivers',
  body: allowLoopbackForm,
  answers: { 200: loopbackReceivers },
  handle: async ({ caller, body }, { webhooks }, respond) =>
    respond(200, await webhooks.allowLoopback(caller, body.url)),
});

export const forbidLoopback = defineEndpoint({
  ...ofConsole,
  request: 'DELETE /loopback-receivers/{host}',
  params: z.object({ host: z.string().max(255) }),
  handle: ({ caller, params: { host } }, { webhooks }) => webhooks.forbidLoopback(caller, host),
});
